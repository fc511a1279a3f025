import {
  AddressPolicy,
  createGuardedAgent,
  GuardedWays,
} from "../../src/platform/outbound/index.ts";
import type { WebhookWays } from "../../src/webhooks/index.ts";

/** Webhooks treat loopback as they treat public addresses, because tests have no others. */
export function publicLoopback(): WebhookWays {
  return {
    outside: createGuardedAgent({ policy: new AddressPolicy(["127.0.0.0/8", "::1/128"]) }),
    inside: new GuardedWays([], {}),
  };
}

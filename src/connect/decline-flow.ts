import type { Clients } from "../clients/index.ts";
import type { Clock } from "../platform/clock.ts";
import type { Keyring } from "../platform/crypto/index.ts";
import type { Pool } from "../platform/db/index.ts";
import type { Flow } from "./flow.ts";
import { findRedirectClient, redirectTargetOf } from "./flow-redirect.ts";
import { advanceFlow } from "./flow-store.ts";
import { redirectWithError } from "./redirect.ts";

export interface DeclineFlowDependencies {
  pool: Pool;
  clock: Clock;
  keyring: Keyring;
  clients: Clients;
  issuer: string;
}

/** The end user cancels, or goes back after a failure. Returns the address that the browser is sent to. */
export async function declineFlow(
  dependencies: DeclineFlowDependencies,
  flow: Flow,
): Promise<string> {
  const { pool, clock } = dependencies;
  await findRedirectClient(dependencies, flow);
  const hasFailed = flow.phase === "failed";
  await advanceFlow(pool, flow, {
    phase: hasFailed ? "failed" : "declined",
    submission: null,
    prefill: null,
    challenge: null,
    signIn: null,
    finishedAt: clock.now(),
  });
  return redirectWithError(
    redirectTargetOf(dependencies, flow),
    "access_denied",
    hasFailed ? "the provider refused the sign-in" : "the end user declined",
  );
}

import { endUnusedSignIn } from "./end-unused-sign-in.ts";
import type { Flow } from "./flow.ts";
import { findRedirectClient, redirectTargetOf } from "./flow-redirect.ts";
import { findFlow, type FlowSource } from "./find-flow.ts";
import { flowSecrets, openFlowKey } from "./flow-secrets.ts";
import { advanceFlow } from "./flow-store.ts";
import { redirectWithError } from "./redirect.ts";
import type { Needs } from "./services.ts";

export type DeclineFlowNeeds = FlowSource &
  Needs<"registry" | "connections" | "logOuts" | "clients" | "issuer">;

/**
 * The end user cancels, goes back after a failure, or signs out of the accesses. Returns the address of the client that
 * the browser is sent to. Undefined when there is none, and when the flow has made its connection or is gone.
 */
export async function declineFlow(
  dependencies: DeclineFlowNeeds,
  flow: Flow,
): Promise<string | undefined> {
  const { pool, keyring } = dependencies;
  const isOfClient = flow.purpose === "connection";
  if (isOfClient && flow.phase === "finished") return undefined;
  const signIn = flowSecrets.signIn.open(openFlowKey(keyring, flow), flow);
  if (isOfClient) await findRedirectClient(dependencies, flow);
  const hasFailed = isOfClient && flow.phase === "failed";
  const declined = await advanceFlow(pool, flow, {
    phase: hasFailed ? "failed" : "declined",
    submission: null,
    prefill: null,
    challenge: null,
    signIn: null,
    account: null,
    isEnd: true,
  });
  if (!declined) {
    // The flow has moved since it was read: the provider answered, or another request came first.
    const current = await findFlow(dependencies, flow.id);
    const hasMoved = current !== undefined && current.step !== flow.step;
    return hasMoved ? await declineFlow(dependencies, current) : undefined;
  }
  if (signIn) endUnusedSignIn(dependencies, flow, signIn);
  if (!isOfClient) return undefined;
  return redirectWithError(
    redirectTargetOf(dependencies, flow),
    "access_denied",
    hasFailed ? "the provider refused the sign-in" : "the end user declined",
  );
}

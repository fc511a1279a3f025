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
 * The end user cancels, or goes back after a failure. Returns the address that the browser is sent to. Undefined
 * when the flow is finished or gone.
 */
export async function declineFlow(
  dependencies: DeclineFlowNeeds,
  flow: Flow,
): Promise<string | undefined> {
  const { pool, keyring } = dependencies;
  const signIn = flowSecrets.signIn.open(openFlowKey(keyring, flow), flow);
  await findRedirectClient(dependencies, flow);
  const hasFailed = flow.phase === "failed";
  const declined = await advanceFlow(pool, flow, {
    phase: hasFailed ? "failed" : "declined",
    submission: null,
    prefill: null,
    challenge: null,
    signIn: null,
    isEnd: true,
  });
  if (!declined) return await declineAnew(dependencies, flow);
  if (signIn) endUnusedSignIn(dependencies, flow, signIn);
  return redirectWithError(
    redirectTargetOf(dependencies, flow),
    "access_denied",
    hasFailed ? "the provider refused the sign-in" : "the end user declined",
  );
}

/** The flow has moved since it was read: the provider answered, or another request came first. */
async function declineAnew(
  dependencies: DeclineFlowNeeds,
  { id, step }: Flow,
): Promise<string | undefined> {
  const current = await findFlow(dependencies, id);
  if (!current || current.phase === "finished" || current.step === step) return undefined;
  return await declineFlow(dependencies, current);
}

import { deleteInBatches } from "../platform/db/index.ts";
import { endUnusedSignIn } from "./end-unused-sign-in.ts";
import { openFlow, type FlowSource } from "./find-flow.ts";
import { flowSecrets, openFlowKey } from "./flow-secrets.ts";
import { deleteOldFlows, emptyExpiredFlows, type StoredFlow } from "./flow-store.ts";
import type { Needs } from "./services.ts";

/**
 * What expired flows hold goes at once, the rest of them when nobody may come back to their page any more. A browser that
 * never came back leaves a sign-in that nobody can finish: it is ended at the provider.
 */
export async function removeExpiredFlows(
  dependencies: FlowSource & Needs<"registry" | "connections" | "logOuts">,
  signal?: AbortSignal,
): Promise<void> {
  await deleteInBatches(async (limit) => {
    const { count, signedIn } = await emptyExpiredFlows(dependencies.pool, limit);
    for (const stored of signedIn) endSignInOf(dependencies, stored);
    return count;
  }, signal);
  await deleteOldFlows(dependencies.pool, signal);
}

function endSignInOf(
  dependencies: FlowSource & Needs<"registry" | "connections" | "logOuts">,
  stored: StoredFlow,
): void {
  const flow = openFlow(dependencies, stored);
  if (!flow) return;
  try {
    const signIn = flowSecrets.signIn.open(openFlowKey(dependencies.keyring, flow), flow);
    if (signIn) endUnusedSignIn(dependencies, flow, signIn);
  } catch (error) {
    // The row is empty, and the others of its batch are ended all the same.
    dependencies.log.error(
      { err: error, flowId: flow.id },
      "an expired sign-in cannot be read: somebody else changed it in the database; its session is not ended",
    );
  }
}

import { beginSignIn } from "./begin-sign-in.ts";
import { isOffered, readAnswer } from "./challenge.ts";
import type { Flow } from "./flow.ts";
import { flowSecrets, openFlowKey } from "./flow-secrets.ts";
import { advanceFlow } from "./flow-store.ts";
import type { Needs } from "./services.ts";

/**
 * Goes on with the sign-in. Ignores an empty answer, and one that is too long. A choice of what was not offered
 * shows the question again.
 */
export async function submitAnswer(
  dependencies: Needs<"pool" | "queue" | "keyring">,
  flow: Flow,
  typed: string,
): Promise<void> {
  const key = openFlowKey(dependencies.keyring, flow);
  const challenge = flowSecrets.challenge.open(key, flow);
  if (!challenge || challenge.kind === "authorize") return;
  if (!isOffered(challenge, typed)) {
    const refusal = { kind: "choice" } as const;
    return void (await advanceFlow(dependencies.pool, flow, { phase: "challenged", refusal }));
  }
  const answer = readAnswer(challenge, typed);
  if (answer === undefined) return;
  await beginSignIn(dependencies, flow, {
    submission: flowSecrets.submission.seal(key, flow, { answer }),
  });
}

import type { Clock } from "../platform/clock.ts";
import type { DataKey, Keyring } from "../platform/crypto/index.ts";
import type { Pool } from "../platform/db/index.ts";
import type { Leased } from "../platform/leases/index.ts";
import type { Log } from "../platform/log.ts";
import type { JobQueue } from "../platform/queue/index.ts";
import { listFormFields, type ProviderRegistry } from "../providers/index.ts";
import { attemptSignIn, type AttemptOutcome } from "./attempt-sign-in.ts";
import type { Connect } from "./connect.ts";
import { enqueueSignIn } from "./enqueue-sign-in.ts";
import type { Flow } from "./flow.ts";
import { flowSecrets, openFlowKey, type Prefill } from "./flow-secrets.ts";
import {
  advanceFlow,
  claimSubmission,
  endLease,
  findFlow,
  notifyFlow,
  postponeSignIn,
  type FlowChange,
} from "./flow-store.ts";
import { interruptSignIn } from "./recover-sign-in.ts";
import type { SignInAttempt, SignInThrottle } from "./sign-in-throttle.ts";

export interface RunSignInDependencies {
  pool: Pool;
  clock: Clock;
  log: Log;
  keyring: Keyring;
  queue: JobQueue;
  registry: ProviderRegistry;
  connect: Connect;
  signInThrottle: SignInThrottle;
}

/**
 * One run of a sign-in. Tries a submission at most once: it is removed from the flow before the provider sees it, and
 * a later run leads back to the form.
 */
export async function runSignIn(
  dependencies: RunSignInDependencies,
  lease: Leased,
  signal: AbortSignal,
): Promise<void> {
  const { pool, clock } = dependencies;
  const flow = await findFlow(pool, lease.id);
  if (flow?.phase !== "running") return await endLease(pool, lease);
  if (flow.expiresAt <= clock.now())
    return void (await advanceFlow(pool, flow, {
      phase: "form",
      submission: null,
      endsLease: true,
    }));
  if (flow.sealed.submission) return await trySubmission(dependencies, lease, flow, signal);
  await interruptSignIn(pool, flow);
  await notifyFlow(pool, flow.id);
}

async function trySubmission(
  dependencies: RunSignInDependencies,
  lease: Leased,
  waiting: Flow,
  signal: AbortSignal,
): Promise<void> {
  const { pool, keyring, queue, signInThrottle } = dependencies;
  const key = openFlowKey(keyring, waiting);
  const prefill = flowSecrets.prefill.open(key, waiting);
  const attempt = identifyAttempt(dependencies, waiting, prefill);
  const admission = attempt ? await signInThrottle.admit(attempt) : "admitted";
  if (admission !== "admitted") {
    await postponeSignIn(pool, lease, admission.retryAt);
    return await enqueueSignIn(queue, waiting, admission.retryAt);
  }
  const flow = await claimSubmission(pool, lease, waiting.step);
  const submission = flow && flowSecrets.submission.open(key, flow);
  if (!submission) {
    if (attempt) await signInThrottle.withdraw(attempt);
    return await endLease(pool, lease);
  }
  const challenge = flowSecrets.challenge.open(key, flow);
  const outcome = await attemptSignIn(dependencies, flow, { submission, challenge, signal });
  // An attempt that was cut off counts as refused.
  if (outcome.refusal?.kind === "interrupted") signal.throwIfAborted();
  if (attempt && outcome.signIn) await signInThrottle.recordSuccess(attempt);
  else if (attempt && !outcome.isRefusedAttempt) await signInThrottle.withdraw(attempt);
  const sealed = sealOutcome(key, flow, outcome, prefill);
  // A flow that the end user has declined meanwhile stays as it is.
  if (!(await advanceFlow(pool, flow, { ...sealed, endsLease: true }))) await endLease(pool, lease);
  await notifyFlow(pool, flow.id);
}

function identifyAttempt(
  { registry, signInThrottle }: RunSignInDependencies,
  { provider, mode }: Flow,
  prefill: Prefill | undefined,
): SignInAttempt | undefined {
  const form = provider ? registry.findMode(provider, mode)?.form : undefined;
  return form && provider && prefill
    ? signInThrottle.identify(provider, listFormFields(form), prefill.formValues, prefill.network)
    : undefined;
}

function sealOutcome(
  key: DataKey,
  { id }: Flow,
  { challenge, signIn, explanation, ...change }: AttemptOutcome,
  prefill: Prefill | undefined,
): FlowChange {
  return {
    ...change,
    challenge: challenge ? flowSecrets.challenge.seal(key, id, challenge) : null,
    ...(prefill &&
      explanation !== undefined && {
        prefill: flowSecrets.prefill.seal(key, id, { ...prefill, explanation }),
      }),
    ...(signIn && { signIn: flowSecrets.signIn.seal(key, id, signIn) }),
  };
}

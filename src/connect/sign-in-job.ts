import type { z } from "zod";
import type { Clock } from "../platform/clock.ts";
import type { DataKey, Keyring } from "../platform/crypto/index.ts";
import type { Pool } from "../platform/db/index.ts";
import type { Log } from "../platform/log.ts";
import type { JobDefinition, JobOutcome } from "../platform/queue/index.ts";
import { listFormFields, type ProviderRegistry } from "../providers/index.ts";
import { attemptSignIn, type AttemptOutcome } from "./attempt-sign-in.ts";
import type { Connect } from "./connect.ts";
import type { Flow } from "./flow.ts";
import { flowSecrets, openFlowKey, type Prefill } from "./flow-secrets.ts";
import {
  advanceFlow,
  claimSubmission,
  findFlow,
  notifyFlow,
  type FlowChange,
} from "./flow-store.ts";
import { signInPayload, signInQueue } from "./sign-in-queue.ts";
import type { SignInAttempt, SignInThrottle } from "./sign-in-throttle.ts";

export interface SignInJobDependencies {
  pool: Pool;
  clock: Clock;
  log: Log;
  keyring: Keyring;
  registry: ProviderRegistry;
  connect: Connect;
  signInThrottle: SignInThrottle;
}

export function signInJob(
  dependencies: SignInJobDependencies,
): JobDefinition<z.output<typeof signInPayload>> {
  return {
    name: signInQueue,
    payload: signInPayload,
    concurrency: 32,
    run: ({ flowId, step }) => runSignIn(dependencies, flowId, Number(step)),
  };
}

/** Tries a submission at most once: it is removed from the flow before the provider sees it. */
async function runSignIn(
  dependencies: SignInJobDependencies,
  flowId: string,
  step: number,
): Promise<JobOutcome> {
  const { pool, clock, keyring, signInThrottle } = dependencies;
  const waiting = await findFlow(pool, flowId);
  if (!waiting || !isWaitingForWorker(waiting, step, clock.now())) return "done";
  const key = openFlowKey(keyring, waiting);
  const prefill = flowSecrets.prefill.open(key, waiting);
  const attempt = identifyAttempt(dependencies, waiting, prefill);
  const admission = attempt ? await signInThrottle.admit(attempt) : "admitted";
  if (admission !== "admitted") return admission;

  const flow = await claimSubmission(pool, flowId, step, clock.now());
  const submission = flow && flowSecrets.submission.open(key, flow);
  if (!submission) {
    if (attempt) await signInThrottle.withdraw(attempt);
    return "done";
  }
  const challenge = flowSecrets.challenge.open(key, flow);
  const outcome = await attemptSignIn(dependencies, flow, submission, challenge);
  if (attempt && outcome.signIn) await signInThrottle.recordSuccess(attempt);
  else if (attempt && !outcome.isRefusedAttempt) await signInThrottle.withdraw(attempt);
  await advanceFlow(pool, flow, sealOutcome(key, flow, outcome, prefill));
  await notifyFlow(pool, flowId);
  return "done";
}

function isWaitingForWorker(flow: Flow, step: number, now: Date): boolean {
  return (
    flow.phase === "running" &&
    flow.step === step &&
    flow.sealed.submission !== null &&
    flow.expiresAt > now
  );
}

function identifyAttempt(
  { registry, signInThrottle }: SignInJobDependencies,
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

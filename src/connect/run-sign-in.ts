import type { DataKey } from "../platform/crypto/index.ts";
import { notify } from "../platform/db/index.ts";
import type { Leased } from "../platform/leases/index.ts";
import { attemptSignIn, type AttemptOutcome } from "./attempt-sign-in.ts";
import { waitSeconds, type Challenge } from "./challenge.ts";
import { endUnusedSignIn } from "./end-unused-sign-in.ts";
import { enqueueSignIn } from "./begin-sign-in.ts";
import type { Flow, Refusal } from "./flow.ts";
import { flowSecrets, openFlowKey, type Prefill } from "./flow-secrets.ts";
import {
  advanceFlow,
  claimSubmission,
  endLease,
  keepWaiting,
  postponeSignIn,
  type FlowChange,
} from "./flow-store.ts";
import { findFlow, type FlowSource } from "./find-flow.ts";
import { interruptSignIn } from "./recover-sign-in.ts";
import {
  tooManyAddresses,
  type Admission,
  type SignInAttempt,
  type SignInThrottle,
} from "./sign-in-throttle.ts";
import type { Needs } from "./services.ts";

export type RunSignInNeeds = FlowSource &
  Needs<
    "registry" | "connections" | "logOuts" | "queue" | "connect" | "signInThrottle" | "metrics"
  >;

/** A flow that cannot be read is looked at again after this: this process may lack a key that another one has. */
const unreadableSeconds = 60;

type WaitChallenge = Extract<Challenge, { kind: "wait" }>;

/** What a run knows of the flow besides its row. */
interface Opened {
  key: DataKey;
  prefill: Prefill | undefined;
}

/**
 * One run of a sign-in. Tries a submission at most once: it is removed from the flow before the provider sees it, and
 * a later run leads back to the form. A provider that waits for an approval is asked again by any number of runs.
 */
export async function runSignIn(
  dependencies: RunSignInNeeds,
  lease: Leased,
  signal: AbortSignal,
): Promise<void> {
  const { pool, keyring } = dependencies;
  const flow = await findFlow(dependencies, lease.id);
  if (!flow) return await postponeSignIn(pool, lease, unreadableSeconds);
  if (flow.phase !== "running" && flow.phase !== "waiting") return await endLease(pool, lease);
  if (flow.isExpired)
    return void (await advanceFlow(pool, flow, {
      phase: "form",
      submission: null,
      endsLease: true,
    }));
  const key = openFlowKey(keyring, flow);
  const opened = { key, prefill: flowSecrets.prefill.open(key, flow) };
  if (flow.phase === "running" && flow.sealed.submission)
    return await trySubmission(dependencies, lease, flow, opened, signal);
  const challenge = flowSecrets.challenge.open(key, flow);
  if (flow.phase === "waiting" && challenge?.kind === "wait")
    return await askAgain(dependencies, lease, flow, { ...opened, challenge }, signal);
  await interruptSignIn(pool, flow);
  await notify(pool, flow.id);
}

async function trySubmission(
  dependencies: RunSignInNeeds,
  lease: Leased,
  waiting: Flow,
  { key, prefill: sent }: Opened,
  signal: AbortSignal,
): Promise<void> {
  const { pool, queue, signInThrottle } = dependencies;
  const admission = await admitAttempt(dependencies, waiting, sent);
  if (admission.kind === "paused") {
    await postponeSignIn(pool, lease, admission.afterSeconds);
    return await enqueueSignIn(queue, waiting, admission.afterSeconds);
  }
  if (admission.kind === "refused")
    return await refuseForNow(dependencies, lease, waiting, { key, ...admission });
  const { prefill } = admission;
  const claimed = await claimSubmission(pool, lease, waiting.step);
  if (!claimed) {
    if (prefill?.attempt) await signInThrottle.withdrawAll(prefill.attempt);
    return await endLease(pool, lease);
  }
  const flow = { ...waiting, sealed: { ...waiting.sealed, submission: claimed } };
  const submission = flowSecrets.submission.open(key, flow);
  if (!submission) throw new Error("the submission that was claimed is gone");
  const challenge = flowSecrets.challenge.open(key, flow);
  const outcome = await attemptSignIn(dependencies, flow, { submission, challenge, signal });
  // An attempt that the end of the process cut off stays counted by the throttle, as if it were refused.
  if (outcome.refusal?.kind === "interrupted") signal.throwIfAborted();
  await settle(dependencies, lease, flow, { key, prefill }, outcome);
}

/** An admitted attempt is a part of the prefill, so that a later run knows where it counts. */
async function admitAttempt(
  { signInThrottle, registry }: RunSignInNeeds,
  flow: Flow,
  prefill: Prefill | undefined,
): Promise<
  | Extract<Admission, { kind: "paused" }>
  | ({ kind: "refused" } & RefusedForNow)
  | { kind: "admitted"; prefill: Prefill | undefined }
> {
  if (!prefill?.attempt) return { kind: "admitted", prefill };
  const { counted: _former, ...attempt } = prefill.attempt;
  const origin = registry.findMode(flow.provider ?? "", flow.mode)?.origin;
  // An answer goes to the system that was found.
  const isProbe = origin?.isProbed === true && !flow.sealed.challenge;
  const admission = await signInThrottle.admit(attempt, flow, { isProbe });
  if (admission.kind === "paused") return admission;
  if (admission.kind === "refused")
    return origin && admission.isOfNetwork
      ? {
          kind: "refused",
          refusal: { kind: "field", field: origin.field },
          prefill: { ...prefill, explanation: tooManyAddresses },
        }
      : { kind: "refused", refusal: { kind: "throttled" } };
  const { counted } = admission;
  return {
    kind: "admitted",
    prefill: { ...prefill, attempt: { ...attempt, ...(counted && { counted }) } },
  };
}

interface RefusedForNow {
  refusal: Refusal;
  /** With the explanation of the refusal. */
  prefill?: Prefill;
}

/** What was typed is deleted and not tried. The form or the question is shown again, and says so. */
async function refuseForNow(
  { pool, metrics }: RunSignInNeeds,
  lease: Leased,
  flow: Flow,
  { key, refusal, prefill }: RefusedForNow & { key: DataKey },
): Promise<void> {
  metrics.countSignIn(flow, "throttled");
  const refused = await advanceFlow(pool, flow, {
    phase: flow.sealed.challenge ? "challenged" : "form",
    refusal,
    ...(prefill && { prefill: flowSecrets.prefill.seal(key, flow, prefill) }),
    submission: null,
    endsLease: true,
  });
  if (!refused) await endLease(pool, lease);
  await notify(pool, flow.id);
}

/** Asks the provider whether the end user has approved. After a failure that does not tell, it is asked again. */
async function askAgain(
  dependencies: RunSignInNeeds,
  lease: Leased,
  flow: Flow,
  opened: Opened & { challenge: WaitChallenge },
  signal: AbortSignal,
): Promise<void> {
  const { challenge } = opened;
  const submission = { answer: "" };
  const outcome = await attemptSignIn(dependencies, flow, { submission, challenge, signal });
  signal.throwIfAborted();
  const next = outcome.challenge;
  const isUnknown = ["unavailable", "interrupted"].includes(outcome.refusal?.kind ?? "");
  if (isUnknown) return await askLater(dependencies, lease, flow, opened.key, challenge);
  if (next?.kind === "wait" && next.prompt === challenge.prompt)
    return await askLater(dependencies, lease, flow, opened.key, next);
  await settle(dependencies, lease, flow, opened, outcome);
}

/** The provider is asked again later, and the page stays as it is. */
async function askLater(
  { pool, queue }: RunSignInNeeds,
  lease: Leased,
  flow: Flow,
  key: DataKey,
  challenge: WaitChallenge,
): Promise<void> {
  const afterSeconds = waitSeconds(challenge);
  const sealed = flowSecrets.challenge.seal(key, flow, challenge);
  const kept = { step: flow.step, challenge: sealed, afterSeconds };
  if (await keepWaiting(pool, lease, kept)) await enqueueSignIn(queue, flow, afterSeconds);
  else await endLease(pool, lease);
}

async function settle(
  dependencies: RunSignInNeeds,
  lease: Leased,
  flow: Flow,
  { key, prefill }: Opened,
  outcome: AttemptOutcome,
): Promise<void> {
  const { pool, queue, signInThrottle, metrics } = dependencies;
  metrics.countSignIn(flow, describeOutcome(outcome));
  const attempt = prefill?.attempt;
  if (attempt && outcome.signIn) await signInThrottle.recordSuccess(attempt);
  else if (attempt) await withdraw(signInThrottle, attempt, outcome);
  const { challenge } = outcome;
  const due = challenge?.kind === "wait" ? { dueInSeconds: waitSeconds(challenge) } : undefined;
  const change = { ...sealOutcome(key, flow, outcome, prefill), ...due };
  // A flow that the end user has declined meanwhile stays as it is.
  if (await advanceFlow(pool, flow, { ...change, endsLease: true })) {
    if (due) await enqueueSignIn(queue, flow, due.dueInSeconds);
  } else {
    await endLease(pool, lease);
    if (outcome.signIn) endUnusedSignIn(dependencies, flow, outcome.signIn);
  }
  await notify(pool, flow.id);
}

async function withdraw(
  throttle: SignInThrottle,
  attempt: SignInAttempt,
  outcome: AttemptOutcome,
): Promise<void> {
  if (!countsAsRefused(outcome)) await throttle.withdraw(attempt);
  if (outcome.found) await throttle.withdrawProbe(attempt);
}

/**
 * An attempt that waits for an approval counts until it is given, so that nobody is asked over and over. One whose
 * answer could not be read counts too, because it may have been a refusal, and so does one at another account than
 * the link is for.
 */
function countsAsRefused({ isRefusedAttempt, phase, refusal }: AttemptOutcome): boolean {
  const counted: Refusal["kind"][] = ["broken", "interrupted", "other-account"];
  const isCounted = refusal ? counted.includes(refusal.kind) : false;
  return isRefusedAttempt === true || phase === "waiting" || isCounted;
}

/** `signed_in`, `question`, `found` for an address, the code of a refusal, or its kind. */
function describeOutcome({ phase, signIn, refusal }: AttemptOutcome): string {
  if (signIn) return "signed_in";
  if (!refusal) return phase === "form" ? "found" : "question";
  return refusal.kind === "refused" ? refusal.code : refusal.kind;
}

function sealOutcome(
  key: DataKey,
  flow: Flow,
  { challenge, signIn, explanation, found, ...change }: AttemptOutcome,
  prefill: Prefill | undefined,
): FlowChange {
  const isTold = explanation !== undefined || found !== undefined || change.phase === "waiting";
  return {
    ...(prefill &&
      isTold && {
        prefill: flowSecrets.prefill.seal(key, flow, {
          ...prefill,
          ...(explanation !== undefined && { explanation }),
          ...(found && { found }),
        }),
      }),
    ...change,
    challenge: challenge ? flowSecrets.challenge.seal(key, flow, challenge) : null,
    ...(signIn && { signIn: flowSecrets.signIn.seal(key, flow, signIn) }),
  };
}

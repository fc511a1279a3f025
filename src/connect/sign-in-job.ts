import { z } from "zod";
import type { SignIn } from "../connections/index.ts";
import { InvalidRequest } from "../errors.ts";
import type { Clock } from "../platform/clock.ts";
import type { Keyring } from "../platform/crypto/index.ts";
import type { Pool } from "../platform/db/index.ts";
import type { Log } from "../platform/log.ts";
import type { JobDefinition, JobOutcome } from "../platform/queue/index.ts";
import {
  isProviderFailure,
  listFormFields,
  type ProviderRegistry,
  type SignInChallenge,
} from "../providers/index.ts";
import type { Connect, SignInRequest } from "./connect.ts";
import {
  flowKeyContext,
  openInFlow,
  sealInFlow,
  type Flow,
  type Prefill,
  type Refusal,
} from "./flow.ts";
import { advanceFlow, findFlow, notifyFlow, takeAnswers, type FlowChange } from "./flow-store.ts";
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

export const signInQueue = "sign-in";

/** So many refusals end a flow: whoever still wants to goes back to the application and starts again. */
const triesPerFlow = 5;
const payload = z.object({ flowId: z.uuid(), step: z.string().regex(/^\d+$/) });

type Answers = Record<string, string>;

export function signInJob(
  dependencies: SignInJobDependencies,
): JobDefinition<z.output<typeof payload>> {
  return {
    name: signInQueue,
    payload,
    concurrency: 32,
    run: ({ flowId, step }) => runSignIn(dependencies, flowId, Number(step)),
  };
}

/** Tries what was typed, once: the answers are taken out of the flow before the provider sees them. */
async function runSignIn(
  dependencies: SignInJobDependencies,
  flowId: string,
  step: number,
): Promise<JobOutcome> {
  const { pool, clock, keyring, signInThrottle } = dependencies;
  const waiting = await findFlow(pool, flowId);
  if (
    !waiting ||
    waiting.phase !== "running" ||
    waiting.step !== step ||
    waiting.expiresAt <= clock.now()
  )
    return "done";
  const key = keyring.openDataKey(waiting.wrappedKey, flowKeyContext(flowId));
  const prefill = openInFlow<Prefill>(key, waiting, "prefill");
  const attempt = waiting.sealed.answers ? findAttempt(dependencies, waiting, prefill) : undefined;
  const retryAt = attempt && (await signInThrottle.admit(attempt));
  if (retryAt) return { retryAt };

  const taken = await takeAnswers(pool, flowId, step, clock.now());
  if (!taken) {
    if (attempt) await signInThrottle.withdraw(attempt);
    return "done";
  }
  const answers = JSON.parse(
    key.open(taken.answers, ["flow", flowId, "answers"]).toString(),
  ) as Answers;
  const challenge = openInFlow<SignInChallenge>(key, taken.flow, "challenge");
  const {
    challenge: nextChallenge,
    signIn,
    explanation,
    ...change
  } = await tryOnce(dependencies, taken.flow, answers, challenge);
  if (attempt && signIn) await signInThrottle.recordSuccess(attempt);
  else if (attempt && !change.isTry) await signInThrottle.withdraw(attempt);
  await advanceFlow(pool, taken.flow, {
    ...change,
    challenge: nextChallenge ? sealInFlow(key, flowId, "challenge", nextChallenge) : null,
    ...(prefill &&
      explanation !== undefined && {
        prefill: sealInFlow(key, flowId, "prefill", { ...prefill, explanation }),
      }),
    ...(signIn && { signIn: sealInFlow(key, flowId, "signIn", signIn) }),
  });
  await notifyFlow(pool, flowId);
  return "done";
}

/** What a try comes to, not sealed yet. */
type Outcome = Omit<FlowChange, "challenge" | "signIn"> & {
  challenge?: SignInChallenge;
  signIn?: SignIn;
  explanation?: string;
};

async function tryOnce(
  { connect, log }: SignInJobDependencies,
  flow: Flow,
  answers: Answers,
  challenge: SignInChallenge | undefined,
): Promise<Outcome> {
  try {
    const request = await describe(connect, flow);
    const step = challenge
      ? await connect.answer(request, challenge, answers["otp"] ?? "")
      : await connect.start(request, answers);
    if (step.kind === "challenge")
      return { phase: "challenged", challenge: step.challenge, claimedAt: null };
    return { phase: "ready", signIn: step.signIn, claimedAt: null };
  } catch (error) {
    const refusal = toRefusal(error);
    log.info(
      {
        flowId: flow.id,
        provider: flow.provider,
        refusal: refusal.kind,
        ...(refusal.kind === "refused" && { reason: refusal.code }),
      },
      "a sign-in was refused",
    );
    if (refusal.kind === "interrupted" || refusal.kind === "broken")
      log.warn({ err: error, flowId: flow.id, provider: flow.provider }, "a sign-in failed");
    const explanation = explanationOf(error);
    return {
      ...afterRefusal(flow, refusal, challenge),
      ...(explanation !== undefined && { explanation }),
    };
  }
}

async function describe(connect: Connect, flow: Flow): Promise<SignInRequest> {
  if (flow.tokenId) return await connect.findReauthentication(flow.tokenId);
  return { provider: flow.provider ?? "", mode: flow.mode, scopes: flow.scopes };
}

/** A wrong code can be typed again; anything else begins at the form. */
function afterRefusal(
  { tries }: Flow,
  refusal: Refusal,
  challenge: SignInChallenge | undefined,
): Outcome {
  const isTry = refusal.kind === "refused";
  if (isTry && tries + 1 >= triesPerFlow)
    return { phase: "failed", refusal, isTry, claimedAt: null, prefill: null };
  const isWrongCode = refusal.kind === "refused" && refusal.code === "incorrect_mfa_or_otp";
  if (challenge && isWrongCode)
    return { phase: "challenged", challenge, refusal, isTry, claimedAt: null };
  return { phase: "form", refusal, isTry, claimedAt: null };
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof InvalidRequest) return { kind: "field", field: "" };
  if (!isProviderFailure(error)) return { kind: "interrupted" };
  switch (error.kind) {
    case "auth":
      return { kind: "refused", code: error.code };
    case "field":
      return { kind: "field", field: error.field };
    case "down":
    case "rate-limited":
      return { kind: "unavailable" };
    case "not-supported":
      return { kind: "unsupported" };
    case "bug":
      return { kind: "broken" };
  }
}

function explanationOf(error: unknown): string | undefined {
  if (error instanceof InvalidRequest) return error.validationError;
  return isProviderFailure(error) && error.kind === "field" ? error.explanation : undefined;
}

function findAttempt(
  { registry, signInThrottle }: SignInJobDependencies,
  { provider, mode }: Flow,
  prefill: Prefill | undefined,
): SignInAttempt | undefined {
  const form = provider ? registry.findMode(provider, mode)?.form : undefined;
  return form && provider && prefill
    ? signInThrottle.identify(provider, listFormFields(form), prefill.fields, prefill.network)
    : undefined;
}

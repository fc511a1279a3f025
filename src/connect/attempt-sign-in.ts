import type { SignIn } from "../connections/index.ts";
import { InvalidRequest } from "../model/index.ts";
import type { Log } from "../platform/log.ts";
import { describeError } from "../platform/describe-error.ts";
import { isProviderFailure, type FoundSystem } from "../providers/index.ts";
import { OtherAccount } from "./account-of-sign-in.ts";
import type { Challenge } from "./challenge.ts";
import type { PendingAuthorization } from "./pending-authorization.ts";
import type { Connect, SignInRequest, SignInStep } from "./connect.ts";
import type { Flow, Refusal } from "./flow.ts";
import type { Submission } from "./flow-secrets.ts";
import type { FlowChange } from "./flow-store.ts";
import type { Needs } from "./services.ts";

/** The change of the flow after an attempt, before its values are sealed. */
export type AttemptOutcome = Omit<FlowChange, "challenge" | "signIn"> & {
  challenge?: Challenge;
  signIn?: SignIn;
  explanation?: string;
  /** What is at the address that was typed. */
  found?: FoundSystem;
};

interface GivenToAttempt {
  submission: Submission;
  challenge: Challenge | PendingAuthorization | undefined;
  /** Ends the attempt. */
  signal: AbortSignal;
}

/** This many refused attempts end a flow. The end user can start again from the application. */
const maxRefusedAttempts = 5;

export async function attemptSignIn(
  { connect, log }: Needs<"connect" | "log">,
  flow: Flow,
  given: GivenToAttempt,
): Promise<AttemptOutcome> {
  let found: FoundSystem | undefined;
  const outcome = await makeAttempt({ connect, log }, flow, {
    ...given,
    onFound: (system) => (found = system),
  });
  return { ...outcome, ...(found && { found }) };
}

type Attempt = GivenToAttempt & { onFound: (found: FoundSystem) => void };

async function makeAttempt(
  { connect, log }: Needs<"connect" | "log">,
  flow: Flow,
  given: Attempt,
): Promise<AttemptOutcome> {
  try {
    if ("typedAddress" in given.submission) return await lookAtAddress(connect, flow, given);
    const step = await signIn(connect, flow, given);
    if (step.kind === "signed-in") return { phase: "ready", signIn: step.signIn };
    const { challenge } = step;
    return { phase: challenge.kind === "wait" ? "waiting" : "challenged", challenge };
  } catch (error) {
    const refusal = toRefusal(error, given.challenge);
    logRefusal(log, flow, refusal, error, given.challenge);
    const explanation = findExplanation(error);
    return {
      ...afterRefusal(flow, refusal, given.challenge),
      ...(explanation !== undefined && { explanation }),
    };
  }
}

/** Nothing is signed in to: the form asks for the rest next. */
async function lookAtAddress(
  connect: Connect,
  { clientId, provider, mode }: Flow,
  { submission, signal, onFound }: Attempt,
): Promise<AttemptOutcome> {
  if (!("typedAddress" in submission)) throw new Error("no address was sent");
  const place = { clientId: clientId || undefined, provider: provider ?? "", mode };
  onFound(await connect.lookAt(place, submission.typedAddress, signal));
  return { phase: "form", refusal: null };
}

async function signIn(
  connect: Connect,
  flow: Flow,
  { submission, challenge, signal, onFound }: Attempt,
): Promise<SignInStep> {
  const request: SignInRequest = flow.tokenId
    ? await connect.findReauthentication(flow.tokenId, flow)
    : {
        clientId: flow.clientId || undefined,
        provider: flow.provider ?? "",
        mode: flow.mode,
        scopes: flow.scopes,
      };
  if ("formValues" in submission)
    return await connect.start(request, submission.formValues, { signal, onFound });
  if (!challenge || !("answer" in submission))
    throw new Error("the flow has no challenge for this answer");
  if (challenge.kind === "authorize")
    return await connect.authorize(request, challenge, submission.answer, signal);
  return await connect.answer(request, challenge, submission.answer, signal);
}

/** After a wrong answer the end user can give another one. After anything else the form is shown again. */
function afterRefusal(
  { refusedAttempts }: Flow,
  refusal: Refusal,
  challenge: GivenToAttempt["challenge"],
): AttemptOutcome {
  const isRefusedAttempt = refusal.kind === "refused" || refusal.kind === "unapproved";
  const outcome = { refusal, isRefusedAttempt };
  if (isRefusedAttempt && refusedAttempts + 1 >= maxRefusedAttempts)
    return { ...outcome, phase: "failed", prefill: null };
  if (challenge && challenge.kind !== "authorize" && isWrongAnswer(refusal))
    return { ...outcome, phase: "challenged", challenge };
  return { ...outcome, phase: "form" };
}

function isWrongAnswer(refusal: Refusal): boolean {
  return refusal.kind === "refused" && refusal.code === "incorrect_mfa_or_otp";
}

function toRefusal(error: unknown, challenge: GivenToAttempt["challenge"]): Refusal {
  const refusal = refusalOf(error);
  return challenge?.kind === "wait" && isWrongAnswer(refusal) ? { kind: "unapproved" } : refusal;
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof OtherAccount) return { kind: "other-account" };
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

function findExplanation(error: unknown): string | undefined {
  if (error instanceof InvalidRequest) return error.validationError;
  return isProviderFailure(error) && error.kind === "field" ? error.explanation : undefined;
}

function logRefusal(
  log: Log,
  flow: Flow,
  refusal: Refusal,
  error: unknown,
  challenge: GivenToAttempt["challenge"],
): void {
  const ids = { flowId: flow.id, provider: flow.provider };
  const reason = refusal.kind === "refused" ? { reason: refusal.code } : {};
  log.info(
    { ...ids, refusal: refusal.kind, ...reason, ...nameCause(error) },
    "a sign-in was refused",
  );
  if (refusal.kind === "interrupted" && challenge?.kind === "wait")
    log.warn({ err: error, ...ids }, "a sign-in was cut off; the provider is asked again");
  else if (refusal.kind === "interrupted" || refusal.kind === "broken")
    log.warn({ err: error, ...ids }, "a sign-in failed; its form is shown again");
}

/** What a request failed of: the class of its error and its code, and nothing that somebody has typed. */
function nameCause(error: unknown): { cause?: string } {
  if (!(error instanceof Error) || !(error.cause instanceof Error)) return {};
  const { type, reason } = describeError(error.cause);
  return { cause: reason === undefined ? type : `${type} ${reason}` };
}

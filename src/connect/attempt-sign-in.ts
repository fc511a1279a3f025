import type { SignIn } from "../connections/index.ts";
import { InvalidRequest } from "../errors.ts";
import type { Log } from "../platform/log.ts";
import { isProviderFailure, type SignInChallenge } from "../providers/index.ts";
import type { Connect, SignInRequest, SignInStep } from "./connect.ts";
import type { Flow, Refusal } from "./flow.ts";
import type { Submission } from "./flow-secrets.ts";
import type { FlowChange } from "./flow-store.ts";

/** How the flow goes on after an attempt. What is to be sealed is still open. */
export type AttemptOutcome = Omit<FlowChange, "challenge" | "signIn"> & {
  challenge?: SignInChallenge;
  signIn?: SignIn;
  explanation?: string;
};

interface GivenToAttempt {
  submission: Submission;
  challenge: SignInChallenge | undefined;
  /** Ends the attempt. */
  signal: AbortSignal;
}

/** This many refused attempts end a flow. The end user can start again from the application. */
const maxRefusedAttempts = 5;

export async function attemptSignIn(
  { connect, log }: { connect: Connect; log: Log },
  flow: Flow,
  given: GivenToAttempt,
): Promise<AttemptOutcome> {
  try {
    const step = await signIn(connect, flow, given);
    if (step.kind === "challenge") return { phase: "challenged", challenge: step.challenge };
    return { phase: "ready", signIn: step.signIn };
  } catch (error) {
    const refusal = toRefusal(error);
    logRefusal(log, flow, refusal, error);
    const explanation = findExplanation(error);
    return {
      ...afterRefusal(flow, refusal, given.challenge),
      ...(explanation !== undefined && { explanation }),
    };
  }
}

async function signIn(
  connect: Connect,
  flow: Flow,
  { submission, challenge, signal }: GivenToAttempt,
): Promise<SignInStep> {
  const request: SignInRequest = flow.tokenId
    ? await connect.findReauthentication(flow.tokenId)
    : { provider: flow.provider ?? "", mode: flow.mode, scopes: flow.scopes };
  if ("formValues" in submission)
    return await connect.start(request, submission.formValues, signal);
  if (!challenge) throw new Error("the flow has no challenge for this code");
  return await connect.answer(request, challenge, submission.otp, signal);
}

/** After a wrong code the end user can type another one. After anything else the form is shown again. */
function afterRefusal(
  { refusedAttempts }: Flow,
  refusal: Refusal,
  challenge: SignInChallenge | undefined,
): AttemptOutcome {
  const isRefusedAttempt = refusal.kind === "refused";
  const outcome = { refusal, isRefusedAttempt };
  if (isRefusedAttempt && refusedAttempts + 1 >= maxRefusedAttempts)
    return { ...outcome, phase: "failed", prefill: null };
  const isWrongOtp = refusal.kind === "refused" && refusal.code === "incorrect_mfa_or_otp";
  if (challenge && isWrongOtp) return { ...outcome, phase: "challenged", challenge };
  return { ...outcome, phase: "form" };
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

function findExplanation(error: unknown): string | undefined {
  if (error instanceof InvalidRequest) return error.validationError;
  return isProviderFailure(error) && error.kind === "field" ? error.explanation : undefined;
}

function logRefusal(log: Log, flow: Flow, refusal: Refusal, error: unknown): void {
  const ids = { flowId: flow.id, provider: flow.provider };
  const reason = refusal.kind === "refused" ? { reason: refusal.code } : {};
  log.info({ ...ids, refusal: refusal.kind, ...reason }, "a sign-in was refused");
  if (refusal.kind === "interrupted" || refusal.kind === "broken")
    log.warn({ err: error, ...ids }, "a sign-in failed; its form is shown again");
}

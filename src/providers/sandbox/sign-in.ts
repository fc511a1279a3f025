import type { Identity } from "../../model/index.ts";
import type {
  CheckResult,
  FormValues,
  ProviderContext,
  ProviderMode,
  Session,
  SignInChallenge,
  SignInContext,
  SignInResult,
} from "../contract.ts";
import { AuthError, ProviderDown } from "../errors.ts";
import { corePeople } from "./core-people.ts";
import { mailDomain } from "./organisation.ts";
import { displayNameOf } from "./person.ts";
import { personalDetailsOf } from "./personal-details.ts";
import { readSession, startSession, type SandboxRights } from "./session.ts";
import { scenarios, type Scenario } from "./scenarios.ts";

/** The part that both modes share. The user name selects the scenario; any secret is accepted. */
export const signIn = { login, resume, check, identity } satisfies Partial<ProviderMode>;

const rightOtp = "123456";
/** An approval elsewhere is there when the host asks for the second time. */
const approvedAfter = 2;

async function login(
  { previousSession, clock, signal }: SignInContext,
  formValues: FormValues,
): Promise<SignInResult> {
  const user = formValues["username"] ?? "";
  const scenario = scenarios.get(user);
  if (!scenario) throw new AuthError("incorrect_username_or_password");
  if (scenario.signInRefusal) throw new AuthError(scenario.signInRefusal);
  if (scenario.signInMs) await clock.sleep(scenario.signInMs, signal);
  if (scenario.isAway) throw new ProviderDown("the simulated system is away");
  const session = startSession(user, previousSession);
  return scenario.question ? { challenge: challengeOf(scenario.question, session) } : { session };
}

async function resume(
  _context: SignInContext,
  state: Session,
  answer: string,
): Promise<SignInResult> {
  const { asked = 0, ...session } = state as Session & { asked?: number };
  const { question } = scenarioOf(state);
  if (question === "otp" && answer.trim() !== rightOtp) throw new AuthError("incorrect_mfa_or_otp");
  if (question === "wait" && asked + 1 < approvedAfter)
    return { challenge: challengeOf(question, { ...session, asked: asked + 1 }) };
  return { session };
}

function challengeOf(question: NonNullable<Scenario["question"]>, state: Session): SignInChallenge {
  switch (question) {
    case "otp":
      return { kind: "otp", prompt: "Six-digit code from your authenticator app", state };
    case "wait":
      return { kind: "wait", prompt: "Approve the sign-in in your app", state, everySeconds: 2 };
    case "choose":
      return {
        kind: "choose",
        prompt: "Which company do you want to connect?",
        state,
        options: [
          { value: "larkfield", title: "Larkfield Instruments GmbH" },
          { value: "larkfield-services", title: "Larkfield Services GmbH" },
        ],
      };
  }
}

/** The answer that leads on, for a sign-in without a person. */
export function answerSandbox(challenge: SignInChallenge): string {
  switch (challenge.kind) {
    case "otp":
      return rightOtp;
    case "choose":
      return challenge.options[0]?.value ?? "";
    case "text":
    case "wait":
      return "";
  }
}

async function check(_context: ProviderContext, session: Session): Promise<CheckResult> {
  const { failure } = readSession(session);
  if (failure) throw new AuthError(failure);
  const { limited, forbidden } = rightsOf(session);
  return {
    unsupported: scenarioOf(session).unsupported,
    forbidden,
    limited: { employees: limited },
  };
}

/** The account belongs to the head of the people department. */
async function identity(_context: ProviderContext, session: Session): Promise<Identity> {
  const owner = corePeople.find(
    ({ role, department }) => role === "head" && department === "people",
  );
  if (!owner) throw new Error("the people department has no head");
  return {
    name: displayNameOf(owner),
    email: `${owner.mailbox}@${mailDomain}`,
    phone_number: scenarioOf(session).hasRequiredFieldsOnly
      ? null
      : personalDetailsOf(owner).mobile_phone_number,
  };
}

/** A session whose user name is unknown is no longer valid. */
export function scenarioOf(session: Session): Scenario {
  const scenario = scenarios.get(readSession(session).user);
  if (!scenario) throw new AuthError("reauthentication_required");
  return scenario;
}

/** What was set counts before the scenario. */
export function rightsOf(session: Session): SandboxRights {
  const none = { limited: [], forbidden: [] };
  return readSession(session).rights ?? scenarioOf(session).rights ?? none;
}

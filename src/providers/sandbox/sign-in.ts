import type { Identity } from "../../model/index.ts";
import type {
  CheckResult,
  FormValues,
  ProviderContext,
  ProviderMode,
  Session,
  SignInContext,
  SignInResult,
} from "../contract.ts";
import { AuthError } from "../errors.ts";
import { corePeople } from "./core-people.ts";
import { mailDomain } from "./organisation.ts";
import { displayNameOf } from "./person.ts";
import { personalDetailsOf } from "./personal-details.ts";
import { readSession, startSession } from "./session.ts";
import { scenarios, type Scenario } from "./scenarios.ts";

/** The part of a mode that is the same in both: whatever the secret, the name selects the scenario. */
export const signIn = { login, resume, check, identity } satisfies Partial<ProviderMode>;

async function login(
  { previousSession }: SignInContext,
  formValues: FormValues,
): Promise<SignInResult> {
  const user = formValues["username"] ?? "";
  const scenario = scenarios.get(user);
  if (!scenario) throw new AuthError("incorrect_username_or_password");
  if (scenario.signInRefusal) throw new AuthError(scenario.signInRefusal);
  const session = startSession(user, previousSession);
  if (scenario.otp === undefined) return { session };
  return {
    challenge: {
      kind: "otp",
      prompt: "Six-digit code from your authenticator app",
      state: session,
    },
  };
}

async function resume(_context: SignInContext, state: Session, otp: string): Promise<SignInResult> {
  if (otp.trim() !== scenarioOf(state).otp) throw new AuthError("incorrect_mfa_or_otp");
  return { session: state };
}

async function check(_context: ProviderContext, session: Session): Promise<CheckResult> {
  const { failure } = readSession(session);
  if (failure) throw new AuthError(failure);
  return { unsupported: scenarioOf(session).unsupported };
}

/** The head of the people department runs the account. */
async function identity(_context: ProviderContext, session: Session): Promise<Identity> {
  const owner = corePeople.find(
    ({ role, department }) => role === "head" && department === "people",
  );
  if (!owner) throw new Error("nobody runs the account");
  return {
    name: displayNameOf(owner),
    email: `${owner.mailbox}@${mailDomain}`,
    phone_number: scenarioOf(session).hasRequiredFieldsOnly
      ? null
      : personalDetailsOf(owner).mobile_phone_number,
  };
}

/** A session whose name is in no table is not worth anything any more. */
export function scenarioOf(session: Session): Scenario {
  const scenario = scenarios.get(readSession(session).user);
  if (!scenario) throw new AuthError("reauthentication_required");
  return scenario;
}

import { z } from "zod";
import type { FormValues, Session, SignInContext, SignInResult } from "../contract.ts";
import { AuthError, FieldError, ProviderBug } from "../errors.ts";
import { formField } from "../form-field.ts";
import { explanations } from "./explanations.ts";
import { StaffologyClient } from "./staffology-client.ts";
import { parseSession, type StaffologySession } from "./staffology-session.ts";
import { flag, type Stub } from "./wire-values.ts";

export const signInForm = z.object({
  key: formField({
    title: "API key",
    help: "Make one in the account settings of Staffology. It can do what its user can, so take a user who may only look.",
    isSecret: true,
    autocomplete: "off",
  }),
});

const account = z.object({ id: z.string().min(1), disabled: flag, loginDisabled: flag });
const challengeState = z.strictObject({ key: z.string(), userId: z.string() });
/** Archived employers, and those that are seen for support, are in other lists. */
const employerLists = ["Owned", "FromOthers"] as const;
const employersOnPage = 100;

export async function logIn(context: SignInContext, formValues: FormValues): Promise<SignInResult> {
  const key = (formValues["key"] ?? "").trim();
  const client = new StaffologyClient(context, key);
  const { data } = account.safeParse(await client.get("/account"));
  if (!data) throw new ProviderBug("Staffology's account has no id");
  if (data.disabled || data.loginDisabled) throw new AuthError("additional_account_setup_required");
  const employers = await listEmployers(client);
  const [first] = employers;
  if (!first) throw new FieldError("key", explanations.noEmployer);
  const state = { key, userId: data.id };
  const { previousSession } = context;
  if (previousSession) return signInAgain(state, employers, parseSession(previousSession));
  if (employers.length === 1) return signedIn({ ...state, employerId: first.id });
  return {
    challenge: {
      kind: "choose",
      prompt: "Which employer do you want to connect?",
      options: employers.map(({ id, name }) => ({ value: id, title: name ?? id })),
      state,
    },
  };
}

/** The answer is one of the employers that the key reaches, or else wrong. */
export async function chooseEmployer(
  context: SignInContext,
  state: Session,
  answer: string,
): Promise<SignInResult> {
  const { key, userId } = challengeState.parse(state);
  const employers = await listEmployers(new StaffologyClient(context, key));
  const chosen = employers.find(({ id }) => id === answer);
  if (!chosen) throw new AuthError("incorrect_mfa_or_otp");
  return signedIn({ key, userId, employerId: chosen.id });
}

/** A connection stays with its employer. */
function signInAgain(
  state: z.output<typeof challengeState>,
  employers: readonly Stub[],
  { employerId }: StaffologySession,
): SignInResult {
  if (!employers.some(({ id }) => id === employerId))
    throw new FieldError("key", explanations.otherEmployer);
  return signedIn({ ...state, employerId });
}

async function listEmployers(client: StaffologyClient): Promise<Stub[]> {
  const found = new Map<string, Stub>();
  for (const employerListType of employerLists) {
    const pages = client.pages({
      path: "/employers",
      query: { employerListType },
      pageSize: employersOnPage,
    });
    for await (const { stubs } of pages) for (const one of stubs) found.set(one.id, one);
  }
  return [...found.values()];
}

function signedIn(session: StaffologySession): SignInResult {
  return { session };
}

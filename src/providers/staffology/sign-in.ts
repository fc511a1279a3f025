import { z } from "zod";
import type { FormValues, Session, SignInContext, SignInResult } from "../contract.ts";
import { AuthError, FieldError, ProviderBug } from "../errors.ts";
import { formField } from "../form-field.ts";
import { explanations } from "./explanations.ts";
import type { RestClient } from "../kit/rest.ts";
import { api, byPage, parseStubs } from "./staffology-client.ts";
import { flag, type Stub } from "./wire-values.ts";

export const signInForm = z.object({
  key: formField({
    title: "API key",
    help: "Make one in the account settings of Staffology. It can do what its user can, so take a user who may only look.",
    isSecret: true,
    autocomplete: "off",
  }),
});

type StaffologySession = ReturnType<typeof api.parse>;

const account = z.object({ id: z.string().min(1), disabled: flag, loginDisabled: flag });
const challengeState = z.strictObject({ key: z.string(), userId: z.string() });
/** Archived employers, and those that are seen for support, are in other lists. */
const employerLists = ["Owned", "FromOthers"] as const;
const employersOnPage = 100;

export async function logIn(context: SignInContext, formValues: FormValues): Promise<SignInResult> {
  const key = (formValues["key"] ?? "").trim();
  const client = openForKey(context, key);
  const { data } = account.safeParse(await client.get("/account"));
  if (!data) throw new ProviderBug("Staffology's account has no id");
  if (data.disabled || data.loginDisabled) throw new AuthError("additional_account_setup_required");
  const employers = await listEmployers(client);
  const [first] = employers;
  if (!first) throw new FieldError("key", explanations.noEmployer);
  const state = { key, userId: data.id };
  const { previousSession } = context;
  if (previousSession) return signInAgain(state, employers, api.parse(previousSession));
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
  const employers = await listEmployers(openForKey(context, key));
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

function openForKey(context: SignInContext, key: string): RestClient {
  return api.atSignIn(context, { key, userId: "", employerId: "" });
}

async function listEmployers(client: RestClient): Promise<Stub[]> {
  const found = new Map<string, Stub>();
  for (const employerListType of employerLists) {
    const employers = await client.all({
      path: "/employers",
      query: { employerListType },
      paging: byPage(employersOnPage),
      items: parseStubs,
    });
    for (const one of employers as Stub[]) found.set(one.id, one);
  }
  return [...found.values()];
}

function signedIn(session: StaffologySession): SignInResult {
  return { session };
}

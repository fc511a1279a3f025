import type { FormValues, ProviderMode, Session, SignInResult } from "../contract.ts";
import { AuthError, FieldError } from "../errors.ts";
import type { Rest, RestClient } from "./rest.ts";

/** How people sign in who type a key that each request is made with. */
export interface KeySignIn<Form extends Session> {
  api: Rest<Form>;
  form: ProviderMode["form"];
  /** The session of what was typed, before anything was asked. */
  begin: (typed: FormValues) => Form;
  /** Asks with the key, and gives the session with what the answers say. Throws what is wrong with the key. */
  prove: (client: RestClient, begun: Form) => Promise<Form>;
  /** What a connection stays with, such as one company. */
  company: KeyCompany<Form>;
}

interface KeyCompany<Form> {
  /** Empty as long as it is not known. */
  of: (session: Form) => string;
  /** The field of the form at which somebody who signs in again to another one reads `other`. */
  field: string;
  other: string;
  /** For keys that reach several: the person chooses one. */
  choice?: CompanyChoice<Form>;
}

interface CompanyChoice<Form> {
  prompt: string;
  /** Those that the key reaches, by their ids, which are those that `of` gives. */
  list: (client: RestClient, session: Form) => Promise<ReadonlyMap<string, { title: string }>>;
  take: (session: Form, id: string) => Form;
  /** What is read by somebody whose key reaches none. */
  none: string;
}

/** What a mode has for it. */
export function signInByKey<Form extends Session>({
  api,
  form,
  begin,
  prove,
  company,
}: KeySignIn<Form>): Pick<ProviderMode, "keepsSecret" | "form" | "login" | "resume"> {
  const { choice } = company;
  const requireSame = (isSame: boolean): void => {
    if (!isSame) throw new FieldError(company.field, company.other);
  };
  return {
    keepsSecret: true,
    form,
    login: async (context, typed) => {
      const begun = begin(typed);
      const { previousSession } = context;
      const before = previousSession ? company.of(api.parse(previousSession)) : undefined;
      const mayBe = (id: string): boolean => before === undefined || before === id;
      // Another company is shown no key.
      requireSame(company.of(begun) === "" || mayBe(company.of(begun)));
      const client = api.atSignIn(context, begun);
      const session = await prove(client, begun);
      if (!choice) {
        requireSame(mayBe(company.of(session)));
        return { session };
      }
      const reached = await choice.list(client, session);
      if (reached.size === 0) throw new FieldError(company.field, choice.none);
      requireSame([...reached.keys()].some(mayBe));
      return takeOrAsk(choice, session, reached, before);
    },
    ...(choice && {
      resume: async (context, state, answer) => {
        const session = api.parse(state);
        const reached = await choice.list(api.atSignIn(context, session), session);
        if (!reached.has(answer)) throw new AuthError("incorrect_mfa_or_otp");
        return { session: choice.take(session, answer) };
      },
    }),
  };
}

/** The one that was connected before or is the only one is not asked for. */
export function takeOrAsk<Form extends Session>(
  { prompt, take }: Pick<CompanyChoice<Form>, "prompt" | "take">,
  session: Form,
  reached: ReadonlyMap<string, { title: string }>,
  before: string | undefined,
): SignInResult {
  const [first, ...others] = reached.keys();
  const id = before ?? (others.length === 0 ? first : undefined);
  if (id !== undefined) return { session: take(session, id) };
  const options = [...reached].map(([value, { title }]) => ({ value, title }));
  return { challenge: { kind: "choose", prompt, options, state: session } };
}

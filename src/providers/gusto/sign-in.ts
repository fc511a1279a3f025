import { z } from "zod";
import type {
  CheckContext,
  CheckResult,
  LogOutContext,
  ProviderContext,
  ProviderMode,
  Session,
  SignInContext,
  SignInResult,
} from "../contract.ts";
import { FieldError } from "../errors.ts";
import { oauth2 } from "../kit/oauth2.ts";
import { text } from "../kit/readers.ts";
import { findRights, whereReadable } from "../kit/rights.ts";
import { defineSource } from "../kit/source.ts";
import type { Resource } from "../../model/index.ts";
import { api, listOf, openCompanyAtSignIn, origin } from "./gusto-client.ts";
import { approvalRecipe } from "./recipes.ts";

/** What a person reads when the sign-in cannot go on. */
const explanations = {
  none: "No company was approved. Please continue to Gusto again and choose the one to connect.",
  another:
    "This is another company than the one that is connected. Please choose the same one at Gusto.",
  noRight:
    "Nothing of this company may be read. Please approve as its primary administrator, or as one with full access.",
};

const approval = oauth2({
  authorizationUrl: `${origin}/oauth/authorize`,
  tokenUrl: `${origin}/oauth/token`,
  authentication: "json",
  // An application has those that Gusto has reviewed it for, and asks for none.
  scopes: { always: [] },
  lifetimeSeconds: 7_200,
});

const tokenInfo = defineSource({
  scope: text,
  resource: { type: text, uuid: text },
  resource_owner: { uuid: text },
});
const admin = defineSource({
  uuid: text,
  first_name: text,
  last_name: text,
  email: text,
  phone: text,
});
const named = defineSource({ name: text });

type Query = Readonly<Record<string, string | number>>;
/** One record of each shows whether it may be read. Contractors are employees of ours. */
const one = { page: 1, per: 1 };
/** Of a list without pages: of a single day there are few. */
const ofDay = { start_date: "2020-01-01", end_date: "2020-01-01" };
const probes: readonly [path: string, query: Query, ...resources: Resource[]][] = [
  ["", {}, "company"],
  ["/employees", one, "employees"],
  ["/contractors", one, "employees"],
  ["/departments", {}, "groups"],
  ["/locations", one, "work-locations"],
  ["/payrolls", one, "payruns", "payslips"],
  ["/time_tracking/time_sheets", one, "timesheets"],
  ["/time_off_requests", ofDay, "time-off-entries"],
  ["/time_off_policies", {}, "time-off-balances"],
];

/** The same in both modes. The person types nothing: Gusto's page asks for a company and the approval. */
export const signIn: Omit<ProviderMode, "resources"> = {
  ...approval.mode,
  form: z.object({}),
  recipe: approvalRecipe,
  login,
  accountOfSession: (session) => {
    const { company, owner } = api.parse(session);
    return [company, owner];
  },
  logOut,
  check,
  identity,
};

/** The tokens open one company, which the person has chosen on Gusto's page. A connection stays with it. */
async function login(context: SignInContext): Promise<SignInResult> {
  const { session } = await approval.exchange(context, { company: "", owner: "", scopes: [] });
  const told = await api.with(context, session).get("/v1/token_info");
  const company = tokenInfo.read(told, "resource.uuid");
  if (company === null || tokenInfo.read(told, "resource.type") !== "Company")
    throw new FieldError("company", explanations.none);
  const before = context.previousSession && api.parse(context.previousSession).company;
  if (before !== undefined && before !== company)
    throw new FieldError("company", explanations.another);
  const owner = tokenInfo.read(told, "resource_owner.uuid") ?? "";
  const scopes = tokenInfo.read(told, "scope")?.split(" ") ?? [];
  return { session: { ...session, company, owner, scopes } };
}

/** With the token, nothing of the approval works any more. Two approvals may have been given the same one. */
async function logOut(context: LogOutContext, session: Session): Promise<void> {
  if (context.isAccountInUse) return;
  const fresh = await approval.makeFresh(context, api.parse(session));
  const { clientId = "", clientSecret = "" } = context.application ?? {};
  await api.with(context, fresh).post("/oauth/revoke", {
    json: { client_id: clientId, client_secret: clientSecret, token: fresh.accessToken },
  });
}

async function check(context: CheckContext, session: Session): Promise<CheckResult> {
  const { client, path } = openCompanyAtSignIn(context, session);
  const asked = probes.map(([part, query, ...resources]) => ({
    resources,
    ask: () => client.get(path + part, { query }),
  }));
  return await findRights(context, asked, {
    ofNothing: () => new FieldError("company", explanations.noRight),
  });
}

/** Of the administrator who approved, where Gusto tells; else of the company. */
async function identity(context: ProviderContext, session: Session) {
  const { client, path } = openCompanyAtSignIn(context, session);
  const { owner } = api.parse(session);
  const admins = await whereReadable(() => client.all(listOf(`${path}/admins`)));
  const own = admins?.find((found) => admin.read(found, "uuid") === owner);
  if (!own) {
    const found = await whereReadable(() => client.get(path));
    return { name: named.read(found, "name") ?? "", email: "", phone_number: null };
  }
  const { first_name: first, last_name: last, email, phone } = admin.parts(own);
  const name = [first, last].filter(Boolean).join(" ");
  return { name, email: email ?? "", phone_number: phone };
}

import { z } from "zod";
import type { Identity, Resource } from "../../model/index.ts";
import { utcDay } from "../../platform/clock.ts";
import type {
  CheckContext,
  CheckResult,
  LogOutContext,
  ProviderContext,
  ProviderMode,
  Session,
} from "../contract.ts";
import { FieldError, ProviderBug } from "../errors.ts";
import { formField } from "../form-field.ts";
import { signInByKey } from "../kit/key-sign-in.ts";
import { oauth2 } from "../kit/oauth2.ts";
import { text } from "../kit/readers.ts";
import type { RestClient } from "../kit/rest.ts";
import { findRights } from "../kit/rights.ts";
import { defineSource } from "../kit/source.ts";
import { email } from "../kit/text-readers.ts";
import { api, id, origin, readCredential, type FactorialSession } from "./client.ts";
import { entities, places, teams } from "./organisation.ts";
import { payrollRuns } from "./payruns.ts";
import { people } from "./people.ts";
import { approvalRecipe, keyRecipe } from "./recipes.ts";
import { leavesOf, stats } from "./time-off.ts";
import { shiftsOf } from "./timesheets.ts";

/** What somebody reads whose access is not the one that is needed. */
const explanations = {
  other:
    "This is another company than the one that is connected. Please use the same one as before.",
  person:
    "This access shows only what one person may see. Please sign in to Factorial as an administrator and approve it for the company.",
};

const credential = defineSource({
  company_id: id,
  employee_id: id,
  role: text,
  full_name: text,
  login_email: email,
  name: text,
  legal_name: text,
});

/** What both ways to sign in have. A company has one account, and a person of it another one. */
const known = {
  check,
  identity,
  accountOfSession: (session: Session) => {
    const { company, person } = api.parse(session);
    return [company, person];
  },
};

export const withKey: Omit<ProviderMode, "resources"> = {
  ...signInByKey<FactorialSession>({
    api,
    form: z.object({
      key: formField({
        title: "API key",
        help: "An administrator makes it in Factorial. It opens everything in the company, and never ends by itself.",
        isSecret: true,
        autocomplete: "off",
      }),
    }),
    begin: ({ key = "" }) => ({ key: key.trim(), company: "", person: "" }),
    // A key belongs to the company, whoever has made it.
    prove: async (client, begun) => ({ ...begun, company: (await findOwner(client)).company }),
    company: { of: ({ company }) => company, field: "key", other: explanations.other },
  }),
  ...known,
  recipe: keyRecipe,
};

const approval = oauth2({
  authorizationUrl: `${origin}/oauth/authorize`,
  tokenUrl: `${origin}/oauth/token`,
  authentication: "body",
  // An application has those that were chosen when it was made.
  scopes: { always: [] },
  // The access of a person shows less, as null, to whom may see less. That of the company outlasts who approved it.
  parameters: { resource_owner_type: "company" },
  // The shortest that Factorial's pages tell.
  lifetimeSeconds: 3_600,
});

export const withApproval: Omit<ProviderMode, "resources"> = {
  ...approval.mode,
  ...known,
  form: z.object({}),
  recipe: approvalRecipe,
  login: async (context) => {
    const { session } = await approval.exchange(context, { company: "", person: "" });
    const { isLimited, ...found } = await findOwner(api.with(context, session));
    if (isLimited) throw new FieldError("company", explanations.person);
    const before = context.previousSession && api.parse(context.previousSession).company;
    if (before !== undefined && before !== found.company)
      throw new FieldError("company", explanations.other);
    return { session: { ...session, ...found } };
  },
  logOut,
};

/** An access of a person who is no administrator shows less than there is. */
async function findOwner(client: RestClient) {
  const { company_id: company, employee_id, role } = credential.parts(await readCredential(client));
  if (company === null) throw new ProviderBug("a credential of Factorial has no company");
  const isLimited = employee_id !== null && role !== "admin";
  return { company, person: employee_id ?? "", isLimited };
}

/** Two connections of one company may have been given the same access. */
async function logOut(context: LogOutContext, session: Session): Promise<void> {
  const held = api.parse(session);
  if (context.isAccountInUse || "key" in held) return;
  const { accessToken } = await approval.makeFresh(context, held);
  const { clientId = "", clientSecret = "" } = context.application ?? {};
  await api.with(context, session).post("/oauth/revoke", {
    form: { client_id: clientId, client_secret: clientSecret, token: accessToken },
  });
}

/** One record of each list shows whether it may be read. */
async function check(context: CheckContext, session: Session): Promise<CheckResult> {
  const client = api.with(context, session);
  const today = utcDay(context.clock.now());
  const days = { start: today, end: today };
  const lists = [
    [entities, "company"],
    [people(), "employees"],
    [teams, "groups"],
    [places, "work-locations", "timesheets"],
    [shiftsOf(days, "false"), "timesheets"],
    [leavesOf(days), "time-off-entries"],
    [stats(today), "time-off-balances"],
    [payrollRuns, "payruns"],
  ] as const;
  const probes = lists.map(([{ path, query }, ...resources]) => ({
    resources: resources as readonly Resource[],
    ask: () => client.get(path, { query: { ...query, limit: 1 } }),
  }));
  return await findRights(context, probes);
}

/** Of who approved; of a key, and of an access of the company, the company. */
async function identity(context: ProviderContext, session: Session): Promise<Identity> {
  const told = credential.parts(await readCredential(api.with(context, session)));
  const name = told.full_name ?? told.name ?? told.legal_name ?? "";
  return { name, email: told.login_email ?? "", phone_number: null };
}

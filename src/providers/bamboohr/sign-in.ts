import { z } from "zod";
import type { Identity } from "../../model/index.ts";
import { utcDay } from "../../platform/clock.ts";
import type { ProviderResponse } from "../../platform/outbound/index.ts";
import type {
  CheckContext,
  CheckResult,
  FormValues,
  ProviderContext,
  Session,
  SignInContext,
  SignInResult,
} from "../contract.ts";
import { FieldError } from "../errors.ts";
import { formField } from "../form-field.ts";
import { addDays } from "../kit/days.ts";
import { oauth2 } from "../kit/oauth2.ts";
import { signInByKey } from "../kit/key-sign-in.ts";
import { text } from "../kit/readers.ts";
import { type Meaning, type RestClient } from "../kit/rest.ts";
import { findRights, whereReadable } from "../kit/rights.ts";
import { defineSource } from "../kit/source.ts";
import { email } from "../kit/text-readers.ts";
import { subdomainField } from "../kit/subdomain.ts";
import { api, id, originOf, readJson, sessionProbe, type BambooSession } from "./client.ts";
import { companyPath } from "./company.ts";
import { fieldsPath } from "./dataset.ts";
import { employeeList } from "./people.ts";
import { requestsPath } from "./time-off.ts";
import { entriesPath } from "./timesheets.ts";

export const typedDomain = subdomainField("companyDomain", {
  title: "Company domain",
  domain: "bamboohr.com",
  originOf,
});

const explanations = {
  otherCompany:
    "This is another company than the one that is connected. Please use the same domain as before.",
};

export const keySignIn = signInByKey<BambooSession>({
  api,
  form: z.object({
    companyDomain: typedDomain.field,
    key: formField({
      title: "API key",
      isSecret: true,
      help: "In BambooHR, click your profile picture and choose API Keys. A key is shown once.",
      autocomplete: "off",
    }),
  }),
  begin: (typed) => ({
    domain: typedDomain.labelOf(typed),
    key: (typed["key"] ?? "").trim(),
    canListEmployees: true,
  }),
  prove: async (client, begun) => {
    await client.get(sessionProbe, { errors: explainDomain });
    return { ...begun, canListEmployees: await mayListEmployees(client) };
  },
  company: { of: ({ domain }) => domain, field: "companyDomain", other: explanations.otherCompany },
});

/**
 * Where nobody has the domain, BambooHR redirects or sends a page. A BambooHR that fails says nothing of the domain, and
 * a missing right nothing of the key.
 */
function explainDomain(answer: ProviderResponse): Meaning | undefined {
  const { status } = answer;
  if (status === 403) return "absent";
  if (status === 401 || status === 408) return undefined;
  const isPage =
    status === 404 || (status >= 300 && status < 400) || readJson(answer) === undefined;
  return isPage
    ? new FieldError("companyDomain", "There is no BambooHR account with this domain.")
    : undefined;
}

/** Older accounts list employees for OAuth2 alone. */
async function mayListEmployees(client: RestClient): Promise<boolean> {
  const { path, query } = employeeList;
  const list = await client.get(path, {
    query: { ...query, "page[limit]": 1 },
    errors: ({ status }) => (status === 200 || status === 408 ? undefined : "absent"),
  });
  return list !== null;
}

export const approvalForm = z.object({ companyDomain: typedDomain.field });

const ofTimeOff = ["time_off"];

export const approval = oauth2({
  authorizationUrl: (formValues) =>
    `${originOf(typedDomain.labelOf(formValues))}/authorize.php?request=authorize`,
  tokenUrl: ({ domain }) => `${originOf(String(domain))}/token.php?request=token`,
  authentication: "body",
  lifetimeSeconds: 3_600,
  scopes: {
    // `offline_access` gives a refresh token, `public.user` the list of changes, `employee` the person who signed in.
    always: ["openid", "offline_access", "public.user", "employee", "company:info", "field"],
    of: {
      employees: [
        "employee:name",
        "employee:job",
        "employee:contact",
        "employee:demographic",
        "employee:compensation",
        "employee:identification",
        "employee:custom_fields",
        "employee:emergency_contacts",
        "employee:dependent",
        "sensitive_employee:protected_info",
        "sensitive_employee:address",
        "report",
      ],
      "time-off-entries": ofTimeOff,
      "time-off-balances": ofTimeOff,
      timesheets: ["time_tracking"],
    },
  },
});

export async function logInByApproval(
  context: SignInContext,
  formValues: FormValues,
): Promise<SignInResult> {
  const { previousSession } = context;
  const domain = typedDomain.labelOf(formValues);
  if (previousSession && api.parse(previousSession).domain !== domain)
    throw new FieldError("companyDomain", explanations.otherCompany);
  const { session, claims } = await approval.exchange(context, { domain, account: [] });
  const account = await nameAccount(context, session, claims?.["sub"]);
  return { session: { ...session, account } };
}

/** By the user, else by the employee. What belongs to nobody counts as an account of its own. */
async function nameAccount(
  context: SignInContext,
  session: BambooSession & { accessToken: string },
  user: unknown,
): Promise<string[]> {
  const { domain, accessToken } = session;
  if (typeof user === "string" && user !== "") return [domain, "user", user];
  const employee = owner.read(await readOwner(api.with(context, session)), "id");
  return employee === null ? [domain, "token", accessToken] : [domain, "employee", employee];
}

/** What each resource is probed with, so that a missing right is told at the sign-in. */
export async function checkRights(context: CheckContext, session: Session): Promise<CheckResult> {
  const client = api.with(context, session);
  await client.get(sessionProbe);
  // The day of the company may be one behind ours, and BambooHR refuses days of the future.
  const yesterday = addDays(utcDay(context.clock.now()), -1);
  const days = { start: yesterday, end: yesterday };
  const known = api.parse(session);
  const { path, query } = employeeList;
  // Whoever may not read it is refused before the request is looked at.
  const errors = { 400: "absent", 422: "absent" } as const;
  const ask = (at: string, parameters = {}) => client.get(at, { query: parameters, errors });
  return await findRights(context, [
    {
      resources: ["employees"],
      // A key that may not list people reads them from the dataset, which is a right to reports.
      ask: () =>
        "key" in known && !known.canListEmployees
          ? ask(fieldsPath, { page_size: 1 })
          : ask(path, { ...query, "page[limit]": 1 }),
    },
    { resources: ["company"], ask: () => ask(companyPath) },
    { resources: ["time-off-entries"], ask: () => ask(requestsPath, days) },
    // Nobody has this id, so the answer is short.
    { resources: ["timesheets"], ask: () => ask(entriesPath, { ...days, employeeIds: "0" }) },
  ]);
}

const companyName = defineSource({ displayName: text });
const owner = defineSource({
  id,
  firstName: text,
  lastName: text,
  workEmail: email,
  mobilePhone: text,
});

/** The employee who signed in. */
async function readOwner(client: RestClient): Promise<unknown> {
  const query = { fields: "firstName,lastName,workEmail,mobilePhone" };
  return await whereReadable(() => client.get("/api/v1/employees/0", { query }));
}

/** A key may belong to nobody: then the company is named. */
export async function readIdentity(context: ProviderContext, session: Session): Promise<Identity> {
  const client = api.with(context, session);
  const found = await readOwner(client);
  const names = [owner.read(found, "firstName"), owner.read(found, "lastName")];
  const name = names.filter((part) => part !== null).join(" ");
  if (owner.read(found, "id") !== null && name !== "")
    return {
      name,
      email: owner.read(found, "workEmail") ?? "",
      phone_number: owner.read(found, "mobilePhone"),
    };
  const company = await whereReadable(() => client.get(companyPath));
  const displayName = companyName.read(company, "displayName");
  return { name: displayName ?? api.parse(session).domain, email: "", phone_number: null };
}

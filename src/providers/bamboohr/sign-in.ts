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
} from "../contract.ts";
import { FieldError } from "../errors.ts";
import { formField } from "../form-field.ts";
import { addDays } from "../kit/days.ts";
import { signInByKey } from "../kit/key-sign-in.ts";
import { text } from "../kit/readers.ts";
import { RequestRefused, type Meaning, type RestClient } from "../kit/rest.ts";
import { findRights, whereReadable } from "../kit/rights.ts";
import { defineSource } from "../kit/source.ts";
import { api, id, readJson, sessionProbe, type BambooSession } from "./client.ts";
import { companyPath } from "./company.ts";
import { fieldsPath } from "./dataset.ts";
import { employeeList } from "./people.ts";
import { requestsPath } from "./time-off.ts";
import { entriesPath } from "./timesheets.ts";

export const companyDomain = formField(
  {
    title: "Company domain",
    placeholder: "example",
    help: "The part before .bamboohr.com in the address that your browser shows.",
    autocomplete: "organization",
  },
  z.string().refine((value) => toCompanyDomain(value) !== null, {
    error: "Please type the part before .bamboohr.com, such as example.",
  }),
);

/** One DNS label, also of a pasted address of a page of BambooHR. Null when it is none. */
export function toCompanyDomain(typed: string): string | null {
  const address = typed.trim().toLowerCase();
  const host = address.replace(/^[a-z]+:\/\//, "").split(/[/?#:]/, 1)[0] ?? "";
  const label = host.replace(/\.$/, "").replace(/\.bamboohr\.com$/, "");
  return /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label) ? label : null;
}

export function domainOf(formValues: FormValues): string {
  return toCompanyDomain(formValues["companyDomain"] ?? "") ?? "";
}

export const otherCompany =
  "This is another company than the one that is connected. Please use the same domain as before.";

export const keySignIn = signInByKey<BambooSession>({
  api,
  form: z.object({
    companyDomain,
    key: formField({
      title: "API key",
      isSecret: true,
      help: "In BambooHR, open the menu at your picture and choose API Keys. A key is shown once.",
      autocomplete: "off",
    }),
  }),
  begin: (typed) => ({
    domain: domainOf(typed),
    key: (typed["key"] ?? "").trim(),
    canListEmployees: true,
  }),
  prove: async (client, begun) => {
    await client.get(sessionProbe, { errors: judgeDomain });
    return { ...begun, canListEmployees: await mayListEmployees(client) };
  },
  company: { of: ({ domain }) => domain, field: "companyDomain", other: otherCompany },
});

/**
 * Where nobody has the domain, BambooHR redirects or sends a page. A BambooHR that fails says nothing of the domain, and
 * a missing right nothing of the key.
 */
function judgeDomain(answer: ProviderResponse): Meaning | undefined {
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

/** What each resource is probed with, so that a missing right is told at the sign-in. */
export async function checkRights(context: CheckContext, session: Session): Promise<CheckResult> {
  const client = api.with(context, session);
  await client.get(sessionProbe);
  // The day of the company may be one behind ours, and BambooHR refuses days of the future.
  const yesterday = addDays(utcDay(context.clock.now()), -1);
  const days = { start: yesterday, end: yesterday };
  const known = api.parse(session);
  const { path, query } = employeeList;
  const ask = (at: string, parameters = {}) => askOrRefused(client, at, parameters);
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

/** Whoever may not read it is refused before the request is looked at. */
async function askOrRefused(client: RestClient, path: string, query: object): Promise<void> {
  try {
    await client.get(path, { query: query as Record<string, string> });
  } catch (error) {
    if (!(error instanceof RequestRefused)) throw error;
  }
}

const owner = defineSource({
  id,
  firstName: text,
  lastName: text,
  workEmail: text,
  mobilePhone: text,
});

/** The employee who signed in. */
export async function readOwner(client: RestClient): Promise<unknown> {
  const query = { fields: "firstName,lastName,workEmail,mobilePhone" };
  return await whereReadable(() => client.get("/api/v1/employees/0", { query }));
}

export async function readOwnerId(client: RestClient): Promise<string | null> {
  return owner.read(await readOwner(client), "id");
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

const companyName = defineSource({ displayName: text });

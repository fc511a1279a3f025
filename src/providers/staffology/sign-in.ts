import { z } from "zod";
import type { Identity } from "../../model/index.ts";
import { utcDay } from "../../platform/clock.ts";
import type { CheckContext, CheckResult, ProviderContext, Session } from "../contract.ts";
import { AuthError, ProviderBug } from "../errors.ts";
import { formField } from "../form-field.ts";
import { signInByKey } from "../kit/key-sign-in.ts";
import type { RestClient } from "../kit/rest.ts";
import { findRights } from "../kit/rights.ts";
import { api, byPage, openEmployer, parseStubs } from "./staffology-client.ts";
import { absentTaxYear, taxYearOf } from "./tax-years.ts";
import { flag, text, type Stub } from "./wire-values.ts";

export const signIn = signInByKey({
  api,
  form: z.object({
    key: formField({
      title: "API key",
      help: "Make one in the account settings of Staffology. It can do what its user can, so use a read-only user.",
      isSecret: true,
      autocomplete: "off",
    }),
  }),
  begin: ({ key = "" }) => ({ key: key.trim(), userId: "", employerId: "" }),
  prove: async (client, begun) => ({ ...begun, userId: await findUserId(client) }),
  company: {
    of: ({ employerId }) => employerId,
    field: "key",
    other:
      "This key does not reach the employer that was connected before. Use the key of a user who may see it.",
    choice: {
      prompt: "Which employer do you want to connect?",
      list: listEmployers,
      take: (session, employerId) => ({ ...session, employerId }),
      none: "This key reaches no employer in Staffology. Use the key of a user who may see the employer.",
    },
  },
});

const account = z.object({ id: z.string().min(1), disabled: flag, loginDisabled: flag });
/** Archived employers, and those that are seen for support, are in other lists. */
const employerLists = ["Owned", "FromOthers"] as const;
const employersOnPage = 100;

async function findUserId(client: RestClient): Promise<string> {
  const { data } = account.safeParse(await client.get("/account"));
  if (!data) throw new ProviderBug("Staffology's account has no id");
  if (data.disabled || data.loginDisabled) throw new AuthError("additional_account_setup_required");
  return data.id;
}

async function listEmployers(client: RestClient): Promise<Map<string, { title: string }>> {
  const found = new Map<string, { title: string }>();
  for (const employerListType of employerLists) {
    const employers = await client.all({
      path: "/employers",
      query: { employerListType },
      paging: byPage(employersOnPage),
      items: parseStubs,
    });
    for (const { id, name } of employers as Stub[]) found.set(id, { title: name ?? id });
  }
  return found;
}

/** One small list of each kind. Staffology answers 403 where the role of the key's user does not allow it. */
export async function checkRights(context: CheckContext, session: Session): Promise<CheckResult> {
  const { client, path } = openEmployer(context, session);
  const taxYear = taxYearOf(utcDay(context.clock.now()));
  return await findRights(context, [
    { resources: ["company"], ask: () => client.get(path) },
    {
      resources: ["employees", "time-off-entries", "time-off-balances"],
      ask: () => client.get(`${path}/employees`, { query: { pageNum: 0, pageSize: 1 } }),
    },
    { resources: ["groups"], ask: () => client.get(`${path}/departments`) },
    {
      resources: ["payruns", "payslips"],
      ask: () => client.get(`${path}/schedules/${taxYear}`, { errors: absentTaxYear }),
    },
  ]);
}

const user = z.object({
  firstName: text,
  lastName: text,
  emailAddress: text,
  telephoneNumber: text,
});

/** The user whose key it is. */
export async function readIdentity(context: ProviderContext, session: Session): Promise<Identity> {
  return toIdentity(await openEmployer(context, session).client.get("/account"));
}

export function toIdentity(raw: unknown): Identity {
  const { firstName, lastName, emailAddress, telephoneNumber } = user.parse(raw);
  const name = [firstName, lastName].filter((part) => part !== null).join(" ");
  return {
    name: name === "" ? (emailAddress ?? "") : name,
    email: emailAddress ?? "",
    phone_number: telephoneNumber,
  };
}

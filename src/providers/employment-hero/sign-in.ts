import { z } from "zod";
import type { Identity } from "../../model/index.ts";
import type { CheckContext, CheckResult, ProviderContext, Session } from "../contract.ts";
import { ProviderBug } from "../errors.ts";
import { formField } from "../form-field.ts";
import { signInByKey } from "../kit/key-sign-in.ts";
import { text } from "../kit/readers.ts";
import type { RestClient } from "../kit/rest.ts";
import { findRights } from "../kit/rights.ts";
import { defineSource } from "../kit/source.ts";
import {
  api,
  listOf,
  openBusiness,
  openForEverybody,
  regions,
  userPath,
  type RegionName,
  type Wire,
} from "./client.ts";

const user = defineSource({ id: text, email: text, displayName: text, timeZone: text });

export const signIn = signInByKey({
  api,
  form: z.object({
    region: formField({
      title: "Country of the payroll",
      choices: Object.entries(regions).map(([value, { title }]) => ({ value, title })),
    }),
    key: formField({
      title: "API key",
      help: "It can do all that its user can, and write too. A new key ends the one that the user had before.",
      isSecret: true,
      autocomplete: "off",
    }),
  }),
  begin: ({ region, key = "" }) => ({
    region: region as RegionName,
    key: key.trim(),
    userId: "",
    email: "",
    timeZone: "",
    businessId: "",
  }),
  prove: async (client, begun) => {
    const { id, email, timeZone } = user.parts(await client.get(userPath));
    if (id === null) throw new ProviderBug("the user of the key has no id");
    return { ...begun, userId: id, email: email ?? "", timeZone: timeZone ?? "" };
  },
  company: {
    // Businesses of two countries may have one number.
    of: ({ region, businessId }) => (businessId === "" ? "" : `${region}/${businessId}`),
    field: "key",
    other:
      "This key does not reach the business that was connected before. Use the key of a user who may see it.",
    choice: {
      prompt: "Which business do you want to connect?",
      list: listBusinesses,
      take: (session, chosen) => {
        const [region, businessId = ""] = chosen.split("/");
        if (region !== session.region) throw new ProviderBug("the business is of another country");
        return { ...session, businessId };
      },
      none: "This key reaches no business. Use the key of a user who may see the business.",
    },
  },
});

const listed = defineSource({ id: text, name: text, region: text });

async function listBusinesses(client: RestClient, session: { region: RegionName }) {
  const found = (await client.all(listOf("/api/v2/business"))) as Wire[];
  return new Map(
    found.map((one) => {
      const { id, name, region } = listed.parts(one);
      if (id === null) throw new ProviderBug("a business has no id");
      const title = [name ?? id, region].filter((part) => part !== null).join(", ");
      return [`${session.region}/${id}`, { title }] as const;
    }),
  );
}

/** The first record of each list. Whoever sees some of the people alone reads nothing of people. */
export async function checkRights(context: CheckContext, session: Session): Promise<CheckResult> {
  const { client, path } = openBusiness(context, session);
  let access: ReturnType<typeof openForEverybody> | undefined;
  const ask = (name: string) => () => client.get(`${path}/${name}`, { query: { $top: 1 } });
  const askOfPeople = (name: string) => async () => {
    await (access ??= openForEverybody(context, session));
    await ask(name)();
  };
  return await findRights(context, [
    { resources: ["company"], ask: () => client.get(path) },
    { resources: ["groups"], ask: ask("payschedule") },
    { resources: ["work-locations"], ask: ask("location") },
    { resources: ["employees"], ask: askOfPeople("employee/unstructured") },
    { resources: ["payruns", "payslips"], ask: askOfPeople("payrun") },
    { resources: ["timesheets"], ask: askOfPeople("timesheet") },
    {
      resources: ["time-off-entries", "time-off-balances"],
      ask: askOfPeople("leavecategory"),
    },
  ]);
}

/** The user whose key it is. */
export async function readIdentity(context: ProviderContext, session: Session): Promise<Identity> {
  const { displayName, email } = user.parts(await api.with(context, session).get(userPath));
  return { name: displayName ?? email ?? "", email: email ?? "", phone_number: null };
}

export function accountOf(session: Session): string[] {
  const { region, userId } = api.parse(session);
  return [region, userId];
}

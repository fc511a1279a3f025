import { z } from "zod";
import { utcDay } from "../../platform/clock.ts";
import type { Identity } from "../../model/index.ts";
import type { CheckContext, CheckResult, ProviderContext, Session } from "../contract.ts";
import { FieldError } from "../errors.ts";
import { formField } from "../form-field.ts";
import { signInByKey } from "../kit/key-sign-in.ts";
import { readValue, text } from "../kit/readers.ts";
import { findRights } from "../kit/rights.ts";
import { timeZoneField } from "../kit/zone-field.ts";
import { api, fieldsPath, listsPath, ofModule, readIds, search, tell } from "./client.ts";
import { policiesPath, readOut } from "./time-off.ts";
import { searchEntries } from "./timesheets.ts";

const seesNobody = (): FieldError =>
  new FieldError(
    "id",
    "This service user sees nobody. Add it to a permission group in Bob that may view “Basic info” of everyone.",
  );

export const signIn = signInByKey({
  api,
  form: z.object({
    id: formField({
      title: "Service user ID",
      placeholder: "SERVICE-12345",
      help: "An administrator makes a service user in Bob. Bob shows its token once.",
      autocomplete: "off",
    }),
    token: formField({ title: "Token", isSecret: true, autocomplete: "off" }),
    time_zone: timeZoneField({
      placeholder: "Europe/London",
      help: "Working times in Bob have no time zone. Leave this empty for UTC.",
    }),
  }),
  begin: ({ id = "", token = "" }) => ({ id: id.trim(), token: token.trim(), companyId: "" }),
  prove: async (client, begun) => {
    const asked = { isBrief: true, errors: { 403: seesNobody() } };
    const [first] = await search(client, ["root.companyId"], asked);
    const companyId = readValue(text, tell(first, "root.companyId"));
    if (typeof companyId !== "string") throw seesNobody();
    return { ...begun, companyId };
  },
  company: {
    of: ({ companyId }) => companyId,
    field: "id",
    other:
      "This service user is of another company than the one that is connected. Please use one of the same company.",
  },
});

/** Bob refuses a right by its path. What is hidden of people, their read tells. */
export async function checkRights(context: CheckContext, session: Session): Promise<CheckResult> {
  const client = api.with(context, session);
  const today = utcDay(context.clock.now());
  const day = { start: today, end: today };
  return await findRights(context, [
    { resources: ["groups", "work-locations"], ask: () => client.get(listsPath) },
    { resources: ["time-off-entries"], ask: () => readOut(client, day) },
    { resources: ["time-off-balances"], ask: () => client.get(policiesPath, ofModule) },
    {
      resources: ["timesheets"],
      ask: async () => await searchEntries(client, (await readIds(client)).slice(0, 1), day),
    },
  ]);
}

/** A service user is no person. */
export async function readIdentity(context: ProviderContext, session: Session): Promise<Identity> {
  await api.with(context, session).get(fieldsPath);
  return { name: api.parse(session).companyId, email: "", phone_number: null };
}

export function accountOf(session: Session): string[] {
  return [api.parse(session).id];
}

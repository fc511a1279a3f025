import { z } from "zod";
import { resources, type Identity } from "../../model/index.ts";
import type {
  CheckContext,
  CheckResult,
  FormValues,
  ProviderContext,
  Session,
  TypedOrigin,
} from "../contract.ts";
import { AuthError, FieldError, ProviderBug } from "../errors.ts";
import { formField } from "../form-field.ts";
import { json } from "../kit/body-format.ts";
import { signInByKey } from "../kit/key-sign-in.ts";
import { recordsAt } from "../kit/paging.ts";
import { text } from "../kit/readers.ts";
import { findRights, whereReadable } from "../kit/rights.ts";
import { defineSource } from "../kit/source.ts";
import { toOrigin } from "../kit/web-origin.ts";
import { isTimeZone } from "../kit/zone.ts";
import { api, docs, isCut, openSession, requireRights, type FrappeSession } from "./client.ts";

/** What is said of a sign-in that does not work. */
const explanations = {
  notFrappe: "There is no Frappe HR or ERPNext at this address.",
  tooOld: "This site is too old to be read: it needs version 14 or newer.",
  other:
    "This is another site than the one that is connected. Please use the same address as before.",
  cut: "User permissions hide some records from the user of this key. Use the key of a user without user permissions.",
};

const oldest = 14;

/** What a header can carry, and a colon parts the two. */
const written = z.string().regex(/^[\x21-\x39\x3b-\x7e]+$/, {
  error: "Please paste it as Frappe shows it, without spaces.",
});
const answer = defineSource({ message: text });

export const typedOrigin: TypedOrigin = {
  field: "url",
  of: toOrigin,
  async probe({ http }, at) {
    const found = await http(at).request({ url: `${at}/api/method/version` });
    const told = found.status === 200 ? answer.read(json.tryRead(found), "message") : null;
    const [version, major] = /^(\d+)\.\d+\.\d+/.exec(told ?? "") ?? [];
    if (version === undefined) throw new FieldError("url", explanations.notFrappe);
    return { version, ...(Number(major) < oldest && { refusal: explanations.tooOld }) };
  },
};

const site = defineSource({ message: { time_zone: text } });

export const signIn = signInByKey<FrappeSession>({
  api,
  form: z.object({
    url: formField(
      {
        title: "Address of your Frappe site",
        isAddress: true,
        placeholder: "https://example.frappe.cloud",
        help: "What your browser shows when you use Frappe HR or ERPNext.",
        autocomplete: "url",
      },
      z.string().refine((value) => toOrigin(value) !== null, {
        error: "Please type a web address, such as https://example.frappe.cloud.",
      }),
    ),
    key: formField({ title: "API key", isSecret: true, autocomplete: "off" }, written),
    secret: formField(
      {
        title: "API secret",
        isSecret: true,
        help: "Frappe shows it once, when the keys are generated.",
        autocomplete: "off",
      },
      written,
    ),
    timesheets: formField({
      title: "Hours worked",
      isSetting: true,
      resources: ["timesheets"],
      help: "Which records of Frappe say how long people worked.",
      choices: [
        { value: "attendance", title: "Attendance" },
        { value: "projects", title: "Timesheets of projects" },
      ],
    }).optional(),
  }),
  begin: (typed) => ({
    origin: toOrigin(typed["url"] ?? "") ?? "",
    key: typed["key"] ?? "",
    secret: typed["secret"] ?? "",
    user: "",
    zone: "",
  }),
  prove: async (client, begun) => {
    const user = answer.read(
      await client.get("/api/method/frappe.auth.get_logged_user"),
      "message",
    );
    // Whom Frappe does not know may be a guest.
    if (user === null || user === "Guest") throw new AuthError("incorrect_username_or_password");
    const zone = site.read(
      await client.get("/api/method/frappe.client.get_time_zone"),
      "message.time_zone",
    );
    if (zone === null || !isTimeZone(zone)) throw new ProviderBug("the site has no time zone");
    return { ...begun, user, zone };
  },
  company: { of: ({ origin }) => origin, field: "url", other: explanations.other },
});

export function toAccount({ url = "", key = "" }: FormValues) {
  return { origin: toOrigin(url) ?? "", login: key };
}

export function accountOf(session: Session): string[] {
  const { origin, user } = api.parse(session);
  return [origin, user];
}

/** The first row of each list. Of a user whose lists are cut, nothing is connected. */
export async function checkRights(context: CheckContext, session: Session): Promise<CheckResult> {
  const { resources: wanted, settings } = context;
  const client = api.with(context, session);
  if (await isCut(client, wanted, settings)) throw new FieldError("key", explanations.cut);
  return await findRights(
    context,
    resources.map((resource) => ({
      resources: [resource],
      ask: () => requireRights(client, resource, settings),
    })),
    { atOnce: 2 },
  );
}

const account = defineSource({ full_name: text, email: text, mobile_no: text });

/** Whoever may not read the own account is known by its name. */
export async function readIdentity(context: ProviderContext, session: Session): Promise<Identity> {
  const { client, user } = openSession(context, session);
  const { path, query } = docs("User", { fields: account.names, filters: [["name", "=", user]] });
  const found = await whereReadable(() => client.get(path, { query }));
  const told = account.parts(found === undefined ? {} : recordsAt("data")(found)[0]);
  return { name: told.full_name ?? user, email: told.email ?? "", phone_number: told.mobile_no };
}

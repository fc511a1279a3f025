import { z } from "zod";
import type { ProviderContext, ReadContext, Session } from "../contract.ts";
import { AuthError } from "../errors.ts";
import { lookup } from "../kit/lookup.ts";
import { recordsAt } from "../kit/paging.ts";
import { given, readValue, text } from "../kit/readers.ts";
import { auth, rest, type RestList } from "../kit/rest.ts";
import { isRecord } from "../kit/source.ts";

/** The countries, each with a host of its own. Nothing in an answer tells the currency or the zone of clocks. */
export const regions = {
  au: {
    title: "Australia",
    origin: "https://api.yourpayroll.com.au",
    country: "AU",
    currency: "aud",
    zone: "Australia/Sydney",
  },
  nz: {
    title: "New Zealand",
    origin: "https://api.nzpayroll.co.nz",
    country: "NZ",
    currency: "nzd",
    zone: "Pacific/Auckland",
  },
  uk: {
    title: "United Kingdom",
    origin: "https://api.yourpayroll.co.uk",
    country: "GB",
    currency: "gbp",
    zone: "Europe/London",
  },
  sg: {
    title: "Singapore",
    origin: "https://apisg.yourpayroll.io",
    country: "SG",
    currency: "sgd",
    zone: "Asia/Singapore",
  },
  my: {
    title: "Malaysia",
    origin: "https://apimy.yourpayroll.io",
    country: "MY",
    currency: "myr",
    zone: "Asia/Kuala_Lumpur",
  },
} as const;
export type RegionName = keyof typeof regions;

/** What the read has put into each record: its country. */
export const region = given<RegionName>();

export const userPath = "/api/v2/user";

export const api = rest({
  session: z.strictObject({
    region: z.enum(["au", "nz", "uk", "sg", "my"]),
    key: z.string(),
    /** Whose key it is; empty while they sign in. */
    userId: z.string(),
    email: z.string(),
    /** Where the user's clocks are, as Windows calls it. */
    timeZone: z.string(),
    /** The one business that the person chose. */
    businessId: z.string(),
  }),
  origin: ({ region: name }) => regions[name].origin,
  // The key is the user, and the password is empty.
  auth: ({ key }) => auth.basic(key, ""),
  draws: ({ region: name, businessId }): Record<string, string> => ({
    address: name,
    ...(businessId !== "" && { business: `${name}/${businessId}` }),
  }),
  errors: { 404: "unsupported" },
  // A single path is refused with 401, too.
  sessionProbe: userPath,
  // All payslips of a pay run are one answer.
  maxBytes: 100 * 1024 * 1024,
});

/** The client of a session, and the path of its business. */
export function openBusiness(context: ProviderContext, session: Session) {
  const { businessId, ...known } = api.parse(session);
  return { ...known, client: api.with(context, session), path: `/api/v2/business/${businessId}` };
}

/** A user whose access is restricted sees some of the people, and no answer says so: then nobody is read. */
export async function openForEverybody(context: ProviderContext, session: Session) {
  const opened = openBusiness(context, session);
  const { client, path, email } = opened;
  const access = await client.get(`${path}/access/user`, {
    query: { email },
    errors: { 404: "absent" },
  });
  if (isRecord(access) && access["accessType"] === "Restricted")
    throw new AuthError("insufficient_permission");
  return opened;
}

/** No answer counts its records, and a page has 100 at most. */
export function listOf(path: string, query: RestList["query"] = {}): RestList {
  return {
    path,
    query: { ...query, $orderby: "Id" },
    paging: { by: "offset", parameter: "$skip", size: ["$top", 100], end: "short" },
    items: recordsAt(),
  };
}

export type Wire = Readonly<Record<string, unknown>>;

/** Nothing but these: a record has numbers of tax and of funds that are not ours to read. */
export function pick(record: unknown, names: readonly string[]): Wire {
  const of = record as Wire;
  return Object.fromEntries(names.flatMap((name) => (name in of ? [[name, of[name]]] : [])));
}

/** A list of the business by what others name its records by, fetched once in a read. A name of two is no name. */
export function lookUp(list: string, names: readonly string[], query: RestList["query"] = {}) {
  return lookup(async (context: ReadContext) => {
    const found = (await context.withSession((session) => {
      const { client, path } = openBusiness(context, session);
      return client.all(listOf(`${path}/${list}`, query));
    })) as Wire[];
    const named = names.flatMap((name) => {
      const byName = Map.groupBy(found, (one) => readValue(text, one[name]));
      return [...byName].flatMap(([value, [one, ...others]]) =>
        typeof value === "string" && one && others.length === 0 ? [[value, one] as const] : [],
      );
    });
    // The first name counts before the others.
    return new Map(named.toReversed());
  });
}

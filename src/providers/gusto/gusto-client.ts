import { z } from "zod";
import type { DateRange, ProviderContext, ReadContext, Session } from "../contract.ts";
import { ProviderBug } from "../errors.ts";
import { withinRange } from "../kit/days.ts";
import { tokenFields } from "../kit/oauth2.ts";
import { recordsAt } from "../kit/paging.ts";
import { auth, rest, type RestClient, type RestList } from "../kit/rest.ts";
import { fieldOf } from "../kit/source.ts";

export const origin = "https://api.gusto.com";
/** An older one is answered with 406 when its time is over. */
const apiVersion = "2026-06-15";
/** Of runs of payroll Gusto gives no more. */
const pageSize = 100;
/** There is nothing from before Gusto began. */
const firstDay = "2011-01-01";
const wholeNumber = /^\d{1,9}$/;

export const api = rest({
  session: z.object({
    ...tokenFields,
    refreshToken: z.string(),
    /** The one that the tokens open; empty until Gusto has named it. */
    company: z.string(),
    /** Who approved; empty where Gusto does not tell. */
    owner: z.string(),
    /** What the application may read, as Gusto gave it for good with the approval. */
    scopes: z.array(z.string()),
  }),
  origin,
  headers: { "x-gusto-api-version": apiVersion },
  auth: ({ accessToken }, { path }) => (path.startsWith("/oauth/") ? {} : auth.bearer(accessToken)),
  // Gusto counts for each approval. Those of the same person for the same company count together here.
  draws: ({ company, owner }) => (company === "" ? {} : { approval: `${company} ${owner}` }),
  errors: {
    404: "unsupported",
    406: () => new ProviderBug(`Gusto no longer answers version ${apiVersion} of its API`),
  },
});

export interface Company {
  client: RestClient;
  /** Of what the company has. */
  path: string;
  mayRead: (scope: string) => boolean;
}

/** The company of a session, in a read. */
export function openCompany(context: ReadContext, session: Session): Company {
  return toCompany(api.inRead(context), session);
}

/** The same at the sign-in. */
export function openCompanyAtSignIn(context: ProviderContext, session: Session): Company {
  return toCompany(api.with(context, session), session);
}

function toCompany(client: RestClient, session: Session): Company {
  const { company, scopes } = api.parse(session);
  return {
    client,
    path: `/v1/companies/${encodeURIComponent(company)}`,
    mayRead: (scope) => scopes.length === 0 || scopes.includes(scope),
  };
}

/** A list with pages. Gusto may make them smaller than they are asked for, and says how many there are. */
export function listOf(path: string, more: Partial<RestList> = {}): RestList {
  return {
    path,
    idOf: (record) => fieldOf(record, "uuid"),
    items: recordsAt(),
    paging: {
      by: "page",
      parameter: "page",
      size: ["per", pageSize],
      isLast: (_body, { pages, headers }) => {
        const all = headers["x-total-pages"] ?? "";
        return wholeNumber.test(all) ? pages >= Number(all) : undefined;
      },
    },
    ...more,
  };
}

/** A list that Gusto gives in one answer. */
export function wholeListOf(path: string, more: Partial<RestList> = {}): RestList {
  return listOf(path, { paging: { by: "none" }, ...more });
}

/** The part of a range of which Gusto can have anything. */
export function withinUse(range: DateRange, latest: string): DateRange {
  return withinRange(range, { start: firstDay, end: latest });
}

export function earlier(one: string, other: string): string {
  return one < other ? one : other;
}

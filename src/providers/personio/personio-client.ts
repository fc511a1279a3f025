import { z } from "zod";
import { ProviderBug } from "../errors.ts";
import { number, text } from "../kit/readers.ts";
import { recordsAt } from "../kit/paging.ts";
import { auth, rest, type RestList } from "../kit/rest.ts";
import { defineSource, isRecord } from "../kit/source.ts";

/** An object of Personio's JSON. */
export type JsonObject = Readonly<Record<string, unknown>>;

const origin = "https://api.personio.de";

export const api = rest({
  session: z.strictObject({
    clientId: z.string(),
    /** Personio has no refresh token: new tokens are asked for with the secret. */
    clientSecret: z.string(),
    /** Each version of the API has a token of its own; empty while it is asked for. */
    v1: z.string(),
    v2: z.string(),
    expiresAt: z.iso.datetime(),
    /** Its legal entities, when the credential may read them. */
    company: z.strictObject({ ids: z.array(z.string()), name: z.string().nullable() }).nullable(),
  }),
  origin,
  // Personio asks for both with every request. The name of the application is ours to choose.
  headers: { "x-personio-partner-id": "ROLLCALL", "x-personio-app-id": "ROLLCALL" },
  auth: ({ v1, v2 }, { path }) => {
    const token = path.startsWith("/v1/") ? v1 : v2;
    return token === "" ? {} : auth.bearer(token);
  },
  draws: ({ clientId }, { path }) => listDraws(clientId, path),
  // There is no such thing, such as an endpoint that the account does not have; or the account lacks the feature.
  errors: { 400: "refused", 404: "unsupported", 412: "unsupported" },
});

export type PersonioSession = ReturnType<typeof api.parse>;

export const employeesPath = "/v1/company/employees";

/**
 * All of v1 has one limit for each of our addresses, whichever customer asks, and the list of employees another one.
 * v2 has one for each endpoint.
 */
function listDraws(clientId: string, path: string): Record<string, string> {
  if (!path.startsWith("/v1/")) {
    const endpoint = path.replace(/\/\d+\//, "/…/");
    return { endpoint: `${clientId} ${endpoint}` };
  }
  const draws = { address: "v1", customer: clientId };
  return path === employeesPath ? { ...draws, employees: clientId } : draws;
}

const answer = defineSource({
  metadata: { total_elements: number },
  _meta: { links: { next: { href: text } } },
});
/** How many records a list of v1 has in all. */
export function countOf(body: unknown): number | null {
  return answer.read(body, "metadata.total_elements");
}

/** The list in an answer of v1. */
export const dataOf = recordsAt("data");

/**
 * A list of v1. Its `offset` counts records, or else pages, of which the first is the number 1: 0 is the same page.
 * Where Personio does not count the records, a page with nothing new is the only end, because a short page may be cut.
 */
export function listOfFirst(
  path: string,
  count: number,
  counts: "offset" | "page" = "offset",
): RestList {
  return {
    path,
    paging: {
      by: counts,
      parameter: "offset",
      size: ["limit", count],
      end: "repeated",
      total: (body) => countOf(body) ?? undefined,
    },
    items: (body) => dataOf(body).map(openRecord),
  };
}

/**
 * v1 writes a thing as `{ type, attributes: { name: { label, value, … }, … } }`, and as `{ type, attributes: { name,
 * … } }`: this is `{ name, … }`. What has more than a value stays as it is: pay, and what the company added.
 */
export function openRecord(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(openRecord);
  if (!isRecord(value)) return value;
  if (isRecord(value["attributes"]))
    return Object.fromEntries(
      Object.entries(value["attributes"]).map(([name, inner]) => [
        name,
        /^dynamic_|_salary$/.test(name) ? inner : openRecord(inner),
      ]),
    );
  return "value" in value ? openRecord(value["value"]) : value;
}

interface SecondOptions {
  query?: Record<string, string>;
  /** Of a part of v2 that is not finished. */
  isBeta?: boolean;
  /** Of a page. */
  count?: number;
}

/** A list of v2. */
export function listOfSecond(
  path: string,
  { query = {}, isBeta = false, count = 100 }: SecondOptions = {},
): RestList {
  return {
    path,
    query: { ...query, limit: count },
    paging: { by: "cursor", parameter: "cursor", next: findCursor },
    items: recordsAt("_data"),
    ...(isBeta && { headers: { beta: "true" } }),
  };
}

/** Only the cursor of the link counts: its path is wrong at some endpoints, and relative at others. */
function findCursor(body: unknown): string | null {
  const href = answer.read(body, "_meta.links.next.href");
  if (href === null) return null;
  const cursor = URL.parse(href, origin)?.searchParams.get("cursor");
  if (!cursor) throw new ProviderBug("a link to the next page has no cursor");
  return cursor;
}

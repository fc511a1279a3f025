import { expect } from "vitest";
import type { FetchedPath, Mode, Resource, Scope } from "../../src/model/index.ts";
import { transaction } from "../../src/platform/db/index.ts";
import type { Harness } from "./harness.ts";
import type { Reply } from "./http-client.ts";

type Query = Record<string, string>;

/** A data endpoint of the specification, written a second time to check the program's own table. */
export interface DataEndpointCase {
  mode: Mode;
  path: FetchedPath;
  scope: Scope;
  resource: Resource;
  query: Query;
  isList: boolean;
}

export interface Located {
  url: string;
  query: Query;
}

export const january: Query = { start_date: "2026-01-01", end_date: "2026-01-31" };
export const version = "/2023-03-01";

type PathCase = Pick<DataEndpointCase, "resource"> & {
  query?: Query;
  isXhrOnly?: true;
  isSingle?: true;
};

const paths: { readonly [Path in FetchedPath]: PathCase } = {
  company: { resource: "company" },
  employees: { resource: "employees" },
  employee: { resource: "employees", query: { id: "unknown" }, isSingle: true },
  groups: { resource: "groups" },
  payruns: { resource: "payruns", query: january, isXhrOnly: true },
  "payruns/:payrun_id": { resource: "payslips", isXhrOnly: true },
  timesheets: { resource: "timesheets", query: january },
  "time-off-entries": { resource: "time-off-entries", query: january },
  "time-off-balances": { resource: "time-off-balances" },
  "work-locations": { resource: "work-locations" },
};

/** Every endpoint that fetches, in both modes. Identity is not one of them. */
export const dataEndpointCases: readonly DataEndpointCase[] = (
  ["xhr", "official"] as const
).flatMap((mode) =>
  (Object.entries(paths) as [FetchedPath, PathCase][])
    .filter(([, { isXhrOnly }]) => mode === "xhr" || !isXhrOnly)
    .map(([path, { resource, query = {}, isSingle }]) => ({
      mode,
      path,
      scope: `${version}/${mode}/${path}` as Scope,
      resource,
      query,
      isList: !isSingle,
    })),
);

/** The lists of a mode that are asked for without an id of a record. */
export function listCasesOf(mode: Mode): DataEndpointCase[] {
  return dataEndpointCases.filter(
    (endpoint) => endpoint.mode === mode && endpoint.isList && !endpoint.path.includes(":"),
  );
}

/** An address of the endpoint for which nobody needs to be asked first. */
export function anyUrl({ mode, path }: { mode: Mode; path: string }): string {
  return `${version}/${mode}/${path.replace(":payrun_id", "unknown")}`;
}

/**
 * An address at which this connection has data. Where it needs an id, this fetches a list and then
 * moves the clock until that list is stale.
 */
export async function locate(
  harness: Harness,
  token: string,
  { mode, path, query }: DataEndpointCase,
): Promise<Located> {
  const base = `${version}/${mode}`;
  if (path === "payruns/:payrun_id") {
    const payruns = await fetchList(harness, token, `${base}/payruns`, january);
    return { url: `${base}/payruns/${payruns[0]?.["id"] as string}`, query };
  }
  if (path !== "employee") return { url: `${base}/${path}`, query };
  const employees = await fetchList(harness, token, `${base}/employees`);
  harness.clock.advance(3_601);
  return { url: `${base}/employee`, query: { id: employees[1]?.["id"] as string } };
}

/** Sends the request, runs the job and sends the request again. */
export async function fetchData(
  harness: Harness,
  bearer: string,
  url: string,
  query: Query = {},
): Promise<Reply> {
  const pending = await harness.http.get(url, { bearer, query });
  expect(pending.status).toBe(202);
  await harness.drain();
  const ready = await harness.http.get(url, { bearer, query });
  expect(ready.status).toBe(200);
  return ready;
}

export async function fetchList(
  harness: Harness,
  bearer: string,
  url: string,
  query: Query = {},
): Promise<Record<string, unknown>[]> {
  const { body } = await fetchData(harness, bearer, url, query);
  return body as Record<string, unknown>[];
}

/** The number of fetches that were requested for this connection. */
export async function countFetches({ database }: Harness, tokenId: string): Promise<number> {
  const rows = await database.query(
    `select coalesce(sum(f.requests), 0)::int as fetches
       from connections c left join reads f on f.connection_id = c.id where c.token_id = $1`,
    [tokenId],
  );
  return rows[0]?.["fetches"] as number;
}

/** The end user signs in again and the token stays the same. */
export async function signInAgain(
  { services }: Harness,
  tokenId: string,
  username = "user_good",
): Promise<void> {
  const request = await services.connect.findReauthentication(tokenId);
  const secret = request.mode === "xhr" ? { password: "anything" } : { api_key: "anything" };
  const step = await services.connect.start(request, { username, ...secret });
  if (step.kind !== "signed-in") throw new Error("the provider asked for a second factor");
  await transaction(services.pool, (tx) =>
    services.connect.reauthenticate(tx, tokenId, step.signIn),
  );
}

/** Ends all connections to the provider, so that no test depends on an earlier one. */
export async function disconnectAll(
  { database, services }: Harness,
  provider = "stub",
): Promise<void> {
  const rows = await database.query(
    "select id from tokens where provider = $1 and disconnected_at is null",
    [provider],
  );
  for (const { id } of rows) await services.tokens.disconnectById(id as string);
}

export function retryAfter({ headers }: Reply): number {
  expect(headers["retry-after"]).toMatch(/^[1-9]\d*$/);
  return Number(headers["retry-after"]);
}

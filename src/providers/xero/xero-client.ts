import { z } from "zod";
import type { ProviderResponse } from "../../platform/outbound/index.ts";
import type { ReadContext } from "../contract.ts";
import { ProviderBug } from "../errors.ts";
import { lookup } from "../kit/lookup.ts";
import { tokenFields } from "../kit/oauth2.ts";
import { number, readValue, records, recordsOf, strict, text } from "../kit/readers.ts";
import { auth, rest, type RestClient, type RestList } from "../kit/rest.ts";
import { defineSource, fieldOf } from "../kit/source.ts";

const connectionsPath = "/connections";
const payrollPath = "/payroll.xro/2.0";
export const pageSize = 100;
/** With 60 requests a minute nothing is sooner there by several at once. */
export const requestsAtOnce = 1;

/** An organisation, or a practice, that a person has connected to the operator's application. */
const connection = defineSource({
  id: text,
  tenantId: text,
  tenantType: text,
  tenantName: text,
  /** Those that were approved at the same time have the same one. */
  authEventId: text,
});
export type Tenant = ReturnType<typeof connection.parts>;

const answer = defineSource({
  pagination: { page: strict(number), pageCount: strict(number), itemCount: number },
});

/** One organisation, whose limits each of its requests counts against. */
export const api = rest({
  session: z.object({
    ...tokenFields,
    refreshToken: z.string(),
    person: z.object({ sub: z.string(), name: z.string(), email: z.string() }),
    /** Empty while the person chooses. The tokens open all organisations that the person has connected. */
    tenantId: z.string(),
    /** Null for a country without a payroll of Xero's; absent where it was not told at the sign-in. */
    country: z.enum(["GB", "NZ", "AU"]).nullish(),
  }),
  origin: "https://api.xero.com",
  auth: ({ accessToken, tenantId }, { path }) => ({
    ...auth.bearer(accessToken),
    ...(isOfTenant(path) && { "xero-tenant-id": tenantId }),
  }),
  draws: ({ tenantId }, { path }) => ({
    ...(isOfTenant(path) && { tenant: tenantId }),
    application: "all",
  }),
  errors: {
    200: (given) =>
      fieldOf(given.json(), "problem")
        ? new ProviderBug("Xero answered 200 with a problem")
        : undefined,
    401: (given) => (isUnauthorized(given) ? "forbidden" : "ended"),
    // The organisation was disconnected, or the person lost their role in it: the status is the same.
    403: (given) => (isUnauthorized(given) ? "forbidden" : "ended"),
    404: "unsupported",
    // A path of another country's payroll.
    405: "unsupported",
  },
  sessionProbe: {
    path: connectionsPath,
    isEnded: (body, session) =>
      !toTenants(body).some(({ tenantId }) => tenantId === session.tenantId),
  },
});

export type XeroSession = ReturnType<typeof api.parse>;
export type Country = NonNullable<XeroSession["country"]>;

/** The organisations that the tokens open. */
export async function listTenants(client: RestClient): Promise<Tenant[]> {
  return toTenants(await client.get(connectionsPath));
}

/** Ends the access of the application to the organisation. One that is gone already is as good. */
export async function deleteTenant(client: RestClient, { id }: Tenant): Promise<void> {
  await client.delete(`${connectionsPath}/${encodeURIComponent(id ?? "")}`, {
    errors: { 404: "absent" },
  });
}

/** A list of payroll. Xero says how many pages it has; a list that is missing is no empty one. */
export function listOf(path: string, field: string): RestList {
  const items = (body: unknown): unknown => readValue(records, fieldOf(body, field));
  return {
    path: payrollPath + path,
    items,
    paging: {
      by: "cursor",
      parameter: "page",
      next: (body) => findNextPage(body, (items(body) as readonly object[]).length),
    },
  };
}

/** A list of one person. Xero has no such path for who has nothing in it yet. */
export async function readListOf(
  context: ReadContext,
  { employeeId, path, field }: { employeeId: string; path: string; field: string },
): Promise<object[]> {
  const list = listOf(`/Employees/${encodeURIComponent(employeeId)}/${path}`, field);
  const found = api.inRead(context).all({
    ...list,
    errors: { 404: "absent" },
    whenAbsent: { [field]: [] },
  });
  return (await found) as object[];
}

/** One record of payroll; null when there is none. */
export async function readOne(
  context: ReadContext,
  path: string,
  field: string,
): Promise<object | null> {
  return await readRecord(context, payrollPath + path, field);
}

/** By its whole path. A list of one is the one. */
export async function readRecord(
  context: ReadContext,
  path: string,
  field: string,
): Promise<object | null> {
  const body = await api.inRead(context).get(path, { errors: { 404: "absent" } });
  return body === null ? null : (recordsOf([fieldOf(body, field)].flat())[0] ?? null);
}

/** The records of a list by their ids, once in a read. */
export function lookUp(path: string, field: string, id: string) {
  return lookup(async (context) => {
    const found = await api.inRead(context).all(listOf(path, field));
    return found.map((record) => [String(fieldOf(record, id)), record as object] as const);
  });
}

/** Records with those that they name by an id, such as a type, which may not be listed any more. */
export function withFound(
  found: readonly object[],
  id: string,
  by: { as: string; of: ReadonlyMap<string, object> },
): object[] {
  return found.map((one) => ({ ...one, [by.as]: by.of.get(String(fieldOf(one, id))) }));
}

/** How many records all pages have; null when Xero does not say it. */
export function countItems(body: unknown): number | null {
  return answer.read(body, "pagination")?.itemCount ?? null;
}

function isOfTenant(path: string): boolean {
  return !path.startsWith(connectionsPath);
}

/** An organisation that is not in the list counts as disconnected. A practice is none: it has no payroll. */
function toTenants(body: unknown): Tenant[] {
  const found = recordsOf(body ?? {}).map((record) => connection.parts(record));
  return found.filter(
    ({ id, tenantId, tenantType }) => id && tenantId && tenantType === "ORGANISATION",
  );
}

/** A full page of a list that does not say how many there are may be one of several. */
function findNextPage(body: unknown, count: number): number | null {
  const { page = null, pageCount = null } = answer.read(body, "pagination") ?? {};
  if (pageCount === null ? count < pageSize : pageCount <= (page ?? 1)) return null;
  if (page === null || count === 0)
    throw new ProviderBug(
      "Xero does not say how many pages there are, or names one after the last",
    );
  return page + 1;
}

/**
 * Whether the scope or the role lacks the right, by the words of a refusal: the rest may name people. Xero writes the
 * names of an error's fields in small letters or with a capital.
 */
function isUnauthorized(given: ProviderResponse): boolean {
  try {
    const body = given.json();
    const detail = fieldOf(body, "detail") ?? fieldOf(body, "Detail");
    return String(detail).toLowerCase().startsWith("authorizationunsuccessful");
  } catch {
    return false;
  }
}

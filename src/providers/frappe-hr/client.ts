import { z } from "zod";
import type { Resource } from "../../model/index.ts";
import type { Cursor, ProviderContext, ReadContext, Session } from "../contract.ts";
import { AuthError, OperationNotSupported, ProviderBug, ProviderDown } from "../errors.ts";
import { json } from "../kit/body-format.ts";
import type { Fields } from "../kit/fields.ts";
import { recordsAt } from "../kit/paging.ts";
import { flag, recordsOf, text } from "../kit/readers.ts";
import { auth, rest, type RestClient, type RestList } from "../kit/rest.ts";
import { defineSource, isRecord } from "../kit/source.ts";

const session = z.strictObject({
  origin: z.string(),
  key: z.string(),
  secret: z.string(),
  /** Whose key it is; empty while they sign in. */
  user: z.string(),
  /** Of the site: its times have no offset. */
  zone: z.string(),
});

export type FrappeSession = z.output<typeof session>;

export const api = rest<FrappeSession>({
  session,
  origin: ({ origin }) => origin,
  auth: ({ key, secret }) => auth.header("authorization", `token ${key}:${secret}`),
  draws: ({ origin }) => ({ site: origin }),
  // An app, or a version, without this kind of document; a page in its place is of a server without the site.
  errors: { 404: (answer) => (json.tryRead(answer) === undefined ? "down" : "unsupported") },
});

export type Wire = Readonly<Record<string, unknown>>;
export type Filter = readonly [field: string, operator: string, value: unknown];

/** Drafts are 0, what was cancelled is 2. */
export const submitted: Filter = ["docstatus", "=", 1];

/** A site has no largest page. */
export const rowsOfPage = 500;
/** Of a list, so many rows may be deleted while their rights are asked for. */
const rowsAsked = 3;
/** The server that Frappe comes with takes no longer first line of a request, in bytes. */
const lineLimit = 4_094;
/** For the method and the protocol, and for the name that a further page goes on from. */
const lineReserve = 600;

const row = defineSource({ name: text });

interface Asked {
  fields: readonly string[];
  filters?: readonly Filter[];
  /** Of rows that stand inside of other documents: the kind of these. */
  parent?: string;
}

/** By name, because any other order shifts while people work. */
export function docs(doctype: string, { fields, filters = [], parent }: Asked): RestList {
  const own: Filter[] = parent === undefined ? [] : [["parenttype", "=", parent]];
  const after = (...last: Filter[]): string => JSON.stringify([...filters, ...own, ...last]);
  return {
    path: `/api/resource/${encodeURIComponent(doctype)}`,
    query: {
      fields: JSON.stringify(fields),
      filters: after(),
      order_by: "name asc",
      limit_page_length: rowsOfPage,
      ...(parent !== undefined && { parent }),
    },
    paging: {
      by: "cursor",
      parameter: "filters",
      next: (body) => {
        const rows = rowsOf(body);
        const last = row.read(rows.at(-1), "name");
        return rows.length < rowsOfPage ? null : after(["name", ">", last]);
      },
    },
    items: rowsOf,
    idOf: (one) => row.read(one, "name"),
  };
}

const rowsOf = recordsAt("data");

/** Those whose field is one of the values, or all without values. */
export async function allOf(
  client: RestClient,
  doctype: string,
  field: string,
  { values, filters = [], ...asked }: Asked & { values: readonly string[] | undefined },
): Promise<Wire[]> {
  if (!values) return await wholeList(client, doctype, { ...asked, filters });
  const found: Wire[] = [];
  const listed = (some: readonly string[]): Asked => ({
    ...asked,
    filters: [...filters, [field, "in", some]],
  });
  const { path, query } = docs(doctype, listed([]));
  for (const some of inLines(values, lineLimit - lineReserve - bytesOf(path, query)))
    found.push(...(await wholeList(client, doctype, listed(some))));
  return found;
}

/** So many values at once as fit into these bytes of an address, at least one. */
function* inLines(values: readonly string[], most: number): Generator<string[]> {
  let line: string[] = [];
  let left = most;
  for (const value of values) {
    // With the comma after it, which takes three.
    const bytes = bytesOf("", { "": JSON.stringify(value) }) + 3;
    if (line.length > 0 && bytes > left) {
      yield line;
      [line, left] = [[], most];
    }
    line.push(value);
    left -= bytes;
  }
  if (line.length > 0) yield line;
}

function bytesOf(path: string, query: RestList["query"] = {}): number {
  const written = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return path.length + new URLSearchParams(written).toString().length;
}

/** What each of our data is made of, first what a user without the right has none of. */
const doctypesOf: Readonly<Record<Resource, readonly string[]>> = {
  company: ["Company"],
  groups: ["Department"],
  "work-locations": ["Branch"],
  employees: ["Employee"],
  payruns: ["Payroll Entry", "Salary Slip"],
  payslips: ["Salary Slip", "Salary Component"],
  timesheets: [],
  "time-off-entries": ["Leave Application"],
  "time-off-balances": ["Leave Allocation", "Leave Ledger Entry", "Leave Type", "Holiday List"],
};
/** What records are joined with. Of who may not read it, these fields are limited; a part of it would make them wrong. */
const joinedWith: Readonly<Partial<Record<Resource, readonly string[]>>> = {
  company: ["Address"],
  employees: ["Salary Structure Assignment", "Salary Structure", "Leave Application", "Department"],
};

/** The kind of document that says how long people worked. */
export function timesOf({ timesheets }: Readonly<Record<string, string>>): string {
  return timesheets === "projects" ? "Timesheet" : "Attendance";
}

function allOfResource(resource: Resource, settings: ReadContext["settings"]): readonly string[] {
  return resource === "timesheets" ? [timesOf(settings)] : doctypesOf[resource];
}

const permission = defineSource({ applicable_for: text });

/** Whether user permissions cut these lists. The lists themselves do not say so, and neither does their status. */
export async function isCut(
  client: RestClient,
  resources: readonly Resource[],
  settings: ReadContext["settings"],
): Promise<boolean> {
  const method = "frappe.core.doctype.user_permission.user_permission.get_user_permissions";
  const body = await client.get(`/api/method/${method}`);
  const told = isRecord(body) ? body["message"] : undefined;
  if (!isRecord(told)) throw new ProviderBug("the user permissions of the key are not told");
  const read = new Set(
    resources.flatMap((resource) => [
      ...allOfResource(resource, settings),
      ...(joinedWith[resource] ?? []),
    ]),
  );
  return Object.values(told)
    .flatMap(recordsOf)
    .map((one) => permission.read(one, "applicable_for"))
    .some((only) => only === null || read.has(only));
}

const right = defineSource({
  message: { permissions: { read: flag, if_owner: { read: flag } } },
});

/**
 * Throws where rows are listed that are only shared with the user, or their own: such a list is short, and looks whole.
 * One row tells it of all.
 */
async function requireRight(
  client: RestClient,
  doctype: string,
  rows: readonly unknown[],
): Promise<void> {
  const names = rows.flatMap((one) => row.read(one, "name") ?? []);
  if (names.length === 0) return;
  const method = "/api/method/frappe.client.get_doc_permissions";
  const untold = new OperationNotSupported("this Frappe does not tell whether a list is whole");
  for (const docname of names.slice(0, rowsAsked)) {
    const errors = { 404: "absent", 417: untold } as const;
    const told = await client.get(method, { query: { doctype, docname }, errors });
    // It was deleted since it was listed.
    if (told === null) continue;
    const isOwn = right.read(told, "message.permissions.if_owner.read") === true;
    if (isOwn || right.read(told, "message.permissions.read") !== true)
      throw new AuthError("insufficient_permission");
    return;
  }
  throw new ProviderDown(`Frappe finds none of the ${doctype} that it listed`);
}

/** The first row of each list that our data are made of. */
export async function requireRights(
  client: RestClient,
  resource: Resource,
  settings: ReadContext["settings"],
): Promise<void> {
  for (const doctype of allOfResource(resource, settings)) {
    const { path, query } = docs(doctype, { fields: ["name"] });
    const body = await client.get(path, { query: { ...query, limit_page_length: rowsAsked } });
    await requireRight(client, doctype, rowsOf(body));
  }
}

/** The client of a read, once user permissions cut nothing of it. */
export async function openUncut(context: ReadContext, resource: Resource): Promise<RestClient> {
  const client = api.inRead(context);
  if (await isCut(client, [resource], context.settings))
    throw new AuthError("insufficient_permission");
  return client;
}

/** The pages of a list, of which the user sees every row. */
export async function* wholePages(
  client: RestClient,
  doctype: string,
  { cursor, ...asked }: Asked & { cursor?: Cursor | undefined },
): AsyncGenerator<{ items: readonly Wire[]; next: Cursor | null }> {
  // Rows inside of other documents have the rights of these, which were read before.
  let isKnown = asked.parent !== undefined;
  for await (const { items, next } of client.pages(docs(doctype, asked), cursor)) {
    if (!isKnown) await requireRight(client, doctype, items);
    isKnown = true;
    yield { items: items as readonly Wire[], next };
  }
}

export async function wholeList(
  client: RestClient,
  doctype: string,
  asked: Asked,
): Promise<Wire[]> {
  const found: Wire[] = [];
  for await (const { items } of wholePages(client, doctype, asked)) found.push(...items);
  return found;
}

/** Frappe leaves out fields of a level that the user may not read: null is another thing. */
export function limitHidden(
  context: ReadContext,
  table: Pick<Fields<unknown>, "limitedBy">,
  names: readonly string[],
  rows: readonly unknown[],
): void {
  const [first] = rows;
  if (isRecord(first)) context.limited(table.limitedBy(names.filter((name) => !(name in first))));
}

export function openSession(context: ProviderContext, given: Session) {
  return { ...api.parse(given), client: api.with(context, given) };
}

import { z } from "zod";
import type { Cursor, ReadContext } from "../contract.ts";
import { AuthError } from "../errors.ts";
import { lookup } from "../kit/lookup.ts";
import { recordsAt } from "../kit/paging.ts";
import { flag, records, text } from "../kit/readers.ts";
import { auth, rest, type RestClient, type RestRequest } from "../kit/rest.ts";
import { defineSource, isRecord } from "../kit/source.ts";

export const api = rest({
  session: z.strictObject({
    /** Of the service user. */
    id: z.string(),
    token: z.string(),
    /** Empty while they sign in. */
    companyId: z.string(),
  }),
  origin: "https://api.hibob.com",
  auth: ({ id, token }) => auth.basic(id, token),
  draws: ({ id }, { path }) => ({ address: "rollcall", [quotaOf(path)]: id }),
});

/** Of a module that the company may not have. */
export const ofModule = { errors: { 404: "unsupported" } } as const;

/** A minute's requests of a service user, somewhat below those that Bob takes; of some it does not say how many. */
export const quotas = {
  // A firewall blocks addresses with too many requests, for how many is not published.
  address: { perSecond: 4, isShared: true },
  search: { perMinute: 45 },
  balances: { perMinute: 45 },
  attendance: { perMinute: 180 },
  others: { perMinute: 45, atOnce: 2 },
} as const;

function quotaOf(path: string): Exclude<keyof typeof quotas, "address"> {
  if (path === searchPath) return "search";
  if (path.endsWith("/balance")) return "balances";
  return path.startsWith("/v1/attendance/") ? "attendance" : "others";
}

/** Of clocks, where the person typed none. */
export const usualZone = "UTC";

const searchPath = "/v1/people/search";

/**
 * People, leavers and those who will begin too. Bob leaves out of the answer what the service user may not see. `isBrief`
 * for a sign-in, whose answers are small while Bob gives everybody at once: without the words beside the values.
 */
export async function search(
  client: RestClient,
  fields: readonly string[],
  {
    ids,
    isBrief = false,
    ...options
  }: { ids?: readonly string[]; isBrief?: boolean } & Pick<RestRequest, "errors"> = {},
) {
  const json = {
    fields,
    showInactive: true,
    ...(!isBrief && { humanReadable: "APPEND" }),
    ...(ids && { filters: [{ fieldPath: "root.id", operator: "equals", values: ids }] }),
  };
  const found = await client.post(searchPath, { ...options, json, isIdempotent: true });
  return recordsAt("employees")(found);
}

const field = defineSource({
  id: text,
  name: text,
  categoryId: text,
  category: text,
  jsonPath: text,
  typeData: { listId: text },
});

export interface Field {
  id: string;
  name: string;
  /** Rights are given by it. */
  category: string;
  jsonPath: string;
  isList: boolean;
}

export const fieldsPath = "/v1/company/people/fields";

/** What the company knows of its people, by the ids of fields. Every service user may read this. */
const fieldsOf = lookup<Field>(async (context) => {
  const found = recordsAt()(await api.inRead(context).get(fieldsPath));
  return found.flatMap((one) => {
    const { id, name, categoryId, category, jsonPath, typeData } = field.parts(one);
    if (id === null) return [];
    const path = jsonPath ?? id.replace(/^root\./, "");
    const of = { id, name: name ?? id, category: categoryId ?? category ?? "", jsonPath: path };
    return [[id, { ...of, isList: (typeData?.listId ?? null) !== null }] as const];
  });
});

const item = defineSource({ id: text, name: text, value: text, archived: flag, children: records });

/** One thing of a list, such as a department. */
export interface Item {
  id: string;
  name: string | null;
  isArchived: boolean;
}

export const listsPath = "/v1/company/named-lists";

/** The lists of the company by their names, each with what is inside of its items, too. */
export const listsOf = lookup<readonly Item[]>(async (context) => {
  const query = { includeArchived: true };
  const body = await api.inRead(context).get(listsPath, { query });
  const lists = recordsAt("lists")(Array.isArray(body) ? { lists: body } : body);
  return lists.map((one) => [String(one["name"]), flatten(recordsAt("items")(one))] as const);
});

function flatten(items: readonly object[]): Item[] {
  return items.flatMap((one) => {
    const { id, name, value, archived, children } = item.parts(one);
    const inside = flatten(children ?? []);
    if (id === null) return inside;
    return [{ id, name: name ?? value, isArchived: archived ?? false }, ...inside];
  });
}

/** The words of every item, by its id. */
async function wordsOf(context: ReadContext): Promise<ReadonlyMap<string, string>> {
  const items = [...(await listsOf(context)).values()].flat();
  return new Map(items.flatMap(({ id, name }) => (name === null ? [] : [[id, name] as const])));
}

/** What records say of fields, by their ids: undefined what they leave out. Of a list, an item has its words. */
export async function openFields(context: ReadContext) {
  const fields = await fieldsOf(context);
  const words = await wordsOf(context);
  const read = (record: object, id: string): unknown => {
    const { jsonPath, isList } = fields.get(id) ?? {};
    const told = tell(record, id, jsonPath);
    if (!isList || told === null || told === undefined) return told;
    const ids = [told].flat().map(String);
    const name = valueAt(record, `humanReadable.${jsonPath}`);
    return { id: ids[0], name: name ?? ids.map((one) => words.get(one) ?? one) };
  };
  return {
    fields,
    words,
    read: (record: object, ids: readonly string[]) =>
      Object.fromEntries(ids.map((id) => [id, read(record, id)])),
  };
}

/** What a record says of a field, in one of two ways; undefined where it leaves it out. */
export function tell(record: unknown, id: string, jsonPath = id.replace(/^root\./, "")): unknown {
  const flat = isRecord(record) ? record[`/${id.replaceAll(".", "/")}`] : undefined;
  return isRecord(flat) ? flat["value"] : valueAt(record, jsonPath);
}

function valueAt(record: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((part, name) => (isRecord(part) ? part[name] : undefined), record);
}

/** The words, where it is an item of a list. */
function statusOf(one: object): unknown {
  return valueAt(one, "humanReadable.internal.status") ?? tell(one, "internal.status");
}

/** The ids of everybody, or of those who have not left. A service user who sees nobody lacks a right. */
export async function readIds(
  client: RestClient,
  { isPresent = false }: { isPresent?: boolean } = {},
): Promise<string[]> {
  const found = await search(client, ["root.id", ...(isPresent ? ["internal.status"] : [])]);
  if (found.length === 0) throw new AuthError("insufficient_permission");
  return found
    .filter((one) => !isPresent || String(statusOf(one)).toLowerCase() !== "inactive")
    .map((one) => String(tell(one, "root.id")))
    .toSorted();
}

/** So many ids at once, with the cursor to yield with their records; undefined with those of the last ones. */
export function* inBatches(
  ids: readonly string[],
  size: number,
  cursor: Cursor | undefined,
): Generator<{ ids: readonly string[]; cursor: Cursor | undefined }> {
  const told = cursor?.["after"];
  const after = typeof told === "string" ? told : "";
  const left = ids.filter((id) => id > after);
  for (let start = 0; start < left.length; start += size) {
    const some = left.slice(start, start + size);
    const isLast = start + size >= left.length;
    yield { ids: some, cursor: isLast ? undefined : { after: some.at(-1) } };
  }
}

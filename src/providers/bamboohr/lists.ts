import { defineReader, type ReadContext } from "../contract.ts";
import { defineFields } from "../kit/fields.ts";
import { recordsAt } from "../kit/paging.ts";
import { country, flag, given, text } from "../kit/readers.ts";
import type { RestClient } from "../kit/rest.ts";
import { whereReadable } from "../kit/rights.ts";
import { defineSource } from "../kit/source.ts";
import type { SourceRecord } from "../source-records.ts";
import { api, endsWith, id, toRecord, type BambooRecord } from "./client.ts";

type Group = SourceRecord<"groups"> & { remote_id: string };

/** A value of a list of the customer's. */
const option = defineSource({ id, name: text, archived: flag });

/** The customer's lists, by their alias. */
export type Lists = ReadonlyMap<unknown, readonly BambooRecord[]>;

/** Archived values are there because old rows name them. */
async function readLists(client: RestClient): Promise<Lists> {
  const lists = recordsAt()(await client.get("/api/v1/meta/lists"));
  return new Map(lists.map(({ alias, options }) => [alias, Array.isArray(options) ? options : []]));
}

/** Undefined when the account may not read them. */
export async function readListsIfAllowed(client: RestClient): Promise<Lists | undefined> {
  return await whereReadable(() => readLists(client));
}

function listCurrent(lists: Lists, alias: string): { id: string; name: string }[] {
  return (lists.get(alias) ?? []).flatMap((one) => {
    const [optionId, name] = [option.read(one, "id"), option.read(one, "name")];
    const isKnown = optionId !== null && name !== null && option.read(one, "archived") !== true;
    return isKnown ? [{ id: optionId, name }] : [];
  });
}

/** By name, because rows of tables and of the dataset have no ids. Null for an archived value. */
export function findOptionId(
  lists: Lists | null,
  alias: string,
  name: string | null,
): string | null {
  return listCurrent(lists ?? new Map(), alias).find((one) => one.name === name)?.id ?? null;
}

/** Of the lists that are groups, what they are called here: divisions are no kind of ours. */
const groupKinds = { department: "department", division: null } as const;
type GroupKind = keyof typeof groupKinds;

/** Departments and divisions can have the same number. */
export function toGroup(kind: GroupKind, groupId: string, name: string | null): Group {
  return { remote_id: `${kind}-${groupId}`, name, type: groupKinds[kind] };
}

const group = defineSource({
  remote_id: text,
  name: text,
  type: given<Exclude<Group["type"], undefined>>(),
});
const groupFields = defineFields("groups", group, {
  remote_id: "remote_id",
  name: "name",
  type: "type",
}).says({
  remote_id: "the kind of the group and the id of the option: both kinds may have the same number",
  type: "null of a division",
});

export const groups = defineReader<"groups", Group>({
  async *fetch(context) {
    const lists = await readLists(api.inRead(context));
    yield (["department", "division"] as const).flatMap((kind) =>
      listCurrent(lists, kind).map((one) => toGroup(kind, one.id, one.name)),
    );
  },
  table: groupFields,
});

const place = defineSource({
  id,
  label: text,
  archived: flag,
  address: {
    remoteLocation: flag,
    address1: text,
    address2: text,
    city: text,
    state: { name: text, abbreviation: text },
    zipcode: text,
    country: { isoCode: country },
  },
});

export const placeFields = defineFields("work-locations", place, {
  remote_id: "id",
  name: "label",
  address: place.from(["address"], (address) => {
    if (address === null || address.remoteLocation === true) return null;
    const code = address.country?.isoCode ?? null;
    const { abbreviation = null, name = null } = address.state ?? {};
    const parts = {
      street_address: joinStreets(address.address1, address.address2),
      locality: address.city,
      administrative_area: hasStates(code) ? abbreviation : name,
      country: code,
      post_code: address.zipcode,
    };
    return Object.values(parts).some((part) => part !== null) ? parts : null;
  }),
}).says({
  address: "null of a remote place; the state in two letters in the United States and Canada",
});

/** With addresses, where BambooHR gives them to the account; else by name alone, and hidden. */
export async function readPlaces(
  client: RestClient,
  lists: Lists,
): Promise<{ places: BambooRecord[]; areHidden: boolean }> {
  const listed = await whereReadable(() =>
    client.all({
      path: "/api/v1/hris/org/locations",
      query: { expand: "state,country" },
      paging: {
        by: "page",
        parameter: "page",
        first: 0,
        size: ["pageSize", 500],
        isLast: endsWith(({ meta }) => toRecord(meta)["totalPages"]),
      },
      items: recordsAt("data"),
    }),
  );
  const found =
    (listed as BambooRecord[] | undefined) ??
    listCurrent(lists, "location").map((one) => ({ id: one.id, label: one.name }));
  const places = found.filter(
    (one) => place.read(one, "id") !== null && !place.read(one, "archived"),
  );
  return { places, areHidden: !listed };
}

export const workLocations = defineReader<"work-locations", BambooRecord>({
  async *fetch(context: ReadContext) {
    const client = api.inRead(context);
    const { places, areHidden } = await readPlaces(client, await readLists(client));
    if (areHidden) context.limited(placeFields.limitedBy(["address"]));
    yield places;
  },
  table: placeFields,
});

/** The code of each country by the name that people's addresses have. Undefined when the account may not read them. */
export async function readCountries(
  client: RestClient,
): Promise<ReadonlyMap<unknown, unknown> | undefined> {
  const found = await whereReadable(async () =>
    recordsAt()(await client.get("/api/v1/meta/countries/options")),
  );
  return found && new Map(found.map(({ name, isoCode }) => [name, isoCode]));
}

/** Of other countries the state has a name alone. */
export function hasStates(code: unknown): boolean {
  return code === "US" || code === "CA";
}

export function joinStreets(one: string | null, other: string | null): string | null {
  return [one, other].filter((line) => line !== null).join(", ") || null;
}

import { countries } from "../../model/index.ts";
import type { SourceRecord } from "../source-records.ts";
import type { BambooClient } from "./bamboohr-client.ts";
import {
  hasMorePages,
  requireRecords,
  toId,
  toRecord,
  toRecords,
  toText,
  type BambooRecord,
} from "./field-values.ts";

export type Address = NonNullable<SourceRecord<"company">["address"]>;
export type Group = SourceRecord<"groups"> & { remote_id: string };
export type Place = SourceRecord<"work-locations"> & { remote_id: string };
type Country = NonNullable<Address["country"]>;

/** A value of a list of the customer's. */
interface Option {
  id: string;
  name: string;
  isArchived: boolean;
}

export type OptionLists = ReadonlyMap<string, readonly Option[]>;

const locationsPerPage = 500;

/** The customer's lists, by their alias. Archived values are there because old rows name them. */
export async function readLists(client: BambooClient): Promise<OptionLists> {
  return toLists(await client.ask({ path: "/api/v1/meta/lists" }));
}

/** Empty when the account may not read them: then groups and places have names alone. */
export async function readListsIfAllowed(client: BambooClient): Promise<OptionLists> {
  const answer = await client.askIfAllowed({ path: "/api/v1/meta/lists" });
  return answer === null ? new Map() : toLists(answer);
}

function toLists(answer: unknown): OptionLists {
  return new Map(
    requireRecords(answer, "lists").map(({ alias, options }) => [
      toText(alias) ?? "",
      toRecords(options).flatMap(toOption),
    ]),
  );
}

function toOption({ id, name, archived }: BambooRecord): Option[] {
  const [optionId, text] = [toId(id), toText(name)];
  if (optionId === null || text === null) return [];
  return [{ id: optionId, name: text, isArchived: toText(archived) === "yes" }];
}

const groupKinds = { department: "department", division: null } as const;
export type GroupKind = keyof typeof groupKinds;

/** Departments and divisions can have the same number. */
export function toGroup(kind: GroupKind, id: string, name: string | null): Group {
  return { remote_id: `${kind}-${id}`, name, type: groupKinds[kind] };
}

export function listGroups(lists: OptionLists): Group[] {
  return (["department", "division"] as const).flatMap((kind) =>
    (lists.get(kind) ?? [])
      .filter(({ isArchived }) => !isArchived)
      .map(({ id, name }) => toGroup(kind, id, name)),
  );
}

/** By name, because rows of tables and of the dataset have no ids. Null for an archived value. */
export function findOptionId(
  lists: OptionLists,
  alias: string,
  name: string | null,
): string | null {
  if (name === null) return null;
  const found = (lists.get(alias) ?? []).filter((option) => option.name === name);
  return found.find(({ isArchived }) => !isArchived)?.id ?? null;
}

/** With addresses, where BambooHR gives them to the account; else by name alone. */
export async function readPlaces(client: BambooClient, lists: OptionLists): Promise<Place[]> {
  const places: Place[] = [];
  for (let page = 0; ; page += 1) {
    const answer = await client.askIfAllowed({
      path: "/api/v1/hris/org/locations",
      query: { page, pageSize: locationsPerPage, expand: "state,country" },
    });
    if (answer === null) return listPlaces(lists);
    const { data, meta } = toRecord(answer);
    const found = requireRecords(data, "places");
    places.push(...found.flatMap(toPlace));
    const { totalPages: count } = toRecord(meta);
    if (!hasMorePages(count, { pages: page + 1, records: found.length })) return places;
  }
}

function listPlaces(lists: OptionLists): Place[] {
  return (lists.get("location") ?? [])
    .filter(({ isArchived }) => !isArchived)
    .map(({ id, name }) => ({ remote_id: id, name, type: null, address: null }));
}

export function toPlace({ id, label, archived, address }: BambooRecord): Place[] {
  const placeId = toId(id);
  if (placeId === null || archived === true) return [];
  const at = toRecord(address);
  const state = toRecord(at["state"]);
  const country = toCountry(toRecord(at["country"])["isoCode"]);
  const hasStates = country === "US" || country === "CA";
  return [
    {
      remote_id: placeId,
      name: toText(label),
      type: null,
      address:
        at["remoteLocation"] === true
          ? null
          : toAddress({
              street_address: joinStreets(at["address1"], at["address2"]),
              locality: toText(at["city"]),
              administrative_area: toText(hasStates ? state["abbreviation"] : state["name"]),
              country,
              post_code: toText(at["zipcode"]),
            }),
    },
  ];
}

/** The code of each country by the name that people's addresses have. */
export async function readCountries(client: BambooClient): Promise<ReadonlyMap<string, string>> {
  const answer = await client.askIfAllowed({ path: "/api/v1/meta/countries/options" });
  return new Map(
    requireRecords(answer ?? [], "countries").map(({ name, isoCode }) => [
      toText(name) ?? "",
      toText(isoCode) ?? "",
    ]),
  );
}

/** Null for a code that the public model does not have. */
export function toCountry(code: unknown): Country | null {
  return countries.find((known) => known === toText(code)) ?? null;
}

export function joinStreets(...lines: readonly unknown[]): string | null {
  const streets = lines.map(toText).filter((line) => line !== null);
  return streets.join(", ") || null;
}

/** Null when nothing of it is known. */
export function toAddress(address: Address): Address | null {
  return Object.values(address).some((part) => part !== null) ? address : null;
}

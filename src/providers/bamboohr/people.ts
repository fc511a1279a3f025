import { BadRequest, ifAllowed, type BambooClient } from "./bamboohr-client.ts";
import type { CompanyTables } from "./company-tables.ts";
import { idField, readDataset, readDatasetFields, type DatasetField } from "./dataset.ts";
import {
  chooseNames,
  findCustomFields,
  listRestricted,
  listUnoffered,
  onlyInDataset,
  renameRow,
  type DetailNames,
} from "./details.ts";
import { PeopleByName } from "./employments.ts";
import { requireId, toId, toText, type BambooRecord } from "./field-values.ts";
import { listGroupsOf, type RawEmployee } from "./map-employee.ts";
import { findOptionId } from "./references.ts";
import { readRosterIfAllowed } from "./roster.ts";

/** What BambooHR's list and its dataset say of people. */
export interface People {
  /** The ids in the pages that BambooHR gave, each once. */
  pages: readonly (readonly string[])[];
  byId: ReadonlyMap<string, Person>;
  byName: PeopleByName;
  /** Fields of ours that are not for the account, of at least one person. */
  limited: readonly string[];
}

interface Person {
  /** By the names of the list. */
  person: BambooRecord;
  /** Null when the account may not read the dataset. */
  customFields: BambooRecord | null;
}

interface Dataset {
  names: DetailNames;
  customFields: readonly DatasetField[];
  pages: readonly (readonly BambooRecord[])[];
}

/**
 * Everybody, or only these people and the names of the others. Null when the account may read no employees. Only a key
 * does without the list: the dataset alone is counted by an offset, which the reader of keys tells the host.
 */
export async function readPeople(
  client: BambooClient,
  ids?: readonly string[],
): Promise<People | null> {
  const roster = await readRosterIfAllowed(client);
  if (!roster && !("key" in client.session)) return null;
  // Without a list, the names of all people stand in the dataset alone.
  const dataset = await ifAllowed(() => openDataset(client, roster ? ids : undefined));
  if (!roster && !dataset) return null;
  const rows = new Map(
    (dataset?.pages ?? []).flat().map((row) => [toId(row[idField]) ?? "", row] as const),
  );
  const listed = roster ? byEmployeeId(roster) : renamed(dataset, rows);
  const wanted = ids && new Set(ids);
  const isWanted = (id: string): boolean => listed.has(id) && (wanted?.has(id) ?? true);
  if (roster && dataset)
    await addMissing(client, dataset, rows, [...listed.keys()].filter(isWanted));
  const byName = new PeopleByName();
  for (const person of listed.values()) byName.add(person);
  const byId = new Map<string, Person>();
  const unoffered = dataset ? listUnoffered(dataset.names) : [];
  const limited = new Set(unoffered.filter((field) => !roster || onlyInDataset.includes(field)));
  for (const [id, person] of listed) {
    const row = rows.get(id);
    byId.set(id, describePerson(person, row, dataset));
    if (isWanted(id) && !row) for (const field of onlyInDataset) limited.add(field);
    const { customFields = [] } = dataset ?? {};
    for (const field of [...listRestricted(person), ...listRestricted(row, customFields)])
      limited.add(field);
  }
  const pages = paginate(dataset?.pages ?? [], [...listed.keys()].filter(isWanted));
  return { pages, byId, byName, limited: [...limited] };
}

async function openDataset(client: BambooClient, ids?: readonly string[]): Promise<Dataset> {
  const fields = await readDatasetFields(client);
  const names = chooseNames(fields);
  const customFields = findCustomFields(fields);
  const asked = namesToAsk(names, customFields);
  return { names, customFields, pages: await readDataset(client, asked, ids) };
}

function namesToAsk(names: DetailNames, customFields: readonly DatasetField[]): string[] {
  return [...new Set([idField, ...names.values(), ...customFields.map(({ name }) => name)])];
}

/** A deletion shifts the pages of the dataset, so that it can leave somebody out who is on the list. */
async function addMissing(
  client: BambooClient,
  { names, customFields }: Dataset,
  rows: Map<string, BambooRecord>,
  ids: readonly string[],
): Promise<void> {
  const missing = ids.filter((id) => !rows.has(id));
  if (missing.length === 0) return;
  try {
    const found = await readDataset(client, namesToAsk(names, customFields), missing);
    for (const row of found.flat()) rows.set(toId(row[idField]) ?? "", row);
  } catch (error) {
    // Where BambooHR takes no filter by id, they stay without details, which is told.
    if (!(error instanceof BadRequest)) throw error;
  }
}

function byEmployeeId(roster: readonly BambooRecord[]): Map<string, BambooRecord> {
  return new Map(roster.map((person) => [requireId(person, "employeeId"), person]));
}

function renamed(
  dataset: Dataset | null,
  rows: ReadonlyMap<string, BambooRecord>,
): Map<string, BambooRecord> {
  const { names } = dataset ?? { names: new Map() as DetailNames };
  return new Map([...rows.values()].map((row) => [requireId(row, idField), renameRow(row, names)]));
}

/** Values of the list count before those of the dataset. */
function describePerson(
  listed: BambooRecord,
  row: BambooRecord | undefined,
  dataset: Dataset | null,
): Person {
  if (!dataset || !row) return { person: listed, customFields: null };
  const known = Object.entries(listed).filter(([, value]) => toText(value) !== null);
  return {
    person: { ...renameRow(row, dataset.names), ...Object.fromEntries(known) },
    customFields: Object.fromEntries(
      dataset.customFields.map(({ name, label }) => [label, row[name] ?? null]),
    ),
  };
}

/** Cuts the ids into the pages of the dataset. Whoever is not in it comes last. */
function paginate(pages: readonly (readonly BambooRecord[])[], ids: readonly string[]): string[][] {
  const left = new Set(ids);
  const paged = pages.map((page) =>
    page.map((row) => toId(row[idField]) ?? "").filter((id) => left.delete(id)),
  );
  return left.size > 0 ? [...paged, [...left]] : paged;
}

/** Puts together what all requests said of these people. */
export function joinPeople(
  ids: readonly string[],
  people: People,
  tables: CompanyTables,
): RawEmployee[] {
  return ids.flatMap((id) => {
    const found = people.byId.get(id);
    if (!found) return [];
    const { person, customFields } = found;
    const { lists } = tables;
    return [
      {
        id,
        person,
        customFields,
        manager: people.byId.get(toId(person["reportsToId"]) ?? "")?.person ?? null,
        jobRows: tables.jobRowsOf(id),
        groups: listGroupsOf(person, (kind, name) => findOptionId(lists, kind, name)),
        place: findPlace(person, tables),
        homeCountry: findCountry(person, tables),
        emergencyContacts: tables.emergencyContacts?.get(id) ?? (tables.emergencyContacts && []),
        dependents: tables.dependents?.get(id) ?? (tables.dependents && []),
      },
    ];
  });
}

function findPlace(person: BambooRecord, { places, lists }: CompanyTables): RawEmployee["place"] {
  const name = toText(person["locationName"]);
  const id = toId(person["locationId"]) ?? findOptionId(lists, "location", name);
  if (id === null && name === null) return null;
  const known = places.find((place) => place.remote_id === id);
  return known ?? { remote_id: id, name, type: null, address: null };
}

/** By its name, or by the code itself. */
function findCountry(person: BambooRecord, { countries }: CompanyTables): string | null {
  const name = toText(person["country"]);
  if (name === null) return null;
  return countries.get(name) ?? (/^[A-Z]{2}$/.test(name) ? name : null);
}

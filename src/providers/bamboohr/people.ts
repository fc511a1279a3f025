import { byLabels } from "../kit/custom-fields.ts";
import { recordsAt } from "../kit/paging.ts";
import { readValue, text } from "../kit/readers.ts";
import { RequestRefused, type RestClient } from "../kit/rest.ts";
import { whereReadable } from "../kit/rights.ts";
import { requireId, toRecord, type BambooRecord, type BambooSession } from "./client.ts";
import {
  idField,
  listMarked,
  readDataset,
  readDatasetFields,
  type DatasetFields,
} from "./dataset.ts";
import { employeeFields, person, personNames } from "./employee-fields.ts";

/** What BambooHR's list and its dataset say of people. */
export interface People {
  /** Those who were asked for. */
  ids: readonly string[];
  /** By the names of the list, with `customFields`, which are null when the account may not read the dataset. */
  byId: ReadonlyMap<string, BambooRecord>;
  /** Fields of ours that are not for the account, of at least one person. */
  limited: readonly string[];
  /** Whether they come from the list, which has ids beside names. */
  areListed: boolean;
}

/** Given without being asked for. */
const alwaysListed = "employeeId,firstName,lastName,preferredName,jobTitleName,status";
const listedOnRequest =
  "workEmail,homeEmail,mobilePhone,birthDate,hireDate,departmentId,departmentName,divisionId,divisionName," +
  "locationId,locationName,employmentStatusName,reportsToId,reportsToName";
const isListed = (name: string): boolean =>
  `${alwaysListed},${listedOnRequest}`.split(",").includes(name);
const onlyInDataset = ["customFields", ...personNames.filter((name) => !isListed(name))];
/** What every company has: where the dataset does not offer it, it is not for the account. */
const standardNames =
  "status,jobTitleName,employeeNumber,workEmail,birthDate,hireDate,terminationDate,gender,maritalStatus,address1";

/** Whether the account is asked for what the list or the dataset calls so. */
export type IsAsked = (name: string) => boolean;

/** Never with a filter or a sort: people whose field is not for the account would be left out. */
export const employeeList = {
  path: "/api/v1/employees",
  query: { fields: listedOnRequest },
} as const;
const pageSize = 2_500;

/** Everybody, leavers too; undefined when BambooHR gives the account no list. */
async function readRoster(
  client: RestClient,
  session: BambooSession,
  isAsked: IsAsked = () => true,
): Promise<BambooRecord[] | undefined> {
  if ("key" in session && !session.canListEmployees) return undefined;
  const { path } = employeeList;
  const fields = listedOnRequest.split(",").filter(isAsked).join();
  const found = await whereReadable(() =>
    client.all({
      path,
      query: { fields, "page[limit]": pageSize },
      paging: {
        by: "cursor",
        parameter: "page[after]",
        // It is opaque text, also where it looks like a number.
        next: (body) => toRecord(toRecord(toRecord(body)["meta"])["page"])["nextCursor"],
      },
      items: recordsAt("data"),
      idOf: (one) => toRecord(one)["employeeId"],
    }),
  );
  return found as BambooRecord[] | undefined;
}

/** Those who work there; undefined when the account may read no employees. */
export async function readPresentIds(
  client: RestClient,
  session: BambooSession,
): Promise<string[] | undefined> {
  const people =
    (await readRoster(client, session)) ??
    (await whereReadable(() => readDataset(client, [idField, "status"])));
  return people
    ?.filter((one) => person.read(one, "status") !== "inactive")
    .map((one) => requireId(one, idField in one ? idField : "employeeId"));
}

interface Dataset extends DatasetFields {
  /** By the names of the list, what the account may ask for. */
  offered: ReadonlySet<string>;
  rows: readonly BambooRecord[];
}

/**
 * Everybody, or only these people and the names of the others. Undefined when the account may read no employees. Only a
 * key does without the list: the dataset alone is counted by an offset, which the reader of keys tells the host.
 */
export async function readPeople(
  client: RestClient,
  session: BambooSession,
  { ids, isAsked }: { ids?: readonly string[] | undefined; isAsked: IsAsked },
): Promise<People | undefined> {
  const roster = await readRoster(client, session, isAsked);
  if (!roster && !("key" in session)) return undefined;
  // Without a list, the names of all people stand in the dataset alone.
  const dataset = await whereReadable(() => openDataset(client, isAsked, roster ? ids : undefined));
  if (!roster && !dataset) return undefined;
  const rows = new Map((dataset?.rows ?? []).map((row) => [requireId(row, idField), row]));
  const listed = roster
    ? new Map(roster.map((one) => [requireId(one, "employeeId"), one]))
    : new Map([...rows].map(([id, row]) => [id, rename(row, dataset)]));
  const wanted = [...(ids ? new Set(ids) : listed.keys())].filter((id) => listed.has(id));
  if (roster && dataset) await addMissing(client, dataset, rows, wanted);
  return {
    ids: wanted,
    byId: new Map(
      [...listed].map(([id, one]) => [id, describePerson(one, rows.get(id), dataset)] as const),
    ),
    areListed: roster !== undefined,
    limited: employeeFields.limitedBy([
      ...listUnoffered(dataset, roster !== undefined),
      ...(wanted.every((id) => rows.has(id)) ? [] : onlyInDataset),
      ...[...listed.values(), ...rows.values()].flatMap((row) =>
        listMarked(row, dataset ?? { custom: [] }),
      ),
    ]),
  };
}

async function openDataset(
  client: RestClient,
  isAsked: IsAsked,
  ids?: readonly string[],
): Promise<Dataset> {
  const found = await readDatasetFields(client);
  const names = [...found.names].filter(([name]) => isAsked(name));
  const fields = { ...found, names: new Map(names), offered: new Set(found.names.keys()) };
  return { ...fields, rows: await readDataset(client, namesToAsk(fields), ids) };
}

function namesToAsk({ names, custom }: DatasetFields): string[] {
  return [...new Set([idField, ...names.values(), ...custom.map(({ name }) => name)])];
}

/** A deletion shifts the pages of the dataset, so that it can leave somebody out who is on the list. */
async function addMissing(
  client: RestClient,
  dataset: Dataset,
  rows: Map<string, BambooRecord>,
  wanted: readonly string[],
): Promise<void> {
  const missing = wanted.filter((id) => !rows.has(id));
  if (missing.length === 0) return;
  try {
    const found = await readDataset(client, namesToAsk(dataset), missing);
    for (const row of found) rows.set(requireId(row, idField), row);
  } catch (error) {
    // Where BambooHR takes no filter by id, they stay without details, which is told.
    if (!(error instanceof RequestRefused)) throw error;
  }
}

/** A row of the dataset by the names of the list. */
function rename(row: BambooRecord, dataset: Dataset | undefined): BambooRecord {
  return Object.fromEntries([...(dataset?.names ?? [])].map(([name, other]) => [name, row[other]]));
}

const ourNames = new Set(["nationality", "original_start_date"]);
/** How a text and a date are written that nobody filled in. */
const unfilled: ReadonlySet<unknown> = new Set(["", "0000-00-00"]);

/** Values of the list count before those of the dataset. */
function describePerson(
  listed: BambooRecord,
  row: BambooRecord | undefined,
  dataset: Dataset | undefined,
): BambooRecord {
  if (!dataset || !row) return { ...listed, customFields: null };
  const known = Object.entries(listed).filter(
    ([, value]) => typeof readValue(text, value) === "string",
  );
  const custom = dataset.custom.map(({ name, label }) => ({
    label,
    key: name,
    value: unfilled.has(row[name]) ? null : row[name],
  }));
  return {
    ...rename(row, dataset),
    ...Object.fromEntries(known),
    customFields: byLabels(custom, ourNames),
  };
}

function listUnoffered(dataset: Dataset | undefined, hasRoster: boolean): string[] {
  if (!dataset) return [];
  return standardNames
    .split(",")
    .filter((name) => !dataset.offered.has(name) && !(hasRoster && isListed(name)));
}

/**
 * The ids of people by the names that tables call them by: by first name or preferred one. A name of two people is
 * nobody's.
 */
export function idsByName({ byId }: People): ReadonlyMap<string, string | null> {
  const ids = new Map<string, string | null>();
  for (const [id, one] of byId) {
    const last = person.read(one, "lastName");
    const [first, preferred] = [person.read(one, "firstName"), person.read(one, "preferredName")];
    const names = [first, ...(preferred === null ? [] : [preferred])].map((given) =>
      [given, last].filter((part) => part !== null).join(" "),
    );
    for (const name of new Set(names.filter((one) => one !== "")))
      ids.set(name, ids.has(name) ? null : id);
  }
  return ids;
}

import { ifAllowed, type BambooClient } from "./bamboohr-client.ts";
import type { JobRows, PeopleByName } from "./employments.ts";
import { requireId, requireRecords, toRecord, toText, type BambooRecord } from "./field-values.ts";
import {
  findOptionId,
  readCountries,
  readListsIfAllowed,
  readPlaces,
  toGroup,
  type OptionLists,
  type Place,
} from "./references.ts";
import { isReadable, readTable, tables, type RowsByEmployee, type Table } from "./tables.ts";

/** What is said of people outside of their own record. */
export interface CompanyTables {
  lists: OptionLists;
  places: readonly Place[];
  countries: ReadonlyMap<string, string>;
  jobRowsOf: (id: string) => JobRows;
  /** Null when the account may not read them. */
  emergencyContacts: RowsByEmployee | null;
  dependents: RowsByEmployee | null;
  /** Fields of ours that the account may not read. */
  limited: readonly string[];
}

/** One request after the other: a session that ends on the way is refreshed once. */
export async function readCompanyTables(
  client: BambooClient,
  { byName }: { byName: PeopleByName },
  since?: string,
): Promise<CompanyTables> {
  const jobs = await readTable(client, tables.jobs, since);
  const pay = await readTable(client, tables.pay, since);
  const statuses = await readTable(client, tables.statuses, since);
  const emergencyContacts = await readTable(client, tables.emergencyContacts, since);
  const dependents = await readDependents(client);
  const lists = await readListsIfAllowed(client);
  const read: readonly [RowsByEmployee | null, Table][] = [
    [jobs, tables.jobs],
    [pay, tables.pay],
    [statuses, tables.statuses],
    [emergencyContacts, tables.emergencyContacts],
  ];
  return {
    lists,
    places: await readPlaces(client, lists),
    countries: await readCountries(client),
    jobRowsOf: (id) => ({
      jobs: (jobs?.get(id) ?? []).map((row) => toJobRow(row, lists, byName)),
      pay: pay?.get(id) ?? [],
      statuses: statuses?.get(id) ?? [],
    }),
    emergencyContacts,
    dependents,
    limited: [
      ...read.flatMap(([rows, table]) => (isReadable(rows, table) ? [] : table.usedFor)),
      ...(dependents ? [] : ["dependents"]),
    ],
  };
}

/** Only for those who administer benefits. */
async function readDependents(client: BambooClient): Promise<RowsByEmployee | null> {
  return await ifAllowed(async () => {
    const answer = await client.ask({ path: "/api/v1/employeedependents" });
    const rows = requireRecords(toRecord(answer)["Employee Dependents"], "dependents");
    return Map.groupBy(rows, (row) => requireId(row, "employeeId"));
  });
}

/** A row has names alone. */
function toJobRow(row: BambooRecord, lists: OptionLists, byName: PeopleByName) {
  const id = findOptionId(lists, "department", toText(row["department"]));
  return {
    row,
    groupId: id === null ? null : toGroup("department", id, null).remote_id,
    managerId: byName.find(row["reportsTo"]),
  };
}

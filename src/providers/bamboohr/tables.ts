import type { RestClient } from "../kit/rest.ts";
import { whereReadable } from "../kit/rights.ts";
import { requireId, requireRecord, requireRecords, toRecord, type BambooRecord } from "./client.ts";
import { employeeFields } from "./employee-fields.ts";
import type { JobRows } from "./employment-fields.ts";

/** Undefined when the account may not read them. */
type RowsByPerson = ReadonlyMap<string, readonly BambooRecord[]> | undefined;

/** What BambooHR says of people in tables of its own. */
export interface Tables {
  jobRowsOf: (id: string) => JobRows;
  emergencyContacts: RowsByPerson;
  dependents: RowsByPerson;
  /** Fields of ours that the account may not read. */
  limited: readonly string[];
}

/** BambooHR leaves a column out of a row, without a mark, when it is not for the account. */
const neededColumns = {
  job: ["date", "jobTitle", "department", "reportsTo"],
  pay: ["startDate", "rate"],
  status: ["date", "employmentStatus"],
} satisfies Record<keyof JobRows, readonly string[]>;

/** One request after the other: a session that ends on the way is refreshed once. */
export async function readTables(client: RestClient, since?: string): Promise<Tables> {
  const job = await readTable(client, "jobInfo", since);
  const pay = await readTable(client, "compensation", since);
  const status = await readTable(client, "employmentStatus", since);
  const emergencyContacts = await readTable(client, "emergencyContacts", since);
  const dependents = await readDependents(client);
  const rows = { job, pay, status };
  const hidden = (["job", "pay", "status"] as const).filter(
    (name) => !hasColumns(rows[name], neededColumns[name]),
  );
  return {
    jobRowsOf: (id) => ({
      job: job?.get(id) ?? [],
      pay: pay?.get(id) ?? [],
      status: status?.get(id) ?? [],
    }),
    emergencyContacts,
    dependents,
    limited: employeeFields.limitedBy([
      ...hidden,
      ...(emergencyContacts ? [] : ["emergencyContacts"]),
      ...(dependents ? [] : ["dependents"]),
    ]),
  };
}

/** Of all people, or of those who changed since. */
async function readTable(client: RestClient, name: string, since?: string): Promise<RowsByPerson> {
  return await whereReadable(async () => {
    if (since === undefined)
      return byPerson(await client.get(`/api/v1/employees/all/tables/${name}`), "a table");
    const path = `/api/v1/employees/changed/tables/${name}`;
    const { employees } = requireRecord(await client.get(path, { query: { since } }), "a table");
    // BambooHR writes an empty map as a list.
    if (Array.isArray(employees) && employees.length === 0) return new Map();
    const people = Object.entries(requireRecord(employees, "a table"));
    return new Map(
      people.map(([id, one]) => [id, requireRecords(toRecord(one)["rows"], "a table")]),
    );
  });
}

/** Only for those who administer benefits. */
async function readDependents(client: RestClient): Promise<RowsByPerson> {
  return await whereReadable(async () => {
    const answer = await client.get("/api/v1/employeedependents");
    return byPerson(toRecord(answer)["Employee Dependents"], "dependents");
  });
}

function byPerson(rows: unknown, what: string): RowsByPerson {
  return Map.groupBy(requireRecords(rows, what), (row) => requireId(row, "employeeId"));
}

function hasColumns(rows: RowsByPerson, columns: readonly string[]): boolean {
  const all = [...(rows?.values() ?? [])].flat();
  return rows !== undefined && all.every((row) => columns.every((column) => column in row));
}

import type { RestClient } from "../kit/rest.ts";
import { recordsAt } from "../kit/paging.ts";
import { whereReadable } from "../kit/rights.ts";
import { isRecord } from "../kit/source.ts";
import { ProviderBug } from "../errors.ts";
import { requireId, toRecord, type BambooRecord } from "./client.ts";
import { employeeFields } from "./employee-fields.ts";
import type { JobRows } from "./employment-fields.ts";
import type { IsAsked } from "./people.ts";

/** Undefined when the account may not read them. */
type RowsByPerson = ReadonlyMap<string, readonly BambooRecord[]> | undefined;

/** What BambooHR says of people in tables of its own. */
export interface Tables {
  jobRowsOf: (id: string) => JobRows;
  /** What our records have of the other tables: no list where the account may not read it. */
  of: (id: string) => object;
  /** Fields of ours that the account may not read. */
  limited: readonly string[];
}

/** BambooHR leaves a column out of a row, without a mark, when it is not for the account. */
const neededColumns = {
  jobInfo: ["date", "jobTitle", "department", "reportsTo"],
  compensation: ["startDate", "rate"],
  employmentStatus: ["date", "employmentStatus"],
} satisfies Record<keyof JobRows, readonly string[]>;

/** One request after the other: a session that ends on the way is refreshed once. */
export async function readTables(
  client: RestClient,
  isAsked: IsAsked,
  since?: string,
): Promise<Tables> {
  const jobInfo = await readTable(client, "jobInfo", since);
  const compensation = await readTable(client, "compensation", since);
  const employmentStatus = await readTable(client, "employmentStatus", since);
  const emergencyContacts = isAsked("emergencyContacts")
    ? await readTable(client, "emergencyContacts", since)
    : undefined;
  const dependents = isAsked("dependents") ? await readDependents(client) : undefined;
  const rows = { jobInfo, compensation, employmentStatus };
  const hidden = (["jobInfo", "compensation", "employmentStatus"] as const).filter(
    (name) => !hasColumns(rows[name], neededColumns[name]),
  );
  return {
    jobRowsOf: (id) => ({
      jobInfo: jobInfo?.get(id) ?? [],
      compensation: compensation?.get(id) ?? [],
      employmentStatus: employmentStatus?.get(id) ?? [],
    }),
    of: (id) => ({
      emergencyContacts: emergencyContacts && (emergencyContacts.get(id) ?? []),
      dependents: dependents && (dependents.get(id) ?? []),
    }),
    limited: employeeFields.limitedBy([
      ...hidden,
      ...(hidden.includes("employmentStatus") ? ["periods"] : []),
      ...(emergencyContacts ? [] : ["emergencyContacts"]),
      ...(dependents ? [] : ["dependents"]),
    ]),
  };
}

/** Of all people, or of those who changed since. */
async function readTable(client: RestClient, name: string, since?: string): Promise<RowsByPerson> {
  return await whereReadable(async () => {
    if (since === undefined)
      return byPerson(await client.get(`/api/v1/employees/all/tables/${name}`));
    const path = `/api/v1/employees/changed/tables/${name}`;
    const { employees } = toRecord(await client.get(path, { query: { since } }));
    // BambooHR writes an empty map as a list.
    if (Array.isArray(employees) && employees.length === 0) return new Map();
    if (!isRecord(employees)) throw new ProviderBug(`the table ${name} has no people`);
    return new Map(Object.entries(employees).map(([id, one]) => [id, recordsAt("rows")(one)]));
  });
}

/** Only for those who administer benefits. */
async function readDependents(client: RestClient): Promise<RowsByPerson> {
  return await whereReadable(async () => {
    const answer = await client.get("/api/v1/employeedependents");
    return byPerson(answer, "Employee Dependents");
  });
}

function byPerson(answer: unknown, name?: string): RowsByPerson {
  return Map.groupBy(recordsAt(name)(answer), (row) => requireId(row, "employeeId"));
}

function hasColumns(rows: RowsByPerson, columns: readonly string[]): boolean {
  const all = [...(rows?.values() ?? [])].flat();
  return rows !== undefined && all.every((row) => columns.every((column) => column in row));
}

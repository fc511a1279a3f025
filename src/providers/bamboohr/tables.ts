import { ifAllowed, type BambooClient } from "./bamboohr-client.ts";
import { requireId, requireRecord, requireRecords, type BambooRecord } from "./field-values.ts";

export type RowsByEmployee = ReadonlyMap<string, readonly BambooRecord[]>;

/** A table of people's rows, in no order. `columns` are those that fields of ours need. */
export interface Table {
  name: "jobInfo" | "compensation" | "employmentStatus" | "emergencyContacts";
  columns: readonly string[];
  /** Fields of ours that are made of it. */
  usedFor: readonly string[];
}

export const tables = {
  jobs: {
    name: "jobInfo",
    columns: ["date", "jobTitle", "department", "reportsTo"],
    usedFor: ["employments", "employment_history"],
  },
  pay: {
    name: "compensation",
    columns: ["startDate", "rate"],
    usedFor: ["employments", "compensation_history"],
  },
  statuses: {
    name: "employmentStatus",
    columns: ["date", "employmentStatus"],
    usedFor: ["employments", "compensation_history"],
  },
  emergencyContacts: {
    name: "emergencyContacts",
    columns: [],
    usedFor: ["emergency_contacts"],
  },
} as const satisfies Record<string, Table>;

/** Of all people, or of those who changed since. Null when the account may not read the table. */
export async function readTable(
  client: BambooClient,
  { name }: Table,
  since?: string,
): Promise<RowsByEmployee | null> {
  return await ifAllowed(async () => {
    if (since === undefined) {
      const answer = await client.ask({ path: `/api/v1/employees/all/tables/${name}` });
      const rows = requireRecords(answer, "a table");
      return Map.groupBy(rows, (row) => requireId(row, "employeeId"));
    }
    const { employees } = requireRecord(
      await client.ask({
        path: `/api/v1/employees/changed/tables/${name}`,
        query: { since },
      }),
      "a table",
    );
    // BambooHR writes an empty map as a list.
    if (Array.isArray(employees) && employees.length === 0) return new Map();
    const people = Object.entries(requireRecord(employees, "a table"));
    return new Map(
      people.map(([id, person]) => [
        id,
        requireRecords(requireRecord(person, "a table")["rows"], "a table"),
      ]),
    );
  });
}

/** BambooHR leaves a column out of a row, without a mark, when it is not for the account. */
export function isReadable(rows: RowsByEmployee | null, { columns }: Table): boolean {
  if (!rows) return false;
  const all = [...rows.values()].flat();
  return all.every((row) => columns.every((column) => column in row));
}

import { defineReader } from "../contract.ts";
import type { SourceRecord } from "../source-records.ts";
import { isFalse, toText, type OdooRecord } from "./field-values.ts";
import { plainFields } from "./record-reader.ts";
import { openResource } from "./rights.ts";

type Group = SourceRecord<"groups"> & { remote_id: string };

interface RawGroup {
  type: "department" | "team";
  record: OdooRecord;
}

export const departmentFields = plainFields("active", "name", "parent_id");
export const categoryFields = plainFields("name");

/** Departments, and employee tags as teams. */
export const groups = defineReader<"groups", RawGroup>({
  async *fetch(context, session) {
    const { reader } = await openResource(context, session, "groups");
    for await (const page of reader.readPages("hr.department", departmentFields))
      yield page.map((record) => ({ type: "department", record }));
    const tags = await reader.readAllIfAllowed("hr.employee.category", categoryFields);
    yield (tags ?? []).map((record) => ({ type: "team", record }));
  },
  map: ({ type, record }) => (type === "department" ? toDepartment(record) : toTeam(record)),
});

/** Null for a department that is archived. */
export function toDepartment(record: OdooRecord): Group | null {
  if (isFalse(record, "active")) return null;
  return { remote_id: `department-${record.id}`, name: toText(record, "name"), type: "department" };
}

export function toTeam(record: OdooRecord): Group {
  return { remote_id: `category-${record.id}`, name: toText(record, "name"), type: "team" };
}

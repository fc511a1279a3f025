import { z } from "zod";
import { InvalidRequest } from "../model/index.ts";
import { sandboxControls } from "../providers/index.ts";

/** The lists of a request, by the names of their resources. */
export type SetLists = Parameters<typeof sandboxControls.setRecords>[1];
type ListName = (typeof sandboxControls.settableLists)[number];

/** Of one list, and of a request. What is set is sealed with the connection. */
const mostRecords = 200;
export const maxRecordsBytes = 100_000;

const list = (resource: string) =>
  z
    .array(z.record(z.string(), z.unknown()))
    .max(mostRecords)
    .nullable()
    .optional()
    .describe(
      `In the place of the scenario's: records as in ${resource}, without the ids of Rollcall. ` +
        "Null gives the list back to the scenario.",
    );

export const recordsBody = z
  .object({
    employees: list("employees"),
    payruns: list("payruns"),
    payslips: list("payslips"),
    time_off_entries: list("time-off-entries"),
  })
  .strict()
  .refine((body) => Object.keys(body).length > 0, { error: "names no list" })
  .meta({
    id: "SandboxRecords",
    description: "Lists that take the place of those of the scenario.",
    examples: [
      {
        employees: [{ remote_id: "e1", first_name: "Ada", last_name: "Byron" }],
        payruns: [{ remote_id: "p1", state: "paid", payment_date: "2026-03-31" }],
      },
    ],
  });

/**
 * Throws InvalidRequest that names the place, such as `employees.0.start_date`, for what is no such record, and for an id
 * that stands twice.
 */
export function readRecords({
  time_off_entries: entries,
  ...lists
}: z.output<typeof recordsBody>): SetLists {
  const given = { ...lists, "time-off-entries": entries };
  for (const name of sandboxControls.settableLists) checkList(name, given[name] ?? []);
  return given as SetLists;
}

function checkList(name: ListName, records: readonly object[]): void {
  const schema = z.strictObject(sandboxControls.shapes[name]);
  const wire = name.replaceAll("-", "_");
  const known = new Set<unknown>();
  for (const [index, record] of records.entries()) {
    const refuse = (path: string, message: string): never => {
      throw new InvalidRequest(
        `${[wire, index, path].filter((part) => part !== "").join(".")}: ${message}`,
      );
    };
    const issue = schema.safeParse(record).error?.issues[0];
    if (issue) refuse(issue.path.join("."), issue.message);
    sandboxControls.eachUnknownField(name, record, (path) =>
      refuse(path, "is no field of such a record"),
    );
    const { remote_id: id } = record as { remote_id?: unknown };
    if (id === "") refuse("remote_id", "is empty");
    if (known.has(id ?? record)) refuse("remote_id", "stands twice in the list");
    known.add(id ?? record);
  }
}

import type { ReadContext } from "../contract.ts";
import { readList, type ReadList } from "../kit/list-changes.ts";
import { person } from "./map-employee.ts";
import { api, countItems, listOf } from "./xero-client.ts";

/** The list of people, without what takes requests for each of them. */
export async function readRoster(context: ReadContext): Promise<ReadList> {
  return await readList(api.inRead(context), {
    ...listOf("/Employees", "employees"),
    idOf: (record) => person.read(record, "employeeID"),
    countOf: countItems,
    dayRequestsLeft: "x-daylimit-remaining",
  });
}

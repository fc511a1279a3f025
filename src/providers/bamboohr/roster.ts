import { ProviderBug } from "../errors.ts";
import { ifAllowed, type BambooClient, type BambooRequest } from "./bamboohr-client.ts";
import { requireId, requireRecords, toRecord, toText, type BambooRecord } from "./field-values.ts";

/** Asked for beside the fields that BambooHR always gives. */
const listFields = [
  "workEmail",
  "homeEmail",
  "mobilePhone",
  "birthDate",
  "hireDate",
  "departmentId",
  "departmentName",
  "divisionId",
  "divisionName",
  "locationId",
  "locationName",
  "employmentStatusName",
  "reportsToId",
  "reportsToName",
];
const pageSize = 2_500;

/** Never with a filter or a sort: people whose field is not for the account would be left out. */
export function employeeList({
  limit = pageSize,
  after,
}: { limit?: number; after?: string | null } = {}): BambooRequest {
  return {
    path: "/api/v1/employees",
    query: {
      fields: listFields.join(","),
      "page[limit]": limit,
      ...(after && { "page[after]": after }),
    },
  };
}

/** Null when BambooHR gives the account no list. */
export async function readRosterIfAllowed(client: BambooClient): Promise<BambooRecord[] | null> {
  const { session } = client;
  const isGiven = !("key" in session) || session.canListEmployees;
  return isGiven ? await ifAllowed(() => readRoster(client)) : null;
}

/** Everybody, leavers too. */
async function readRoster(client: BambooClient): Promise<BambooRecord[]> {
  const people: BambooRecord[] = [];
  const ids = new Set<string>();
  for (let after: string | null = null; ;) {
    const { data, meta } = toRecord(await client.ask(employeeList({ after })));
    const known = ids.size;
    for (const person of requireRecords(data, "employees")) {
      ids.add(requireId(person, "employeeId"));
      people.push(person);
    }
    // It is opaque text, also where it looks like a number.
    const next = toText(toRecord(toRecord(meta)["page"])["nextCursor"]);
    if (next === null) return people;
    if (ids.size === known) throw new ProviderBug("BambooHR's list of employees does not go on");
    after = next;
  }
}

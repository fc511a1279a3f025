import type { ReadContext } from "../contract.ts";
import { readList, type ReadList } from "../kit/list-changes.ts";
import { fieldOf } from "../kit/source.ts";
import { australianListOf } from "./australian-client.ts";
import { toPerson } from "./australian-records.ts";
import { countryOf } from "./country.ts";
import { person } from "./map-employee.ts";
import { api, countItems, listOf, pageSize } from "./xero-client.ts";

const common = {
  idOf: (record: unknown) => person.read(record, "employeeID"),
  dayRequestsLeft: "x-daylimit-remaining",
};

/** The list of people, without what takes requests for each of them. */
export async function readRoster(context: ReadContext): Promise<ReadList> {
  if ((await countryOf(context)) === "AU") return await readAustralianRoster(context);
  return await readList(api.inRead(context), {
    ...listOf("/Employees", "employees"),
    ...common,
    countOf: countItems,
  });
}

/**
 * Who leaves moves from the first list to the second one, and counts as gone when they are in neither. In this order
 * nobody is missed between the two.
 */
async function readAustralianRoster(context: ReadContext): Promise<ReadList> {
  const active = await readOfStatus(context, "ACTIVE");
  const left = await readOfStatus(context, "TERMINATED");
  const hasLeft = new Set(left.listed.map(({ id }) => id));
  const listed = [...active.listed.filter(({ id }) => !hasLeft.has(id)), ...left.listed];
  return {
    listed: listed
      .map(({ id, record }) => ({ id, record: toPerson(record) }))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    isWhole: active.isWhole && left.isWhole,
    dayRequestsLeft: left.dayRequestsLeft,
  };
}

async function readOfStatus(context: ReadContext, status: string): Promise<ReadList> {
  return await readList(api.inRead(context), {
    ...australianListOf("/Employees", "Employees", "employeeID"),
    ...common,
    query: { where: `Status=="${status}"` },
    countOf: countOnlyPage,
  });
}

/** Nobody moves between the pages of a list that has one. Of several, nothing says how many people they have. */
function countOnlyPage(body: unknown): number | null {
  const found = fieldOf(body, "Employees");
  return Array.isArray(found) && found.length < pageSize ? found.length : null;
}

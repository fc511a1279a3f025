import type { ReadContext } from "../contract.ts";
import { ProviderBug } from "../errors.ts";
import type { ReadList } from "../kit/list-changes.ts";
import { person } from "./map-employee.ts";
import { api, countItems, listOf } from "./xero-client.ts";

/** The list of people, read at once and whole, because a deletion shifts the pages. */
export async function readRoster(context: ReadContext): Promise<ReadList> {
  const first = await readOnce(context);
  if (first.isWhole) return first;
  const second = await readOnce(context);
  // A count that is wrong each time is Xero's own: the same people twice are all of them.
  return { ...second, isWhole: second.isWhole || namesSame(first, second) };
}

function namesSame({ listed }: ReadList, { listed: others }: ReadList): boolean {
  return listed.length === others.length && listed.every(({ id }, at) => id === others[at]?.id);
}

async function readOnce(context: ReadContext): Promise<ReadList> {
  const counts = new Set<number | null>();
  let dayRequestsLeft: number | undefined;
  const list = await api.inRead(context).all({
    ...listOf("/Employees", "employees"),
    onAnswer: ({ body, headers }) => {
      counts.add(countItems(body));
      dayRequestsLeft = toCount(headers["x-daylimit-remaining"]);
    },
  });
  const people = new Map(list.map((record) => [requireId(record), record as object]));
  return {
    listed: [...people]
      .map(([id, record]) => ({ id, record }))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    isWhole: counts.size === 1 && counts.has(people.size),
    dayRequestsLeft,
  };
}

function requireId(record: unknown): string {
  const id = person.read(record, "employeeID");
  if (id === null) throw new ProviderBug("Xero lists somebody without an id");
  return id;
}

function toCount(header = ""): number | undefined {
  return /^\d{1,9}$/.test(header) ? Number(header) : undefined;
}

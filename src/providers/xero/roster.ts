import type { Cursor, ReadContext } from "../contract.ts";
import { ProviderBug } from "../errors.ts";
import { toText, type XeroRecord } from "./field-values.ts";
import { readPages } from "./paged-lists.ts";

/** The list of people, without what takes requests for each of them. */
export interface Roster {
  /** By their ids. */
  people: readonly Person[];
  /** False when people moved from page to page while it was read, so that somebody may be missing. */
  isWhole: boolean;
  dayRequestsLeft: number | undefined;
}

export interface Person {
  id: string;
  record: XeroRecord;
}

/** A run whose process is killed loses the requests for so many people at most. */
const peopleOfPage = 10;

/** Read at once and whole, because a deletion shifts the pages. */
export async function readRoster(context: ReadContext): Promise<Roster> {
  const first = await readOnce(context);
  if (first.isWhole) return first;
  const second = await readOnce(context);
  // A count that is wrong each time is Xero's own: the same people twice are all of them.
  return { ...second, isWhole: second.isWhole || namesSame(first, second) };
}

function namesSame({ people }: Roster, { people: others }: Roster): boolean {
  return people.length === others.length && people.every(({ id }, at) => id === others[at]?.id);
}

async function readOnce(context: ReadContext): Promise<Roster> {
  const people = new Map<string, XeroRecord>();
  const counts = new Set<number | null>();
  let dayRequestsLeft: number | undefined;
  for await (const page of readPages(context, { path: "/Employees", field: "employees" })) {
    for (const record of page.records) {
      const id = toText(record, "employeeID");
      if (id === null) throw new ProviderBug("Xero lists somebody without an id");
      people.set(id, record);
    }
    counts.add(page.itemCount);
    ({ dayRequestsLeft } = page);
  }
  return {
    people: [...people]
      .map(([id, record]) => ({ id, record }))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    isWhole: counts.size === 1 && counts.has(people.size),
    dayRequestsLeft,
  };
}

/** Pages of people with what was read for each. A read that was cut short goes on after the last one's id. */
export async function* readEach<Detailed>(
  { cursor }: Pick<ReadContext, "cursor">,
  people: readonly Person[],
  read: (person: Person) => Promise<Detailed>,
): AsyncGenerator<{ records: Detailed[]; cursor: Cursor }> {
  const after = typeof cursor?.["after"] === "string" ? cursor["after"] : "";
  const rest = people.filter(({ id }) => id > after);
  for (let next = 0; next < rest.length; next += peopleOfPage) {
    const page = rest.slice(next, next + peopleOfPage);
    const records: Detailed[] = [];
    for (const person of page) records.push(await read(person));
    yield { records, cursor: { after: page.at(-1)?.id } };
  }
}

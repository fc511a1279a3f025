import { hasDates, type Resource } from "../model/index.ts";
import { providerPackages } from "../providers/index.ts";
import { coveredDays } from "../reading/records/index.ts";
import type { CheckDefinition } from "./check.ts";
import { expectThat } from "./expect-failure.ts";
import type { ReadRecord, Trial } from "./trial.ts";

/** So many days beyond each end of the range are read, too. */
const moreDays = 40;
/** So many single days show where the edges are. */
const mostDays = 12;

const meanings: Partial<Record<Resource, string>> = {
  payruns: "a pay run is in a range by its payment date, or without one by the days of its period",
  timesheets: "a timesheet is in a range by the day, in UTC, on which it starts",
  "time-off-entries": "a time off entry is in each range that it overlaps",
};

/** A record stands at the edge of a range that is its own first or last day. */
export const rangeCheck: CheckDefinition = {
  name: "ranges",
  title: "a range of days gives what stands at its edges, and means the same as in every provider",
  scenario: "usual",
  leftOutFor: ({ adapter }) =>
    Object.keys(adapter.resources).some((name) => hasDates(name as Resource))
      ? undefined
      : "it has nothing that is asked for by days",
  run: async (trial) => {
    await trial.signIn();
    for (const resource of trial.resources)
      if (hasDates(resource)) await expectEdges(trial, resource);
  },
};

async function expectEdges(trial: Trial, resource: Resource): Promise<void> {
  const { range } = await trial.parametersOf(resource);
  if (!range) return;
  const { addDays } = providerPackages;
  const wide = { start: addDays(range.start, -moreDays), end: addDays(range.end, moreDays) };
  const { records } = await trial.read(resource, { parameters: { range: wide } });
  const edges = records.flatMap((record) => {
    const { start, end } = coveredDays(resource, record as never);
    return [start, end].filter((day) => day !== null);
  });
  const isRead = (day: string): boolean => day >= wide.start && day <= wide.end;
  const days = [...new Set(edges.filter(isRead))].toSorted().slice(0, mostDays);
  const asked = [range, ...days.map((day) => ({ start: day, end: day }))];
  for (const { start, end } of asked) {
    const isIn = (record: ReadRecord): boolean => overlaps(resource, record, { start, end });
    const inWide = idsOf(records.filter(isIn));
    const read = await trial.read(resource, { parameters: { range: { start, end } } });
    const inRange = idsOf(read.records.filter(isIn));
    const missing = inWide.difference(inRange).size;
    const others = inRange.difference(inWide).size;
    expectThat(
      missing === 0 && others === 0,
      `${resource} from ${start} to ${end}: ${missing} are missing and ${others} are there that a read from ` +
        `${wide.start} to ${wide.end} does not give. Both days are included, and ${meanings[resource]}`,
    );
  }
}

function overlaps(
  resource: Resource,
  record: ReadRecord,
  range: { start: string; end: string },
): boolean {
  const { start, end } = coveredDays(resource, record as never);
  return start !== null && end !== null && start <= range.end && end >= range.start;
}

function idsOf(records: readonly ReadRecord[]): Set<unknown> {
  return new Set(records.map(({ remote_id: id }) => id));
}

import { describe, expect, test } from "vitest";
import { OperationNotSupported } from "../../../src/providers/errors.ts";
import { listChanges, type ReadList } from "../../../src/providers/kit/list-changes.ts";

const start = new Date("2026-03-02T10:00:00Z");
const hourMs = 3_600_000;
const people = listChanges({
  requestsOfEach: 2,
  leastDayRequests: 1_000,
  ofDay: (record, today) => [(record as { end?: string }).end === today],
});
const later = (hours: number): Date => new Date(start.getTime() + hours * hourMs);

function rosterOf(count: number, more: Partial<ReadList> = {}): ReadList {
  const listed = Array.from({ length: count }, (_value, index) => ({
    id: `p-${String(index).padStart(6, "0")}`,
    record: { name: `Person ${index}`, changed: "2026-01-01" },
  }));
  return { listed, isWhole: true, dayRequestsLeft: 5_000, ...more };
}

/** The same list with other fields of one person. */
function withFields({ listed, ...roster }: ReadList, index: number, fields: object): ReadList {
  const changed = listed.map((one, at) =>
    at === index ? { ...one, record: { ...one.record, ...fields } } : one,
  );
  return { ...roster, listed: changed };
}

/** Whom each poll of so many hours reads, when nothing changes. */
function pollHourly(roster: ReadList, hours: number): string[][] {
  let since = people.start(roster, start);
  return Array.from({ length: hours }, (_value, index) => {
    const changes = people.compare(roster, since, later(index + 1));
    since = changes.since;
    return changes.due.map(({ id }) => id);
  });
}

describe("what changed in the list", () => {
  const roster = rosterOf(10);
  const since = people.start(roster, start);
  const dueOf = (now: ReadList, at = later(0.1)) => {
    const { due, removed } = people.compare(now, since, at);
    return [due.map(({ id }) => now.listed.findIndex((one) => one.id === id)), removed];
  };

  test("is nobody", () => {
    expect(dueOf(roster)).toEqual([[], []]);
  });

  test.each<[string, object]>([
    ["a new time of the record", { changed: "2026-03-02" }],
    ["another field at the same time", { email: "new@example.com" }],
  ])("is who has %s", (_name, fields) => {
    expect(dueOf(withFields(roster, 3, fields))).toEqual([[3], []]);
  });

  test("is who begins or leaves on another day", () => {
    const leaving = withFields(roster, 4, { end: "2026-03-03" });
    const { due } = people.compare(leaving, people.start(leaving, start), later(20));
    expect(due).toContainEqual(leaving.listed[4]);
  });

  test("is who is new, and who is gone is named", () => {
    const [gone, ...rest] = rosterOf(11).listed;
    expect(dueOf({ ...roster, listed: rest })).toEqual([[9], [gone?.id]]);
  });

  test("is not who is missing from a list that moved while it was read", () => {
    const [first, ...rest] = roster.listed;
    const gaps = { ...roster, listed: rest, isWhole: false };
    const { removed, since: next } = people.compare(gaps, since, later(0.1));
    expect(removed).toEqual([]);
    expect(people.compare({ ...gaps, isWhole: true }, next, later(0.2)).removed).toEqual([
      first?.id,
    ]);
  });

  test("is read whole when most people changed, or when the cursor is another version's", () => {
    const many = rosterOf(300);
    const all = many.listed.map(({ id, record }) => ({ id, record: { ...record, email: "x" } }));
    const from = people.start(many, start);
    expect(() => people.compare({ ...many, listed: all }, from, start)).toThrow(
      OperationNotSupported,
    );
    expect(() => people.compare(many, { seen: 1 }, start)).toThrow(OperationNotSupported);
  });
});

describe("those who did not change are read over again", () => {
  test("once a day, with as many of them each hour", () => {
    const roster = rosterOf(120);
    const polls = pollHourly(roster, 24);
    expect(new Set(polls.map((due) => due.length))).toEqual(new Set([5]));
    expect(polls.flat().toSorted()).toEqual(roster.listed.map(({ id }) => id));
  });

  test("also when there are fewer people than polls, and when polls are often", () => {
    const roster = rosterOf(7);
    expect(pollHourly(roster, 24).flat()).toHaveLength(7);
    let since = people.start(roster, start);
    const due = Array.from({ length: 24 * 12 }, (_value, index) => {
      const changes = people.compare(roster, since, later((index + 1) / 12));
      since = changes.since;
      return changes.due.length;
    });
    expect(due.reduce((all, one) => all + one, 0)).toBe(7);
  });

  test("as far as the requests of the day allow: a twentieth of them at once", () => {
    const [due] = pollHourly(rosterOf(1_000, { dayRequestsLeft: 400 }), 1);
    expect(due).toHaveLength(10);
    const [none] = pollHourly(rosterOf(1_000, { dayRequestsLeft: 0 }), 1);
    expect(none).toEqual([]);
    const [unknown] = pollHourly(rosterOf(1_000, { dayRequestsLeft: undefined }), 1);
    expect(unknown).toHaveLength(25);
  });

  test("all at once after a day without a poll", () => {
    const roster = rosterOf(20);
    const { due } = people.compare(roster, people.start(roster, start), later(30));
    expect(due).toHaveLength(20);
  });
});

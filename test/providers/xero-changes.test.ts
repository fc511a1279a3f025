import { describe, expect, test } from "vitest";
import { OperationNotSupported } from "../../src/providers/errors.ts";
import { compareRoster, startChanges } from "../../src/providers/xero/roster-changes.ts";
import type { Roster } from "../../src/providers/xero/roster.ts";
import { createPerson, type XeroRow } from "../support/vendors/xero-company.ts";

const start = new Date("2026-03-02T10:00:00Z");
const hourMs = 3_600_000;
const later = (hours: number): Date => new Date(start.getTime() + hours * hourMs);

function rosterOf(count: number, more: Partial<Roster> = {}): Roster {
  const people = Array.from({ length: count }, (_value, index) => {
    const { record } = createPerson(index + 1);
    return { id: String(record["employeeID"]), record };
  });
  return { people, isWhole: true, dayRequestsLeft: 5_000, ...more };
}

/** The same list with other fields of one person. */
function withFields({ people, ...roster }: Roster, index: number, fields: XeroRow): Roster {
  const changed = people.map((person, at) =>
    at === index ? { ...person, record: { ...person.record, ...fields } } : person,
  );
  return { ...roster, people: changed };
}

/** Whom each poll of so many hours reads, when nothing changes. */
function pollHourly(roster: Roster, hours: number): string[][] {
  let since = startChanges(roster, start);
  return Array.from({ length: hours }, (_value, index) => {
    const changes = compareRoster(roster, since, later(index + 1));
    since = changes.since;
    return changes.due.map(({ id }) => id);
  });
}

describe("what changed in the list", () => {
  const roster = rosterOf(10);
  const since = startChanges(roster, start);
  const dueOf = (now: Roster, at = later(0.1)) => {
    const { due, removed } = compareRoster(now, since, at);
    return [due.map(({ id }) => now.people.findIndex((one) => one.id === id)), removed];
  };

  test("is nobody", () => {
    expect(dueOf(roster)).toEqual([[], []]);
  });

  test.each<[string, XeroRow]>([
    ["a new time of the record", { updatedDateUTC: "2026-03-02T10:01:00" }],
    ["another email address at the same time", { email: "new@example.com" }],
  ])("is who has %s", (_name, fields) => {
    expect(dueOf(withFields(roster, 3, fields))).toEqual([[3], []]);
  });

  test("is who begins or leaves on another day", () => {
    const leaving = withFields(roster, 4, { endDate: "2026-03-02T00:00:00" });
    const { due } = compareRoster(leaving, startChanges(leaving, start), later(20));
    expect(due).toContainEqual(leaving.people[4]);
  });

  test("is who is new, and who is gone is named", () => {
    const [gone, ...rest] = rosterOf(11).people;
    expect(dueOf({ ...roster, people: rest })).toEqual([[9], [gone?.id]]);
  });

  test("is not who is missing from a list that moved while it was read", () => {
    const [first, ...rest] = roster.people;
    const gaps = { ...roster, people: rest, isWhole: false };
    const { removed, since: next } = compareRoster(gaps, since, later(0.1));
    expect(removed).toEqual([]);
    expect(compareRoster({ ...gaps, isWhole: true }, next, later(0.2)).removed).toEqual([
      first?.id,
    ]);
  });

  test("is read whole when most people changed, or when the cursor is another version's", () => {
    const many = rosterOf(300);
    const all = many.people.map(({ id, record }) => ({ id, record: { ...record, email: "x" } }));
    const from = startChanges(many, start);
    expect(() => compareRoster({ ...many, people: all }, from, start)).toThrow(
      OperationNotSupported,
    );
    expect(() => compareRoster(many, { seen: 1 }, start)).toThrow(OperationNotSupported);
  });
});

describe("those who did not change are read over again", () => {
  test("once a day, with as many of them each hour", () => {
    const roster = rosterOf(120);
    const polls = pollHourly(roster, 24);
    expect(new Set(polls.map((due) => due.length))).toEqual(new Set([5]));
    expect(polls.flat().toSorted()).toEqual(roster.people.map(({ id }) => id));
  });

  test("also when there are fewer people than polls, and when polls are often", () => {
    const roster = rosterOf(7);
    expect(pollHourly(roster, 24).flat()).toHaveLength(7);
    let since = startChanges(roster, start);
    const due = Array.from({ length: 24 * 12 }, (_value, index) => {
      const changes = compareRoster(roster, since, later((index + 1) / 12));
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
    const { due } = compareRoster(roster, startChanges(roster, start), later(30));
    expect(due).toHaveLength(20);
  });
});

import { defineReader, type ReadContext } from "../contract.ts";
import { toRecord, toText, type XeroRecord } from "./field-values.ts";
import { readCalendars } from "./groups.ts";
import { toEmployee, type RawEmployee } from "./map-employee.ts";
import { readListOf } from "./paged-lists.ts";
import { compareRoster, startChanges } from "./roster-changes.ts";
import { readEach, readRoster, type Person } from "./roster.ts";
import { findPayroll } from "./xero-client.ts";

/** Two requests for each person, so that a full read takes a minute for 30 people. */
export const employees = defineReader<"employees", RawEmployee>({
  async *fetch(context) {
    // Of the day by which the records are mapped: the list itself may take minutes.
    const startedAt = context.clock.now();
    const roster = await readRoster(context);
    context.continueFrom(startChanges(roster, startedAt));
    const calendars = await readCalendars(context);
    yield* readEach(context, roster.people, (person) => readPerson(context, person, calendars));
  },
  async *changes(context, _session, cursor) {
    const startedAt = context.clock.now();
    const roster = await readRoster(context);
    const { due, removed, since } = compareRoster(roster, cursor, startedAt);
    context.continueFrom(since);
    yield { changed: [], removed };
    if (due.length === 0) return;
    const calendars = await readCalendars(context);
    const pages = readEach({ cursor: undefined }, due, (person) =>
      readPerson(context, person, calendars),
    );
    for await (const { records } of pages) yield { changed: records };
  },
  changesNameRemovals: true,
  changesRereadAll: true,
  isPagedByOffset: true,
  map: toEmployee,
});

/** Who has no salary or no payment method yet may have no such path. */
async function readPerson(
  context: ReadContext,
  { id, record }: Person,
  calendars: readonly XeroRecord[],
): Promise<RawEmployee> {
  const path = `/Employees/${encodeURIComponent(id)}`;
  const salaries = await readListOf(context, {
    path: `${path}/SalaryAndWages`,
    field: "salaryAndWages",
  });
  const payment = await findPayroll(context, `${path}/PaymentMethods`);
  const calendarId = toText(record, "payrollCalendarID");
  return {
    record,
    salaries,
    paymentMethod: toRecord(payment?.body["paymentMethod"]),
    calendar:
      calendars.find((calendar) => toText(calendar, "payrollCalendarID") === calendarId) ?? null,
  };
}

import { defineReader, type ReadContext } from "../contract.ts";
import { listChanges, type Listed } from "../kit/list-changes.ts";
import { oneByOne } from "../kit/one-by-one.ts";
import { employeeFields } from "./map-employee.ts";
import { readRoster } from "./roster.ts";
import { calendarsById } from "./settings.ts";
import { fieldOf, readListOf, readOne, requestsAtOnce } from "./xero-client.ts";

const changes = listChanges({
  requestsOfEach: 2,
  // The limit of the applications that may ask least.
  leastDayRequests: 1_000,
  ofDay: (record, today) => {
    const { employment_status: status, employment_type: type } = employeeFields.map(record, {
      today,
    });
    return [status, type];
  },
});

/** Two requests for each person, so that a full read takes a minute for 30 people. */
export const employees = defineReader<"employees", object>({
  async *fetch(context) {
    // Of the day by which the records are mapped: the list itself may take minutes.
    const startedAt = context.clock.now();
    const roster = await readRoster(context);
    context.continueFrom(changes.start(roster, startedAt));
    yield* readDetails(context, roster.listed, context.cursor);
  },
  async *changes(context, _session, cursor) {
    const startedAt = context.clock.now();
    const { due, removed, since } = changes.compare(await readRoster(context), cursor, startedAt);
    context.continueFrom(since);
    yield { changed: [], removed };
    if (due.length === 0) return;
    for await (const { records } of readDetails(context, due, undefined))
      yield { changed: records };
  },
  changesNameRemovals: true,
  changesRereadAll: true,
  isPagedByOffset: true,
  table: employeeFields,
});

async function* readDetails(
  context: ReadContext,
  people: readonly Listed[],
  cursor: ReadContext["cursor"],
) {
  const calendars = await calendarsById(context);
  const recordOf = new Map(people.map(({ id, record }) => [id, record]));
  yield* oneByOne([...recordOf.keys()], { atOnce: requestsAtOnce, cursor }, async (id) => {
    const record = recordOf.get(id);
    const list = { employeeId: id, path: "SalaryAndWages", field: "salaryAndWages" };
    const salaries = await readListOf(context, list);
    const path = `/Employees/${encodeURIComponent(id)}/PaymentMethods`;
    // Who has no payment method yet may have no such path.
    const paymentMethod = await readOne(context, path, "paymentMethod");
    const calendar = calendars.get(String(fieldOf(record, "payrollCalendarID"))) ?? null;
    const paid = salaries.map((salary) => ({ ...salary, person: record, calendar }));
    return [{ ...record, salaries: paid, paymentMethod, calendar }];
  });
}

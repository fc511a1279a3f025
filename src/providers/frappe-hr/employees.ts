import { z } from "zod";
import { utcDay } from "../../platform/clock.ts";
import { defineReader, type Cursor, type ReadContext } from "../contract.ts";
import { OperationNotSupported } from "../errors.ts";
import { day, flag, text } from "../kit/readers.ts";
import type { RestClient } from "../kit/rest.ts";
import { whereReadable } from "../kit/rights.ts";
import { defineSource } from "../kit/source.ts";
import { openZone } from "../kit/zone.ts";
import {
  allOf,
  api,
  docs,
  openUncut,
  rowsOfPage,
  submitted,
  wholeList,
  type Filter,
  type Wire,
} from "./client.ts";
import {
  employeeFields,
  historyNames,
  managerNames,
  toJobs,
  vendorNames,
} from "./employee-fields.ts";
import { departmentNames } from "./organisation.ts";

const sinceShape = z.object({
  at: z.iso.datetime(),
  day: z.string(),
  limited: z.array(z.string()),
});

/** Rows are dated by clocks without an offset, which show an hour twice a year. */
const overlapMs = 65 * 60_000;
/** For more than these a full read takes fewer requests. */
const mostChanged = 200;

/** The lists of all people, and of what they are joined with. */
export const employees = defineReader<"employees", object>({
  async *fetch(context) {
    const startedAt = context.clock.now();
    const { people, limited } = await readPeople(context, await openUncut(context, "employees"));
    context.limited(limited);
    context.continueFrom(toSince(startedAt, limited));
    for (let start = 0; start < people.length; start += rowsOfPage)
      yield people.slice(start, start + rowsOfPage);
  },
  async *changes(context, _session, cursor) {
    const startedAt = context.clock.now();
    const since = sinceShape.safeParse(cursor).data;
    // States change by the day, such as of who begins or is away.
    if (since?.day !== utcDay(startedAt)) throw new OperationNotSupported("another day has begun");
    const client = await openUncut(context, "employees");
    const everybody = await wholeList(client, "Employee", { fields: ["name"] });
    const ids = await findChanged(context, client, new Date(Date.parse(since.at) - overlapMs));
    if (ids.length > mostChanged) throw new OperationNotSupported("so many changed");
    const read = ids.length > 0 ? await readPeople(context, client, ids) : undefined;
    if (read && read.limited.join() !== since.limited.join())
      throw new OperationNotSupported("other fields may be read than before");
    context.limited(since.limited);
    context.continueFrom(toSince(startedAt, since.limited));
    yield { changed: read?.people ?? [], present: namesOf(everybody, "name") };
  },
  changesNameRemovals: true,
  table: employeeFields,
});

function toSince(at: Date, limited: readonly string[]): Cursor {
  return { at: at.toISOString(), day: utcDay(at), limited: [...limited] };
}

const namesOf = (rows: readonly unknown[], field: string): string[] =>
  rows.flatMap((one) => (one as Wire)[field] ?? []).map(String);

/** Those whose record is another one: by their own row, by one that is joined with it, or by their manager's. */
async function findChanged(context: ReadContext, client: RestClient, from: Date) {
  const zone = await context.withSession(async (session) => api.parse(session).zone);
  const modified: Filter[] = [["modified", ">=", openZone(zone).toLocal(from)]];
  const own = await client.all(docs("Employee", { fields: ["name"], filters: modified }));
  const changed = namesOf(own, "name");
  for (const doctype of ["Salary Structure Assignment", "Leave Application"]) {
    const asked = { fields: ["name", "employee"], filters: modified };
    const rows = await whereReadable(() => client.all(docs(doctype, asked)));
    changed.push(...namesOf(rows ?? [], "employee"));
  }
  const reports = await allOf(client, "Employee", "reports_to", {
    fields: ["name"],
    values: namesOf(own, "name"),
  });
  return [...new Set([...changed, ...namesOf(reports, "name")])];
}

/** Everybody, or those with these names, with what takes a list of its own. */
async function readPeople(context: ReadContext, client: RestClient, values?: readonly string[]) {
  const rows = await allOf(client, "Employee", "name", { fields: ["*"], values });
  const first = rows[0];
  const hidden = first ? vendorNames.filter((name) => !(name in first)) : [];
  const pay = await whereReadable(() => readPay(client, values));
  const today = utcDay(context.clock.now());
  const away = await whereReadable(() => readAway(client, today));
  const histories = await allOf(client, "Employee Internal Work History", "parent", {
    fields: ["name", "parent", ...historyNames],
    parent: "Employee",
    values,
  });
  const historyOf = Map.groupBy(histories, ({ parent }) => parent);
  const byName = new Map(
    [...rows, ...(await readManagers(client, rows))].map((one) => [one["name"], one]),
  );
  const departments = await whereReadable(() => departmentNames(context));
  // An assignment of pay names the designation and the department of its time, so it makes a job of its own.
  const joined = { jobs: pay, isAway: away, department_name: departments };
  const lost = Object.entries(joined).flatMap(([name, found]) => (found ? [] : [name]));
  const people = rows.map((row) => ({
    ...row,
    department_name: departments?.get(String(row["department"])),
    manager: byName.get(row["reports_to"]),
    isAway: away?.has(row["name"]) ?? false,
    contact: row["person_to_be_contacted"] || row["emergency_phone_number"],
    custom: Object.fromEntries(Object.entries(row).filter(([name]) => name.startsWith("custom_"))),
    jobs: toJobs(row, {
      history: historyOf.get(row["name"]) ?? [],
      pays: pay?.get(row["name"]) ?? [],
      departments,
      today,
    }),
  }));
  return { people, limited: employeeFields.limitedBy([...hidden, ...lost]) };
}

/** Managers who are not among those that are read. */
async function readManagers(client: RestClient, rows: readonly Wire[]): Promise<Wire[]> {
  const known = new Set(namesOf(rows, "name"));
  const values = [...new Set(namesOf(rows, "reports_to"))].filter((name) => !known.has(name));
  return await allOf(client, "Employee", "name", { fields: ["name", ...managerNames], values });
}

async function readPay(client: RestClient, values: readonly string[] | undefined) {
  const fields = ["name", "payroll_frequency", "salary_slip_based_on_timesheet", "hour_rate"];
  const structures = await wholeList(client, "Salary Structure", { fields });
  const byName = new Map(structures.map((one) => [one["name"], one]));
  const own = ["from_date", "base", "currency", "designation", "department"];
  const rows = await allOf(client, "Salary Structure Assignment", "employee", {
    fields: ["name", "employee", "salary_structure", ...own],
    filters: [submitted],
    values,
  });
  const joined = rows.map((one): Wire => {
    const {
      payroll_frequency: frequency,
      salary_slip_based_on_timesheet: isByHour,
      ...structure
    } = byName.get(one["salary_structure"]) ?? {};
    return { ...structure, ...one, start_date: one["from_date"], frequency, isByHour };
  });
  return Map.groupBy(joined, ({ employee }) => employee);
}

const leave = defineSource({ employee: text, half_day: flag, half_day_date: day });

/** Those with approved leave for the whole of a day, from one request for everybody. */
async function readAway(client: RestClient, today: string): Promise<ReadonlySet<unknown>> {
  const filters: Filter[] = [
    submitted,
    ["status", "=", "Approved"],
    ["from_date", "<=", today],
    ["to_date", ">=", today],
  ];
  const asked = { fields: ["name", ...leave.names], filters };
  const rows = await wholeList(client, "Leave Application", asked);
  const isHalf = (one: unknown): boolean => {
    const { half_day: hasHalf, half_day_date: half } = leave.parts(one);
    return hasHalf === true && (half ?? today) === today;
  };
  return new Set(
    namesOf(
      rows.filter((one) => !isHalf(one)),
      "employee",
    ),
  );
}

import { defineReader, type DateRange } from "../contract.ts";
import { addDays } from "../kit/days.ts";
import { defineFields } from "../kit/fields.ts";
import { pageOf } from "../kit/paging.ts";
import { day, given, number, text } from "../kit/readers.ts";
import type { RestClient } from "../kit/rest.ts";
import { defineSource } from "../kit/source.ts";
import { openZone } from "../kit/zone.ts";
import {
  allOf,
  api,
  openUncut,
  submitted,
  timesOf,
  type Filter,
  type Wire,
  wholeList,
  wholePages,
} from "./client.ts";

const attended = {
  name: text,
  employee: text,
  creation: day,
  modified: day,
  attendance_date: day,
  in_time: text,
  out_time: text,
  working_hours: number,
};
const attendanceNames = defineSource(attended).names;
/** Also a row of a timesheet of projects, by the names of attendance. */
const shift = defineSource({ ...attended, zone: given<string>() });

const moment = (name: "in_time" | "out_time") =>
  shift.from(["in_time", "out_time", "attendance_date", "zone"], (begun, ended, date, zone) => {
    const told = name === "in_time" || begun === null ? begun : ended;
    const at = told === null || zone === null ? null : openZone(zone).toInstant(told);
    if (at) return `${at.toISOString().slice(0, 19)}Z`;
    return name === "in_time" && date !== null ? `${date}T00:00:00Z` : null;
  });

const fields = defineFields("timesheets", shift, {
  remote_id: "name",
  employee_remote_id: "employee",
  start_time: moment("in_time"),
  end_time: moment("out_time"),
  hours_worked: "working_hours",
  remote_created_at: "creation",
  remote_modified_at: "modified",
}).says({
  start_time: "in UTC, by the clocks of the site; 00:00 of the day where hours alone are told",
  end_time: "null where hours alone are told, and without a beginning",
});

/** Either attendance or the timesheets of projects, as was chosen: the same day stands in both. */
export const timesheets = defineReader<"timesheets", object>({
  async *fetch(context, session, { range }) {
    const client = await openUncut(context, "timesheets");
    const { zone } = api.parse(session);
    // The host counts days in UTC, and the site those of its clocks.
    const [start, end] = [addDays(range.start, -1), addDays(range.end, 1)];
    if (timesOf(context.settings) === "Timesheet") {
      const rows = await readProjects(client, { start, end });
      yield rows.map((one) => ({ ...one, zone }));
      return;
    }
    const filters: Filter[] = [
      submitted,
      ["status", "in", ["Present", "Half Day", "Work From Home"]],
      ["attendance_date", "between", [start, end]],
      // By hand, or from leave, there are none.
      ["working_hours", ">", 0],
    ];
    const asked = { fields: attendanceNames, filters, cursor: context.cursor };
    for await (const { items, next } of wholePages(client, "Attendance", asked))
      yield pageOf(
        items.map((one) => ({ ...one, zone })),
        next,
      );
  },
  table: fields,
});

const ofRow = ["name", "parent", "creation", "modified", "from_time", "to_time", "hours"];

/** The rows of submitted timesheets of employees. Those of users without one are left out. */
async function readProjects(client: RestClient, { start, end }: DateRange): Promise<Wire[]> {
  const filters: Filter[] = [
    submitted,
    ["employee", "is", "set"],
    ["start_date", "<=", end],
    ["end_date", ">=", start],
  ];
  const found = await wholeList(client, "Timesheet", { fields: ["name", "employee"], filters });
  const employeeOf = new Map(found.map((one) => [one["name"], one["employee"]]));
  const rows = await allOf(client, "Timesheet Detail", "parent", {
    fields: ofRow,
    parent: "Timesheet",
    values: [...employeeOf.keys()].map(String),
  });
  return rows.map(({ from_time: in_time, to_time: out_time, hours: working_hours, ...one }) => ({
    ...one,
    employee: employeeOf.get(one["parent"]),
    in_time,
    out_time,
    working_hours,
  }));
}

import { defineReader, type DateRange } from "../contract.ts";
import { ProviderBug } from "../errors.ts";
import { always, defineFields } from "../kit/fields.ts";
import { given } from "../kit/readers.ts";
import { defineSource, type Mapping } from "../kit/source.ts";
import type { SourceRecord } from "../source-records.ts";
import type { Domain, OdooClient, OdooRecord } from "./client.ts";
import type { RecordReader } from "./records.ts";
import { areProjectLinesRead, openResource } from "./rights.ts";
import {
  amount,
  day,
  id,
  idAt,
  number,
  reference,
  requireAmount,
  text,
  time,
  withoutNoise,
} from "./values.ts";

type Timesheet = SourceRecord<"timesheets">;

const common = { id: text, employee_id: id, create_date: day, write_date: day };
const attendance = defineSource({
  ...common,
  check_in: time,
  check_out: time,
  worked_hours: amount,
});
/** Odoo leaves the lunch break out of the hours of an attendance. */
const attendanceFields = defineFields("timesheets", attendance, {
  remote_id: attendance.from(["id"], (of) => `attendance-${of}`),
  employee_remote_id: "employee_id",
  start_time: "check_in",
  end_time: "check_out",
  hours_worked: attendance.from(["worked_hours"], (hours) =>
    withoutNoise(requireAmount(hours, "worked_hours")),
  ),
  remote_created_at: "create_date",
  remote_modified_at: "write_date",
}).says({
  remote_id: "attendance- and the number",
});

const projectLine = defineSource({
  ...common,
  date: day,
  unit_amount: amount,
  product_uom_id: id,
});
/** Null for a unit that is none of time. */
const countedLine = defineSource({ ...projectLine.shape, hoursPerUnit: given<number>() });
/** A line has a day and no hours of the clock. */
const lineFields = defineFields("timesheets", countedLine, {
  remote_id: countedLine.from(["id"], (of) => `line-${of}`),
  employee_remote_id: "employee_id",
  start_time: countedLine.from(["date"], (date) => (date === null ? null : `${date}T00:00:00Z`)),
  end_time: always(null),
  hours_worked: countedLine.from(["unit_amount", "hoursPerUnit"], (count, hours) =>
    withoutNoise(requireAmount(count, "unit_amount") * (hours ?? 0)),
  ),
  remote_created_at: "create_date",
  remote_modified_at: "write_date",
}).says({
  remote_id: "line- and the number",
  start_time: "00:00 of the day",
  hours_worked: "the quantity by the hours of its unit",
});

/**
 * Of lines that time off and public holidays made. The modules that add these fields may not be installed.
 */
const leaveLinks = { holiday_id: id, global_leave_id: id };

export const timesheets = defineReader<"timesheets", OdooRecord>({
  async *fetch(context, session, { range }) {
    const { odoo, reader } = await openResource(context, session, "timesheets");
    if (!areProjectLinesRead(context.settings)) {
      yield* reader.readPages("hr.attendance", attendance.shape, [
        ["check_out", "!=", false],
        ...beginWithin("check_in", range, " 23:59:59"),
      ]);
      return;
    }
    const hoursPerUnit = await readHoursPerUnit(odoo, reader);
    const links = await reader.listFields("account.analytic.line", leaveLinks);
    const domain: Domain = [
      ["project_id", "!=", false],
      ...Object.keys(links).map((link) => [link, "=", false] as const),
      ...beginWithin("date", range),
    ];
    for await (const page of reader.readPages("account.analytic.line", projectLine.shape, domain))
      yield page.map((record) => {
        const unit = idAt(record, "product_uom_id");
        return { ...record, hoursPerUnit: unit === null ? 1 : (hoursPerUnit.get(unit) ?? null) };
      });
  },
  table: [attendanceFields, lineFields],
  map: (raw, context) =>
    "hoursPerUnit" in raw ? toProjectLine(raw, context) : toAttendance(raw, context),
});

function beginWithin(field: string, { start, end }: DateRange, endOfDay = ""): Domain {
  return [
    [field, ">=", start],
    [field, "<=", end + endOfDay],
  ];
}

/** Null for an attendance of nobody, and for one that is still open. */
export function toAttendance(raw: object, mapping: Mapping): Timesheet | null {
  const isDone = attendance.read(raw, "check_out") !== null;
  return isDone && attendance.read(raw, "employee_id") !== null
    ? attendanceFields.map(raw, mapping)
    : null;
}

/** Null for a line of nobody, and for a quantity that is no time. */
export function toProjectLine(raw: object, mapping: Mapping): Timesheet | null {
  const isTime = countedLine.read(raw, "hoursPerUnit") !== null;
  return isTime && countedLine.read(raw, "employee_id") !== null
    ? lineFields.map(raw, mapping)
    : null;
}

const unit = defineSource({
  factor: number,
  relative_factor: number,
  relative_uom_id: reference,
  category_id: id,
});
const hour = "uom.product_uom_hour";

/** How many hours each unit of time has, by its id. Without the hour every line would look like none of time. */
async function readHoursPerUnit(
  odoo: OdooClient,
  reader: RecordReader,
): Promise<Map<number, number>> {
  const units = await reader.readAll("uom.uom", unit.shape);
  const ids = units.map((one) => one.id);
  const names = await odoo.listExternalIds("uom.uom", ids);
  const hoursPerUnit = toHoursPerUnit(units, [...names].find(([, name]) => name === hour)?.[0]);
  if (hoursPerUnit.size === 0) throw new ProviderBug("Odoo does not say which unit is an hour");
  return hoursPerUnit;
}

/** Empty without the hour: then nothing can be converted. */
export function toHoursPerUnit(
  units: readonly OdooRecord[],
  hourId: number | undefined,
): Map<number, number> {
  const hours = units.find((one) => one.id === hourId);
  const ofHour = hours && unit.read(hours, "factor");
  if (!hours || !ofHour) return new Map();
  return new Map(
    units.flatMap((one) => {
      const factor = unit.read(one, "factor");
      if (!factor || kindOf(units, one) !== kindOf(units, hours)) return [];
      // From version 19 on a factor counts the smallest unit; before, it says how many make the largest one.
      const ratio = "relative_factor" in hours ? factor / ofHour : ofHour / factor;
      return [[one.id, ratio] as const];
    }),
  );
}

/** The category of a unit. From version 19 on there are none: units refer to each other, and the first one counts. */
function kindOf(units: readonly OdooRecord[], one: OdooRecord): string | number {
  const category = unit.read(one, "category_id");
  if (category !== null) return category;
  const path = [one.id];
  for (let next = idAt(one, "relative_uom_id"); next !== null && !path.includes(next);) {
    path.push(next);
    const of = units.find((candidate) => candidate.id === path.at(-1));
    next = of ? idAt(of, "relative_uom_id") : null;
  }
  return path.at(-1) ?? one.id;
}

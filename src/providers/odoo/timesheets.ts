import { defineReader, type DateRange } from "../contract.ts";
import type { SourceRecord } from "../source-records.ts";
import { toAmount, toDate, toReference, toTime, type OdooRecord } from "./field-values.ts";
import { readHoursPerUnit } from "./hours-per-unit.ts";
import type { Domain } from "./odoo-client.ts";
import { plainFields } from "./record-reader.ts";
import { areProjectLinesRead, openResource } from "./rights.ts";
import { withoutNoise } from "./without-noise.ts";

type Timesheet = SourceRecord<"timesheets">;

export type RawTimesheet =
  | { kind: "attendance"; record: OdooRecord }
  /** Null for a unit that is none of time. */
  | { kind: "line"; record: OdooRecord; hoursPerUnit: number | null };

const attendanceFields = plainFields(
  "employee_id",
  "check_in",
  "check_out",
  "worked_hours",
  "create_date",
  "write_date",
);
const lineFields = plainFields(
  "employee_id",
  "date",
  "unit_amount",
  "product_uom_id",
  "create_date",
  "write_date",
);
/**
 * Of lines that time off and public holidays made. The modules that add these fields may not be installed.
 */
const leaveLinks = plainFields("holiday_id", "global_leave_id");

export const timesheets = defineReader<"timesheets", RawTimesheet>({
  async *fetch(context, session, { range }) {
    const { odoo, reader } = await openResource(context, session, "timesheets");
    if (!areProjectLinesRead(context.settings)) {
      const domain: Domain = [
        ["check_out", "!=", false],
        ...beginWithin("check_in", range, " 23:59:59"),
      ];
      for await (const page of reader.readPages("hr.attendance", attendanceFields, domain))
        yield page.map((record) => ({ kind: "attendance", record }));
      return;
    }
    const hoursPerUnit = await readHoursPerUnit(odoo, reader);
    const links = await reader.listFields("account.analytic.line", leaveLinks);
    const domain: Domain = [
      ["project_id", "!=", false],
      ...Object.keys(links).map((link) => [link, "=", false] as const),
      ...beginWithin("date", range),
    ];
    for await (const page of reader.readPages("account.analytic.line", lineFields, domain))
      yield page.map((record) => {
        const unit = toReference(record, "product_uom_id");
        return {
          kind: "line",
          record,
          hoursPerUnit: unit ? (hoursPerUnit.get(unit.id) ?? null) : 1,
        };
      });
  },
  map: (raw) =>
    raw.kind === "attendance"
      ? toAttendance(raw.record)
      : toProjectLine(raw.record, raw.hoursPerUnit),
});

function beginWithin(field: string, range: DateRange | undefined, endOfDay = ""): Domain {
  return range
    ? [
        [field, ">=", range.start],
        [field, "<=", range.end + endOfDay],
      ]
    : [];
}

/** Null for an attendance that is still open. Odoo leaves the lunch break out of its hours. */
export function toAttendance(record: OdooRecord): Timesheet | null {
  const employee = toReference(record, "employee_id");
  const end = toTime(record, "check_out");
  if (!employee || end === null) return null;
  return {
    remote_id: `attendance-${record.id}`,
    employee_remote_id: String(employee.id),
    start_time: toTime(record, "check_in"),
    end_time: end,
    hours_worked: withoutNoise(toAmount(record, "worked_hours")),
    remote_created_at: toDate(record, "create_date"),
    remote_modified_at: toDate(record, "write_date"),
  };
}

/**
 * A line has a day and no hours of the clock. Null for a line of nobody, and for a quantity that is no
 * time.
 */
export function toProjectLine(record: OdooRecord, hoursPerUnit: number | null): Timesheet | null {
  const employee = toReference(record, "employee_id");
  if (!employee || hoursPerUnit === null) return null;
  const day = toDate(record, "date");
  return {
    remote_id: `line-${record.id}`,
    employee_remote_id: String(employee.id),
    start_time: day === null ? null : `${day}T00:00:00Z`,
    end_time: null,
    hours_worked: withoutNoise(toAmount(record, "unit_amount") * hoursPerUnit),
    remote_created_at: toDate(record, "create_date"),
    remote_modified_at: toDate(record, "write_date"),
  };
}

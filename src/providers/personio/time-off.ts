import { defineReader, type Cursor, type Page, type ReadContext } from "../contract.ts";
import { OperationNotSupported } from "../errors.ts";
import { addDays, isDay } from "../kit/days.ts";
import { defineFields } from "../kit/fields.ts";
import { lookup } from "../kit/lookup.ts";
import { called, day, flag, given, number, oneOf, text } from "../kit/readers.ts";
import { whereReadable, whereThere } from "../kit/rights.ts";
import { defineSource } from "../kit/source.ts";
import { timeZone } from "../kit/text-readers.ts";
import { openZone } from "../kit/zone.ts";
import { api, listOfFirst, type JsonObject } from "./personio-client.ts";
import { toTimeZone } from "./sign-in-form.ts";

type Unit = "days" | "hours";

const pageSize = 200;
const minutesPerHour = 60;

export const timeOffTypes = listOfFirst("/v1/company/time-off-types", pageSize);
/** Personio has one list for absences that are counted in days, and one for those in hours. */
const absences = {
  days: listOfFirst("/v1/company/time-offs", pageSize, "page"),
  hours: listOfFirst("/v1/company/absence-periods", pageSize),
};

/** The type of an absence or a balance. */
export const timeOffType = {
  id: text,
  name: text,
  category: text,
  unit: oneOf({ day: "days", hour: "hours" }, { otherwise: null }),
};
const listedType = defineSource(timeOffType);

export const readTimeOffTypes = lookup(async (context) => {
  const types = (await api.inRead(context).all(timeOffTypes)) as JsonObject[];
  return types.map((type) => [listedType.read(type, "id") ?? "", type]);
});

export function toPolicyType(category: string | null) {
  switch (category) {
    case "paid_vacation":
      return "vacation";
    case "sick_leave":
      return "sick";
    case "public_duty":
      return "jury_duty";
    default:
      return null;
  }
}

/** Who works at home is at work. */
export function isAtWork(category: string | null): boolean {
  return category === "offsite_work";
}

const absence = defineSource({
  id: text,
  status: oneOf(
    { approved: "approved", pending: "pending", rejected: "rejected" },
    { otherwise: null },
  ),
  isCancelled: called("status", oneOf({ cancelled: true, canceled: true }, { otherwise: false })),
  employee: { id: text },
  comment: text,
  created_at: day,
  updated_at: day,
  // In days.
  start_date: day,
  end_date: day,
  days_count: number,
  half_day_start: flag,
  half_day_end: flag,
  time_off_type: timeOffType,
  // In hours.
  start: text,
  end: text,
  timezone: timeZone,
  effective_duration: number,
  absence_type: { id: text, name: text, time_off_type_id: text },
  // What the read has put in.
  unit: given<Unit>(),
  /** If Personio still has it. */
  type: timeOffType,
  /** Of the company. */
  timeZone: given<string>(),
});

const times = ["start", "end", "timezone", "timeZone"] as const;

const fields = defineFields("time-off-entries", absence, {
  remote_id: "id",
  employee_remote_id: "employee.id",
  start_date: absence.from(
    ["start_date", ...times],
    (first, start, end, own, company) => first ?? toDays(start, end, own ?? company).first,
  ),
  end_date: absence.from(
    ["end_date", ...times],
    (last, start, end, own, company) => last ?? toDays(start, end, own ?? company).last,
  ),
  // Personio counts minutes, whatever `measurement_unit` says.
  amount: absence.from(
    ["days_count", "effective_duration"],
    (days, minutes) => days ?? (minutes === null ? null : minutes / minutesPerHour),
  ),
  unit: "unit",
  status: "status",
  employee_note: "comment",
  policy_remote_id: absence.first("type.id", "absence_type.time_off_type_id", "absence_type.id"),
  policy_name: absence.first("type.name", "absence_type.name"),
  policy_type: absence.from(["type.category"], toPolicyType),
  remote_created_at: "created_at",
  remote_modified_at: "updated_at",
}).says({
  start_date: "of an absence in hours the day at its place",
  end_date: "of an absence in hours the day at its place",
  amount: "days, or minutes as hours",
  policy_type: "by the category",
});

export const timeOffEntries = defineReader<"time-off-entries", object>({
  async *fetch(context, _session, { range }) {
    const query = { start_date: range.start, end_date: range.end };
    const { unit, ...start } = context.cursor ?? {};
    if (unit !== "hours") yield* readAbsences(context, "days", query, start);
    try {
      yield* readAbsences(context, "hours", query, unit === "hours" ? start : undefined);
    } catch (error) {
      // A company without such absences does not have the list.
      if (!(error instanceof OperationNotSupported)) throw error;
      const types = [...(await readTimeOffTypes(context)).values()];
      if (types.some((type) => listedType.read(type, "unit") === "hours")) throw error;
    }
  },
  isPagedByOffset: true,
  table: fields,
  map: (raw, context) => {
    const isNone = absence.read(raw, "isCancelled") || isAtWork(absence.read(raw, "type.category"));
    return isNone ? null : fields.map(raw, context);
  },
});

/** The ids of those who are on leave for the whole of today, as the company's clocks have it; undefined without the right. */
export async function readAway(context: ReadContext): Promise<ReadonlySet<string> | undefined> {
  const { toLocal } = openZone(toTimeZone(context.settings));
  const today = toDay(toLocal(context.clock.now())) ?? "";
  const list = { ...absences.days, query: { start_date: today, end_date: today } };
  const found = await whereReadable(() => whereThere(() => api.inRead(context).all(list), []));
  const away = found?.filter((one) => isWholeDay(one, today));
  return away && new Set(away.map((one) => absence.read(one, "employee.id") ?? ""));
}

function isWholeDay(one: unknown, today: string): boolean {
  const [first, last] = [absence.read(one, "start_date"), absence.read(one, "end_date")];
  const isHalf =
    (first === today && absence.read(one, "half_day_start")) ||
    (last === today && absence.read(one, "half_day_end"));
  return (
    absence.read(one, "status") === "approved" &&
    !isHalf &&
    !isAtWork(absence.read(one, "time_off_type.category")) &&
    (first ?? today) <= today &&
    (last ?? today) >= today
  );
}

async function* readAbsences(
  context: ReadContext,
  unit: Unit,
  query: Record<string, string>,
  start: Cursor | undefined,
): AsyncGenerator<Page<object>> {
  const types = await readTimeOffTypes(context);
  const timeZone = toTimeZone(context.settings);
  for await (const { items, next } of api
    .inRead(context)
    .pages({ ...absences[unit], query }, start)) {
    const records = (items as JsonObject[]).map((one) => {
      const type = types.get(absence.read(one, "absence_type.time_off_type_id") ?? "");
      return { ...one, unit, timeZone, type: type ?? one["time_off_type"] };
    });
    const cursor = next ? { unit, ...next } : unit === "days" ? { unit: "hours" } : undefined;
    yield cursor ? { records, cursor } : records;
  }
}

/** The local days of an absence in hours. One that ends at midnight ends on the day before. */
function toDays(start: string | null, end: string | null, timeZone: string | null) {
  const { toInstant, toLocal } = openZone(timeZone ?? "UTC");
  const toLocalTime = (written: string | null): string => {
    const instant = toInstant(written ?? "");
    return instant ? toLocal(instant) : (written ?? "");
  };
  const [first, last] = [toLocalTime(start), toLocalTime(end)];
  const isMidnight = first !== "" && last.endsWith(" 00:00:00") && last > first;
  const lastDay = toDay(last);
  return { first: toDay(first), last: lastDay && isMidnight ? addDays(lastDay, -1) : lastDay };
}

function toDay(written: string): string | null {
  const dayOfIt = written.slice(0, "2026-03-02".length);
  return isDay(dayOfIt) ? dayOfIt : null;
}

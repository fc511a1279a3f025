import { defineReader, type Cursor, type DateRange } from "../contract.ts";
import { OperationNotSupported } from "../errors.ts";
import type { SourceRecord } from "../source-records.ts";
import { toDay, toId, toNumber, toObject, toText, type JsonObject } from "./json-values.ts";
import { addDays } from "../kit/days.ts";
import { isTimeZone, openZone } from "../kit/zone.ts";
import { askInRead } from "./personio-client.ts";
import { readOffsetPages, toPosition } from "./read-lists.ts";
import { toTimeZone } from "./sign-in-form.ts";
import { isAtWork, readTimeOffTypes, toPolicyType, type TimeOffType } from "./time-off-types.ts";

type Entry = SourceRecord<"time-off-entries">;

export interface RawAbsence {
  /** Personio has one list for absences that are counted in days, and one for those in hours. */
  list: "days" | "hours";
  record: JsonObject;
  /** The type of an absence in hours, if Personio still has it. */
  type: TimeOffType | null;
  /** Of the company. */
  timeZone: string;
}

const pageSize = 200;
const minutesPerHour = 60;
const lists = {
  days: { path: "/v1/company/time-offs", counts: "pages" },
  hours: { path: "/v1/company/absence-periods", counts: "records" },
} as const;

export const timeOffEntries = defineReader<"time-off-entries", RawAbsence>({
  async *fetch(context, _session, { range }) {
    const ask = askInRead(context);
    const timeZone = toTimeZone(context.settings);
    const types = await readTimeOffTypes(ask);
    const isInHours = Object.values(types).some(({ unit }) => unit === "hours");
    const from = context.cursor?.["list"];
    const query = toQuery(range);
    if (from !== "hours")
      for await (const { records, next } of readOffsetPages(
        ask,
        { ...lists.days, query, limit: pageSize },
        toPosition(context.cursor),
      ))
        yield {
          records: records.map((record) => ({ list: "days", record, type: null, timeZone })),
          cursor: toCursor(next ? "days" : "hours", next),
        };
    try {
      const start = from === "hours" ? toPosition(context.cursor) : undefined;
      const list = { ...lists.hours, query, limit: pageSize };
      for await (const { records, next } of readOffsetPages(ask, list, start)) {
        const raw = records.map((record) => {
          const type = types[findTypeId(record) ?? ""] ?? null;
          return { list: "hours" as const, record, type, timeZone };
        });
        yield next ? { records: raw, cursor: toCursor("hours", next) } : raw;
      }
    } catch (error) {
      // A company without such absences does not have the list.
      if (!(error instanceof OperationNotSupported) || isInHours) throw error;
    }
  },
  isPagedByOffset: true,
  map: toEntry,
});

function toQuery(range: DateRange | undefined): Record<string, string> {
  return range ? { start_date: range.start, end_date: range.end } : {};
}

function toCursor(list: RawAbsence["list"], position: Cursor | undefined): Cursor {
  return { list, ...position };
}

/** Null for one that was cancelled, and for work at home. */
export function toEntry({ list, record, type, timeZone }: RawAbsence): Entry | null {
  const attributes = toObject(record["attributes"]) ?? {};
  const status = toText(attributes["status"]);
  if (status === "cancelled" || status === "canceled") return null;
  const policy = list === "days" ? toTypeOfDays(attributes) : type;
  if (isAtWork(policy?.category ?? null)) return null;
  const absenceType = findAbsenceType(attributes);
  return {
    // Entries without an id, an employee or an amount are refused by the host.
    remote_id: toId(attributes["id"]) as string,
    employee_remote_id: findEmployeeId(attributes) as string,
    ...(list === "days" ? countDays(attributes) : countHours(attributes, timeZone)),
    status: toStatus(status),
    employee_note: toText(attributes["comment"]),
    policy_remote_id: policy?.id ?? toId(absenceType?.["time_off_type_id"] ?? absenceType?.["id"]),
    policy_name: policy?.name ?? toText(absenceType?.["name"]),
    policy_type: toPolicyType(policy?.category ?? null),
    remote_created_at: toDay(attributes["created_at"]),
    remote_modified_at: toDay(attributes["updated_at"]),
  };
}

type Counted = Pick<Entry, "start_date" | "end_date" | "amount" | "unit">;

function countDays(attributes: JsonObject): Counted {
  return {
    start_date: toDay(attributes["start_date"]),
    end_date: toDay(attributes["end_date"]),
    amount: toNumber(attributes["days_count"]) as number,
    unit: "days",
  };
}

/** Personio counts minutes, whatever `measurement_unit` says. */
function countHours(attributes: JsonObject, companyZone: string): Counted {
  const minutes = toNumber(attributes["effective_duration"]);
  const own = toText(attributes["timezone"]);
  const { toInstant, toLocal } = openZone(own !== null && isTimeZone(own) ? own : companyZone);
  const toLocalTime = (value: unknown): string | null => {
    const written = toText(value);
    const instant = toInstant(written ?? "");
    return instant ? toLocal(instant) : written;
  };
  const start = toLocalTime(attributes["start"]);
  const end = toLocalTime(attributes["end"]);
  return {
    start_date: toDay(start),
    end_date: end === null ? null : lastDay(start ?? end, end),
    amount: (minutes === null ? null : minutes / minutesPerHour) as number,
    unit: "hours",
  };
}

/** An absence that ends at midnight ends on the day before. */
function lastDay(start: string, end: string): string | null {
  const day = toDay(end);
  const isMidnight = end.endsWith(" 00:00:00") && end > start;
  return day === null || !isMidnight ? day : addDays(day, -1);
}

function toTypeOfDays(attributes: JsonObject): TimeOffType | null {
  const { id, name, category } =
    toObject(toObject(attributes["time_off_type"])?.["attributes"]) ?? {};
  const known = toId(id);
  if (known === null) return null;
  return { id: known, name: toText(name), category: toText(category), unit: "days" };
}

function findTypeId(record: JsonObject): string | null {
  return toId(findAbsenceType(toObject(record["attributes"]))?.["time_off_type_id"]);
}

/** Personio writes its values in `attributes`, and beside its id. */
function findAbsenceType(attributes: JsonObject | null): JsonObject | null {
  const absenceType = toObject(attributes?.["absence_type"]);
  return toObject(absenceType?.["attributes"]) ?? absenceType;
}

function findEmployeeId(attributes: JsonObject): string | null {
  const employee = toObject(toObject(attributes["employee"])?.["attributes"]);
  return toId(toObject(employee?.["id"])?.["value"]);
}

function toStatus(status: string | null): Entry["status"] {
  return status === "approved" || status === "pending" || status === "rejected" ? status : null;
}

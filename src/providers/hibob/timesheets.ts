import { utcDay } from "../../platform/clock.ts";
import { defineReader, type DateRange } from "../contract.ts";
import { addDays, inParts, withinRange } from "../kit/days.ts";
import { defineFields } from "../kit/fields.ts";
import { recordsAt } from "../kit/paging.ts";
import { day, given, number, text } from "../kit/readers.ts";
import type { RestClient } from "../kit/rest.ts";
import { defineSource } from "../kit/source.ts";
import { zoneOf } from "../kit/zone-field.ts";
import { openZone } from "../kit/zone.ts";
import { api, inBatches, ofModule, readIds, usualZone } from "./client.ts";
import { nextCursor } from "./jobs.ts";

const entry = defineSource({
  id: text,
  employeeId: text,
  clockInDate: day,
  clockInTime: text,
  clockOutTime: text,
  type: text,
  /** In minutes, of who reports hours alone. */
  duration: number,
  // What the read has put in.
  zone: given<string>(),
});
const names = entry.names.filter((name) => name !== "zone");
const idOf = (name: string): string => `/attendanceEntry/${name}`;

const at = (local: string | null, zone: string | null): Date | null =>
  local === null ? null : openZone(zone ?? usualZone).toInstant(local);
const written = (moment: Date | null): string | null =>
  moment && `${moment.toISOString().slice(0, 19)}Z`;

const fields = defineFields("timesheets", entry, {
  remote_id: "id",
  employee_remote_id: "employeeId",
  start_time: entry.from(["clockInTime", "clockInDate", "zone"], (start, date, zone) =>
    start === null ? date && `${date}T00:00:00Z` : written(at(start, zone)),
  ),
  end_time: entry.from(["clockOutTime", "zone"], (end, zone) => written(at(end, zone))),
  hours_worked: entry.from(
    ["clockInTime", "clockOutTime", "duration", "zone"],
    (start, end, minutes, zone) => {
      const [from, to] = [at(start, zone), at(end, zone)];
      return from && to ? (to.getTime() - from.getTime()) / 3_600_000 : (minutes ?? 0) / 60;
    },
  ),
}).says({
  start_time:
    "a local time of the zone that was typed; 00:00 of the day where hours alone are told",
  end_time: "a local time of the zone that was typed; null where hours alone are told",
  hours_worked: "from the first to the last moment, else the minutes that are told",
});

/** Of so many people at once, on as many days as Bob takes. */
const peopleAtOnce = 100;
const daysAtOnce = 31;
/** There are no clocks from before Bob began. */
const firstDay = "2015-01-01";
/** Hours can be written down before they are worked, such as those of the rest of a month. */
const daysAhead = 31;

/** The part of a range of which Bob can have anything. Bob counts days of its clocks, and the host those in UTC. */
function withinUse({ start, end }: DateRange, today: string): DateRange {
  const wider = { start: addDays(start, -1), end: addDays(end, 1) };
  return withinRange(wider, { start: firstDay, end: addDays(today, daysAhead) });
}

export async function searchEntries(
  client: RestClient,
  ids: readonly string[],
  { start, end }: { start: string; end: string },
): Promise<unknown[]> {
  const filter = (name: string, operator: string, values: readonly string[]) => ({
    fieldId: idOf(name),
    operator,
    values,
  });
  const filters = [
    filter("employeeId", "equals", ids),
    filter("clockInDate", "from", [start]),
    filter("clockInDate", "to", [end]),
  ];
  return await client.all({
    ...ofModule,
    path: "/v1/attendance/entries/search",
    method: "POST",
    isIdempotent: true,
    json: { fields: names.map(idOf), filters, limit: 200 },
    paging: { by: "cursor", parameter: "cursor", next: nextCursor, isInBody: true },
    items: (body) => recordsAt("items")(body).map((one) => toEntry(one["fields"])),
  });
}

function toEntry(told: unknown): object {
  const of = told as Readonly<Record<string, { value?: unknown } | undefined>>;
  return Object.fromEntries(names.map((name) => [name, of[idOf(name)]?.value]));
}

export const timesheets = defineReader<"timesheets", object>({
  async *fetch(context, _session, { range }) {
    const client = api.inRead(context);
    const zone = zoneOf(context.settings, usualZone);
    const ids = await readIds(client);
    const asked = withinUse(range, utcDay(context.clock.now()));
    for (const part of inParts(asked, { days: daysAtOnce }, context.cursor)) {
      const found: object[] = [];
      for (const { ids: some } of inBatches(ids, peopleAtOnce, undefined))
        found.push(...((await searchEntries(client, some, part)) as object[]));
      const records = found.map((one) => ({ ...one, zone }));
      yield part.cursor ? { records, cursor: part.cursor } : records;
    }
  },
  table: fields,
  // Breaks, and who is still at work.
  map: (raw, context) => {
    const { type, clockInTime, clockOutTime, duration } = entry.parts(raw);
    const isWork = type === null || type.toLowerCase() === "work";
    const isOver = clockInTime === null ? duration !== null : clockOutTime !== null;
    return isWork && isOver ? fields.map(raw, context) : null;
  },
});

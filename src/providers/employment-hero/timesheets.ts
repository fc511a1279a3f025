import { defineReader } from "../contract.ts";
import { addDays } from "../kit/days.ts";
import { defineFields } from "../kit/fields.ts";
import { pageOf } from "../kit/paging.ts";
import { given, number, oneOf, readValue, records, text } from "../kit/readers.ts";
import { defineSource } from "../kit/source.ts";
import { openZone } from "../kit/zone.ts";
import { listOf, lookUp, openForEverybody, regions, type Wire } from "./client.ts";

const locationsById = lookUp("location", ["id"]);

/** The zones of Australia, by its states, and by the names that Windows gives them. */
const zonesOfAustralia: Readonly<Record<string, string>> = {
  NSW: "Australia/Sydney",
  ACT: "Australia/Sydney",
  VIC: "Australia/Melbourne",
  TAS: "Australia/Hobart",
  QLD: "Australia/Brisbane",
  SA: "Australia/Adelaide",
  NT: "Australia/Darwin",
  WA: "Australia/Perth",
  "AUS Eastern Standard Time": "Australia/Sydney",
  "Tasmania Standard Time": "Australia/Hobart",
  "E. Australia Standard Time": "Australia/Brisbane",
  "Cen. Australia Standard Time": "Australia/Adelaide",
  "AUS Central Standard Time": "Australia/Darwin",
  "W. Australia Standard Time": "Australia/Perth",
};

const shift = defineSource({
  id: text,
  employeeId: text,
  startTime: text,
  endTime: text,
  units: number,
  unitType: text,
  status: oneOf({ Rejected: false, Missing: false }, { otherwise: true }),
  leaveRequestId: text,
  leaveCategoryId: text,
  breaks: records,
  // What the read has put in.
  zone: given<string>(),
});
const pause = defineSource({ startTime: text, endTime: text, isPaidBreak: given<boolean>() });

const moment = (name: "startTime" | "endTime") =>
  shift.from(["startTime", "endTime", "zone"], (start, end, zone) => {
    const told = name === "startTime" ? start : end;
    // Somebody who writes hours alone gets midnight as both times.
    const isDay = start !== null && start === end;
    if (told === null || zone === null) return null;
    if (isDay) return name === "startTime" ? `${told.slice(0, 10)}T00:00:00Z` : null;
    const at = openZone(zone).toInstant(told);
    return at && `${at.toISOString().slice(0, 19)}Z`;
  });

const fields = defineFields("timesheets", shift, {
  remote_id: "id",
  employee_remote_id: "employeeId",
  start_time: moment("startTime"),
  end_time: moment("endTime"),
  hours_worked: shift.from(
    ["units", "startTime", "endTime", "breaks", "zone"],
    (units, start, end, breaks, zone) =>
      units ?? hoursBetween(start, end, zone) - hoursOfBreaks(breaks ?? [], zone),
  ),
}).says({
  start_time: "a local time of the place; 00:00 of the day where hours alone are told",
  end_time: "null where hours alone are told, and for who is still at work",
  hours_worked: "the units, else the time without breaks that are not paid",
});

export const timesheets = defineReader<"timesheets", object>({
  isPagedByOffset: true,
  async *fetch(context, session, { range }) {
    const { client, path, ...known } = await openForEverybody(context, session);
    // The host counts days in UTC, and the system those of its clocks.
    const from = `StartTime ge datetime'${addDays(range.start, -1)}T00:00:00'`;
    const to = `StartTime lt datetime'${addDays(range.end, 2)}T00:00:00'`;
    const list = listOf(`${path}/timesheet`, { $filter: `${from} and ${to}` });
    const usual = regions[known.region].zone;
    const own = known.region === "au" ? (zonesOfAustralia[known.timeZone] ?? usual) : usual;
    for await (const { items, next } of client.pages(list, context.cursor)) {
      const places = known.region === "au" ? await locationsById(context) : new Map<string, Wire>();
      const records = (items as readonly Wire[]).map((one) => {
        const state = places.get(String(readValue(text, one["locationId"])))?.["state"];
        return { ...one, zone: zonesOfAustralia[String(state)] ?? own };
      });
      yield pageOf(records, next);
    }
  },
  table: fields,
  // What was rejected, leave, days in place of hours, and who is still at work have no hours of work.
  map: (raw, context) => {
    const { status, leaveRequestId, leaveCategoryId, units, endTime, unitType } = shift.parts(raw);
    const isLeave = (leaveRequestId ?? leaveCategoryId) !== null;
    const isCounted = units === null ? endTime !== null : unitType !== "Days";
    return status === false || isLeave || !isCounted ? null : fields.map(raw, context);
  },
});

function hoursBetween(start: string | null, end: string | null, zone: string | null): number {
  const { toInstant } = openZone(zone ?? "UTC");
  const from = toInstant(start ?? "")?.getTime();
  const to = toInstant(end ?? "")?.getTime();
  return from === undefined || to === undefined ? 0 : (to - from) / 3_600_000;
}

function hoursOfBreaks(breaks: readonly object[], zone: string | null): number {
  return breaks
    .filter((one) => pause.read(one, "isPaidBreak") !== true)
    .map((one) => hoursBetween(pause.read(one, "startTime"), pause.read(one, "endTime"), zone))
    .reduce((total, hours) => total + hours, 0);
}

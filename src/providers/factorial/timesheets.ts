import { defineReader, type DateRange, type ReadContext } from "../contract.ts";
import { addDays } from "../kit/days.ts";
import { defineFields } from "../kit/fields.ts";
import { day, flag, instant, number, text, unreadable } from "../kit/readers.ts";
import type { RestList } from "../kit/rest.ts";
import { defineSource } from "../kit/source.ts";
import { id, listOf, readAll, readPages, type Wire } from "./client.ts";
import { placesOf, site } from "./organisation.ts";
import { readPeople } from "./people.ts";

const minutesPerHour = 60;

const shift = defineSource({
  id,
  employee_id: id,
  /** Of the clocks. `reference_date` is the day of work that a night shift counts for. */
  date: day,
  clock_in: text,
  clock_out: text,
  minutes: number,
  workable: flag,
  time_settings_break_configuration_id: id,
  created_at: day,
  updated_at: day,
  // Moments, which the read has put in.
  from: text,
  to: text,
});

const fields = defineFields("timesheets", shift, {
  remote_id: "id",
  employee_remote_id: "employee_id",
  start_time: "from",
  end_time: "to",
  hours_worked: shift.from(["minutes"], (minutes) =>
    minutes === null ? null : minutes / minutesPerHour,
  ),
  remote_created_at: "created_at",
  remote_modified_at: "updated_at",
}).says({
  start_time:
    "`date` and `clock_in`, by the clocks of the person's place; without `clock_in`, and where their zone is not known, the day at 00:00Z",
  end_time: "`date` and `clock_out`, a day later where that is earlier than `clock_in`",
  hours_worked: "the minutes",
});

export function shiftsOf({ start, end }: DateRange, isHalf: "true" | "false"): RestList {
  const query = { start_on: start, end_on: end, half_day: isHalf, sort_created_at_asc: "true" };
  return listOf("attendance/shifts", query);
}

/**
 * A day of the clocks begins and ends at other times than one of UTC. Whether `half_day=false` hides half days or asks
 * for all is not known, so those of half a day are asked for too: what comes twice is kept once.
 */
export const timesheets = defineReader<"timesheets", object>({
  async *fetch(context, _session, { range }) {
    const zoneOf = await readZones(context);
    const wider = { start: addDays(range.start, -1), end: addDays(range.end, 1) };
    const complete = (one: Wire) => ({ ...one, ...toTimes(one, zoneOf(one)) });
    yield* readPages(context, shiftsOf(wider, "false"), complete);
    yield (await readAll(context, shiftsOf(wider, "true"))).map(complete);
  },
  table: fields,
  // A break is no work, and a shift that goes on has no hours yet. One without a clock has its minutes alone.
  map: (raw, context) => {
    const of = shift.parts(raw);
    const isBreak = of.workable === false || of.time_settings_break_configuration_id !== null;
    const isOpen = of.clock_in === null ? !of.minutes : of.clock_out === null;
    return isBreak || isOpen ? null : fields.map(raw, context);
  },
});

/** The zone of the place where somebody works. Where all places have one, nobody has to be looked up. */
async function readZones(context: ReadContext): Promise<(shift: Wire) => string | null> {
  const places = await placesOf(context);
  const zoneAt = (place: unknown) => site.read(places.get(String(place)), "timezone");
  const zones = new Set([...places.keys()].flatMap((place) => zoneAt(place) ?? []));
  const [only = null] = zones;
  if (zones.size < 2) return () => only;
  const people = await readPeople(context);
  const placeOf = new Map(people.map((one) => [one["id"], one["location_id"]]));
  return (one) => zoneAt(placeOf.get(one["employee_id"]));
}

function toTimes(record: Wire, zone: string | null) {
  const { date, clock_in: begun, clock_out: ended } = shift.parts(record);
  if (date === null || zone === null || begun === null)
    return { from: date && `${date}T00:00:00Z`, to: null };
  const at = (of: string, clock: string | null) => {
    const moment = instant(zone).read(`${of}T${clock}`);
    return moment === unreadable ? null : moment;
  };
  const isNextDay = (ended ?? "") < begun;
  return { from: at(date, begun), to: at(isNextDay ? addDays(date, 1) : date, ended) };
}

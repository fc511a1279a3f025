import { utcDay } from "../../platform/clock.ts";
import { defineReader, type DateRange, type ReadContext } from "../contract.ts";
import { ProviderBug } from "../errors.ts";
import { addDays, countDaysAway, countWeekdays, inParts, withinRange } from "../kit/days.ts";
import { defineFields } from "../kit/fields.ts";
import { lookup } from "../kit/lookup.ts";
import { oneByOne } from "../kit/one-by-one.ts";
import { recordsAt } from "../kit/paging.ts";
import { called, day, list, number, oneOf, text } from "../kit/readers.ts";
import type { RestClient } from "../kit/rest.ts";
import { whereReadable } from "../kit/rights.ts";
import { defineSource, type Parts } from "../kit/source.ts";
import { policyType } from "../kit/words.ts";
import { api, ofModule, readIds } from "./client.ts";

const unit = oneOf({ days: "days", hours: "hours" }, { otherwise: null });

/** A request as the list of who is out has it, and its last change. */
const request = defineSource({
  requestId: text,
  employeeId: text,
  policyTypeDisplayName: text,
  kind: called("policyTypeDisplayName", policyType),
  startDate: day,
  endDate: day,
  /** Of a request of hours on one day. */
  date: day,
  isOfWholeDays: called("type", oneOf({ days: true, openEnded: true }, { otherwise: false })),
  isOfHours: called(
    "type",
    oneOf(
      {
        hours: true,
        hoursOnRange: true,
        differentDayDurations: true,
        specificHoursDayDurations: true,
        differentSpecificHoursDayDurations: true,
      },
      { otherwise: false },
    ),
  ),
  /** Of each day, of a request of percents. */
  percentageOfDay: number,
  startPortion: text,
  endPortion: text,
  dayPortion: text,
  durationUnit: unit,
  totalCost: number,
  hoursOnDate: number,
  minutes: number,
  dailyHours: number,
  status: oneOf({ approved: "approved", pending: "pending" }),
  changeType: oneOf({ created: "approved", pending: "pending" }, { otherwise: null }),
  previousRequestId: text,
  // What the read has put in.
  days: number,
  policyUnit: unit,
});

/** What is deducted, where it is known in which unit; else what is counted. */
const measured = <Name extends "amount" | "unit">(name: Name) =>
  request.from(
    [
      "totalCost",
      "durationUnit",
      "policyUnit",
      "isOfHours",
      "hoursOnDate",
      "minutes",
      "dailyHours",
      "days",
    ],
    (...[cost, told, ofPolicy, isOfHours, hours, minutes, daily, days]) => {
      const counted = countTime({ hours, minutes, daily, days: days ?? 1 });
      // The hours of each day are not told of every type.
      const isUncounted = isOfHours && counted.unit === "days";
      const known = told ?? ofPolicy ?? (isUncounted ? "hours" : null);
      return (cost === null || known === null ? counted : { amount: cost, unit: known })[name];
    },
  );

interface Counted {
  hours: number | null;
  minutes: number | null;
  /** Of each day. */
  daily: number | null;
  days: number;
}
interface Measured {
  amount: number;
  unit: "days" | "hours";
}

function countTime({ hours, minutes, daily, days }: Counted): Measured {
  if (hours !== null) return { amount: hours + (minutes ?? 0) / minutesOfHour, unit: "hours" };
  if (daily !== null) return { amount: daily * days, unit: "hours" };
  return { amount: days, unit: "days" };
}

const entryFields = defineFields("time-off-entries", request, {
  remote_id: "requestId",
  employee_remote_id: "employeeId",
  start_date: request.first("startDate", "date"),
  end_date: request.first("endDate", "date"),
  amount: measured("amount"),
  unit: measured("unit"),
  status: request.first("status", "changeType"),
  policy_remote_id: "policyTypeDisplayName",
  policy_name: "policyTypeDisplayName",
  policy_type: "kind",
}).says({
  amount:
    "what is deducted; without it, or without its unit, the hours, or the days from Monday to Friday, at a weekend alone its days, by their percentage",
  unit: "the unit of what is deducted, or of the policy; without it hours where hours are told, else days",
});

const minutesOfHour = 60;
const outPath = "/v1/timeoff/whosout";
/** Bob tells changes of six months. */
const daysOfChanges = 180;

/** Who is out on these days, of those who work there today. */
export async function readOut(client: RestClient, { start, end }: DateRange): Promise<Wire[]> {
  const all = { includeHourly: true, includePrivate: true, includePending: true };
  const query = { from: start, to: end, ...all };
  return recordsAt("outs")(await client.get(outPath, { ...ofModule, query }));
}

/** Leave of an earlier system may have been brought along, and some is agreed long before. */
const firstDay = "2000-01-01";
const daysAhead = 731;

/** The part of a range of which Bob can have anything. */
function withinUse(range: DateRange, today: string): DateRange {
  return withinRange(range, { start: firstDay, end: addDays(today, daysAhead) });
}

type Wire = Readonly<Record<string, unknown>>;

/** Who is away for the whole of a day, from one request for everybody. */
export async function readAway(context: ReadContext, today: string) {
  const found = await readOut(api.inRead(context), { start: today, end: today });
  const wholeDays = found.filter((one) => isWholeDay(request.parts(one), today));
  const known = wholeDays.length > 0 ? await whereReadable(() => policiesOf(context)) : undefined;
  const away = wholeDays.filter((one) => !isAtWork(one, known));
  return {
    ids: new Set(away.flatMap((one) => request.read(one, "employeeId") ?? [])),
    /** Whether some of them may be at work. */
    isUnsure: away.some((one) => isUnknown(one, known)),
  };
}

/** Who works at home, or is on a business trip, is at work. */
function isAtWork(one: Wire, known: Policies | undefined): boolean {
  return known?.get(nameOf(one))?.activity === "workTime";
}

/** A private absence may have a name that is none of the types: it is known to be an absence. */
function isUnknown(one: Wire, known: Policies | undefined): boolean {
  return known === undefined || known.get(nameOf(one)) === null;
}

const nameOf = (one: Wire): string => String(one["policyTypeDisplayName"]);

type Request = Parts<(typeof request)["shape"]>;
const isPart = (portion: string | null): boolean => portion !== null && portion !== "all_day";

const wholeDay = 100;

/** Of most types of requests each day is cut, and often nothing but the type says so. */
function isWholeDay(one: Request, today: string): boolean {
  const isOfParts = one.isOfWholeDays === false && one.percentageOfDay !== wholeDay;
  const isOfHours = one.hoursOnDate !== null || one.dailyHours !== null;
  const isCut =
    isPart(one.dayPortion) ||
    (one.startDate === today && isPart(one.startPortion)) ||
    (one.endDate === today && isPart(one.endPortion));
  return one.status === "approved" && !isOfParts && !isOfHours && !isCut;
}

/** One that has no end yet is counted up to today, and its first day at least. */
function countDays({ startDate, endDate, ...one }: Request, today: string): number {
  if (startDate === null) return 1;
  const end = endDate ?? (startDate > today ? startDate : today);
  const weekdays = countWeekdays(startDate, end);
  const days = endDate === null ? Math.max(weekdays, 1) : countDaysAway(startDate, end);
  if (isPart(one.dayPortion)) return days / 2;
  if (one.percentageOfDay !== null)
    return Number(((days * one.percentageOfDay) / wholeDay).toFixed(4));
  const cut = new Set([
    ...(isPart(one.startPortion) ? [startDate] : []),
    ...(isPart(one.endPortion) && endDate !== null ? [endDate] : []),
  ]);
  const isCounted = (at: string): boolean => weekdays === 0 || countWeekdays(at, at) > 0;
  return days - [...cut].filter(isCounted).length / 2;
}

export const timeOffEntries = defineReader<"time-off-entries", object>({
  async *fetch(context, _session, { range }) {
    const client = api.inRead(context);
    const today = utcDay(context.clock.now());
    const { last, replaced } = await readChanges(client, addDays(today, -daysOfChanges));
    const found = new Map<string, Wire>();
    for (const part of inParts(withinUse(range, today), "years"))
      for (const one of await readOut(client, part)) found.set(idOf(one), one);
    for (const [id, change] of last) {
      const isAgreed = request.read(change, "changeType") === "approved" && !replaced.has(id);
      // What waits and is out of the list may have been refused, which Bob does not tell.
      if (found.has(id) || isAgreed) found.set(id, { ...change, ...found.get(id) });
    }
    const inRange = [...found.values()].filter((one) => overlaps(request.parts(one), range));
    const known = inRange.length > 0 ? await whereReadable(() => policiesOf(context)) : undefined;
    const entries = inRange.filter((one) => !isAtWork(one, known));
    const isUntold = (one: Wire): boolean =>
      request.read(one, "totalCost") !== null && request.read(one, "durationUnit") === null;
    if (entries.some((one) => isUntold(one) && isUnknown(one, known)))
      context.limited(entryFields.limitedBy(["policyUnit"]));
    yield entries.map((one) => ({
      ...one,
      days: countDays(request.parts(one), today),
      policyUnit: known?.get(nameOf(one))?.unit,
    }));
  },
  table: entryFields,
});

const idOf = (one: Wire): string => request.read(one, "requestId") ?? "";

function overlaps({ startDate, date, endDate }: Request, { start, end }: DateRange): boolean {
  return (startDate ?? date ?? "") <= end && (endDate ?? date ?? end) >= start;
}

/** The feed is in no order that is known, and what was taken back stays so. */
function weigh(one: Wire): number {
  const word = String(one["changeType"]).toLowerCase();
  return ["pending", "created", "canceled", "deleted"].indexOf(word);
}

/** The last change of each request since a day, and the requests that others took the place of. */
async function readChanges(client: RestClient, since: string) {
  const query = { since: `${since}T00:00:00Z`, includePending: true };
  const path = "/v1/timeoff/requests/changes";
  const changes = recordsAt("changes")(await client.get(path, { ...ofModule, query }));
  const inOrder = changes.toSorted((a, b) => weigh(a) - weigh(b));
  return {
    last: new Map(inOrder.map((one) => [idOf(one), one])),
    replaced: new Set(changes.flatMap((one) => request.read(one, "previousRequestId") ?? [])),
  };
}

export const policiesPath = "/v1/timeoff/policy-types";
const policies = defineSource({ policyTypes: list(text) });
const policy = defineSource({ unit, activity: text });
type Policy = Parts<(typeof policy)["shape"]>;
/** Null for one of the list that Bob does not find by its name. */
type Policies = ReadonlyMap<string, Policy | null>;

/** The types of policies by their names. */
const policiesOf = lookup(async (context: ReadContext) => {
  const client = api.inRead(context);
  const names = policies.read(await client.get(policiesPath, ofModule), "policyTypes") ?? [];
  const errors = { 400: "absent", 404: "absent" } as const;
  const told: (readonly [string, Policy | null])[] = [];
  for (const name of names) {
    const one = await client.get(`${policiesPath}/${encodeURIComponent(name)}`, { errors });
    told.push([name, one === null ? null : policy.parts(one)]);
  }
  return told;
});

const balance = defineSource({
  totalBalanceAsOfDate: number,
  totalTaken: number,
  // What the read has put in.
  employeeId: text,
  policyType: text,
  kind: called("policyType", policyType),
  unit,
});

/** One request for each person who has not left, and each type of policy. */
export const timeOffBalances = defineReader<"time-off-balances", object>({
  async *fetch(context) {
    const client = api.inRead(context);
    const all = await policiesOf(context);
    const ofLeave = [...all].filter(([, one]) => one?.activity !== "workTime");
    const ids = await readIds(client, { isPresent: true });
    const date = utcDay(context.clock.now());
    let [asked, found] = [0, 0];
    yield* oneByOne(ids, { atOnce: 2, cursor: context.cursor }, async (employeeId) => {
      const path = `/v1/timeoff/employees/${encodeURIComponent(employeeId)}/balance`;
      const told: object[] = [];
      for (const [name, one] of ofLeave) {
        const query = { policyType: name, date };
        // Of a type that the person does not have.
        const errors = { 400: "absent", 404: "absent" } as const;
        const body = (await client.get(path, { query, errors })) as object | null;
        asked += 1;
        found += body ? 1 : 0;
        if (body) told.push({ ...body, employeeId, policyType: name, unit: one?.unit });
      }
      return told;
    });
    // Nobody has any of the company's types: it is the question that Bob refuses.
    if (!context.cursor && asked > 0 && found === 0)
      throw new ProviderBug("no balance was told of anybody");
  },
  table: defineFields("time-off-balances", balance, {
    employee_remote_id: "employeeId",
    balance: "totalBalanceAsOfDate",
    used: balance.from(["totalTaken"], (taken) => taken && Math.abs(taken)),
    unit: "unit",
    policy_remote_id: "policyType",
    policy_name: "policyType",
    policy_type: "kind",
  }).says({ used: "without its sign" }),
});

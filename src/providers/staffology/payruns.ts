import { z } from "zod";
import { utcDay } from "../../platform/clock.ts";
import { defineReader, type DateRange, type ReadContext, type Session } from "../contract.ts";
import { ProviderBug } from "../errors.ts";
import { defineFields } from "../kit/fields.ts";
import { day, flag, given, text } from "../kit/readers.ts";
import { defineSource } from "../kit/source.ts";
import { formatPayrunId, payrunPath, toPayrunType, type PayrunName } from "./payrun-id.ts";
import { eachAtOnce, type RestClient } from "../kit/rest.ts";
import { openEmployer, requestsAtOnce, whatIsThere } from "./staffology-client.ts";
import { absentTaxYear, taxYearsOf } from "./tax-years.ts";
import { countUpTo, lastPart, list, stub } from "./wire-values.ts";

/** A pay run as Staffology gives it, with what names it. */
type RawPayrun = object & { name: PayrunName };

/** A year of daily pay. */
const mostPeriods = 366;
const mostVersions = 100;

const schedules = z.array(
  z.object({
    payPeriod: z.string(),
    ordinal: countUpTo(mostPeriods),
    payRuns: list,
    currentPayRun: z.unknown().optional(),
    lastPeriodNumber: z.int().max(mostPeriods).nullish(),
  }),
);
type Schedule = z.output<typeof schedules>[number];

const versioned = z.looseObject({ version: countUpTo(mostVersions) });

const payrun = defineSource({
  state: text,
  isLatestVersion: flag,
  isRolledBack: flag,
  startDate: day,
  endDate: day,
  paymentDate: day,
  // What the read has put in.
  name: given<PayrunName>(),
});

const fields = defineFields("payruns", payrun, {
  remote_id: payrun.from(["name"], (name) => name && formatPayrunId(name)),
  // Every other state but the last is on the way to the payment.
  state: payrun.from(["state", "paymentDate"], (state, paymentDate, { today }) =>
    state === "Finalised" && paymentDate !== null && paymentDate <= today ? "paid" : "pending",
  ),
  type: payrun.from(["name"], (name) => name && toPayrunType(name)),
  start_date: "startDate",
  end_date: "endDate",
  payment_date: "paymentDate",
}).says({
  remote_id: "what names the pay run: employer, tax year, schedule, period and version",
  state: "paid when it is finalised and its day of payment has come, else pending",
  type: "reversal of what takes a run back, correction of a supplementary run, else regular",
});

const cursor = z.object({ after: z.string() });

/** A page for each schedule of each tax year in the range. */
export const payruns = defineReader<"payruns", RawPayrun>({
  async *fetch(context, session, { range }) {
    const { client, employerId } = openEmployer(context, session);
    const start = cursor.safeParse(context.cursor).data?.after ?? "";
    for (const { place, schedule, taxYear } of await listSchedules(context, session, range)) {
      if (place <= start) continue;
      const { payPeriod, ordinal } = schedule;
      const of = { employerId, taxYear, payPeriod, ordinal, isReversal: false };
      const runs = await eachAtOnce(listPeriods(schedule), requestsAtOnce, (period) =>
        readVersions(client, { ...of, period, version: 1 }),
      );
      yield { records: runs.flat(), cursor: { after: place } };
    }
  },
  table: fields,
  map: (raw, context) => (isBeingDeleted(raw) ? null : fields.map(raw, context)),
});

/** In the order of their places, which is the same in each run of the read. */
async function listSchedules(context: ReadContext, session: Session, range: DateRange) {
  const { client, path } = openEmployer(context, session);
  const today = utcDay(context.clock.now());
  const taxYears = taxYearsOf(range, today);
  const given = await eachAtOnce(taxYears, requestsAtOnce, (taxYear) =>
    client.get(`${path}/schedules/${taxYear}`, { errors: absentTaxYear }),
  );
  // An employer that is not there any more has no tax years either. A role may lack the right to read it.
  if (given.every((ofYear) => ofYear === null))
    await client.get(path, { errors: { 403: "absent" } });
  const found = taxYears.map((taxYear, index) =>
    schedules.parse(given[index] ?? []).map((schedule) => ({
      place: `${taxYear}/${schedule.payPeriod}/${schedule.ordinal}`,
      taxYear,
      schedule,
    })),
  );
  return found.flat().toSorted((one, other) => (one.place < other.place ? -1 : 1));
}

/** The numbers of the periods with a run, by which their addresses end; where they do not, all up to the last one. */
export function listPeriods({ payRuns, currentPayRun, lastPeriodNumber }: Schedule): number[] {
  const closed = payRuns.map(periodOf);
  if (closed.some((period) => period === null)) {
    if (!lastPeriodNumber) throw new ProviderBug("the pay runs of a schedule have no numbers");
    return Array.from({ length: lastPeriodNumber }, (_value, index) => index + 1);
  }
  const periods = [...closed, periodOf(currentPayRun)].filter((period) => period !== null);
  return [...new Set(periods)].sort((one, other) => one - other);
}

function periodOf(run: unknown): number | null {
  const period = Number(lastPart(stub.safeParse(run).data?.url ?? null));
  return Number.isInteger(period) && period > 0 && period <= mostPeriods ? period : null;
}

/**
 * Without a number Staffology gives the newest version, as far as is known; a run says itself when there is a newer
 * one.
 */
async function readVersions(client: RestClient, name: PayrunName): Promise<RawPayrun[]> {
  const read = async (version?: number): Promise<RawPayrun[]> => {
    const query = { ordinal: name.ordinal, version, pageNum: 0, pageSize: 1 };
    const found = await client.get(payrunPath(name), { query, ...whatIsThere });
    if (found === null) return [];
    const run = versioned.parse(found);
    const own = { ...name, version: run.version };
    if (version !== undefined && version !== own.version) return [];
    const reversal = { ...run, name: { ...own, isReversal: true } };
    return [{ ...run, name: own }, ...(payrun.read(run, "isRolledBack") ? [reversal] : [])];
  };
  const given = await read();
  const runs: RawPayrun[] = [];
  const first = given[0]?.name.version ?? 1;
  for (let version = 1; version < first; version += 1) runs.push(...(await read(version)));
  let newest = given;
  while (newest.some(hasNewer)) {
    runs.push(...newest);
    newest = await read((newest[0]?.name.version ?? 1) + 1);
  }
  return [...runs, ...newest];
}

function hasNewer(run: RawPayrun): boolean {
  return payrun.read(run, "isLatestVersion") === false && run.name.version < mostVersions;
}

export function isBeingDeleted(run: unknown): boolean {
  return payrun.read(run, "state") === "Deleting";
}

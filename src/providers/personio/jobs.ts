// The jobs and the pay of people by v2, which knows more than the present job of v1.
import type { ReadContext } from "../contract.ts";
import { lookup } from "../kit/lookup.ts";
import { findStarts, type Period } from "../kit/periods.ts";
import { day, list, number, records, text } from "../kit/readers.ts";
import { eachAtOnce, type Meanings } from "../kit/rest.ts";
import { isPermissionMissing, whereThere } from "../kit/rights.ts";
import { defineSource, part } from "../kit/source.ts";
import { api, listOfSecond, type JsonObject } from "./personio-client.ts";

/** So many persons, and employments of one, are on a page of v2. */
const mostOnPage = 50;
const peopleAtOnce = 4;

/** An account where they are asked for in another way has the jobs and the pay of v1. */
const orNothing: { errors: Meanings } = { errors: { 400: "unsupported" } };

const jobLists = ["employments", "employment_history", "compensation_history"];
/** What is less, or of other days, by what v1 tells alone. */
const limitedWithout = {
  compensations: ["employment_type", ...jobLists],
  employments: [
    "start_date",
    "termination_date",
    "employment_status",
    "custom_fields",
    ...jobLists,
  ],
};

/** Undefined where the account lacks it, and where the account may not read it: then what v2 knows more is limited. */
async function readMore<Found>(
  context: ReadContext,
  what: keyof typeof limitedWithout,
  ask: () => Promise<Found>,
): Promise<Found | undefined> {
  try {
    return await whereThere<Found | undefined>(ask, undefined);
  } catch (error) {
    if (!isPermissionMissing(error)) throw error;
    context.limited(limitedWithout[what]);
    return undefined;
  }
}

const withEmployments = defineSource({ id: text, employments: records });

const employment = defineSource({
  employment_start_date: day,
  employment_end_date: day,
  termination: { termination_date: day },
  position: { title: text },
  type: text,
  supervisor: { id: text },
  org_units: list(part({ type: text, id: text })),
});

const compensation = defineSource({
  person: { id: text },
  effective_from: day,
  interval: text,
  amount: { value: number, currency: text },
  type: { category: text },
  weekly_working_hours: number,
  full_time_weekly_working_hours: number,
});

type ByPerson = ReadonlyMap<string, readonly JsonObject[]>;

const paidAtOnce = 100;

/** What is paid in this month. Undefined without the right to it. */
async function readPay(
  context: ReadContext,
  query: Record<string, string> = {},
): Promise<readonly JsonObject[] | undefined> {
  const list = { ...listOfSecond("/v2/compensations", { query, count: paidAtOnce }), ...orNothing };
  const found = await readMore(context, "compensations", () => api.inRead(context).all(list));
  return found as readonly JsonObject[] | undefined;
}

const personOf = (one: JsonObject): string => compensation.read(one, "person.id") ?? "";

/** By the ids of people. Without the right to it, the pay is that of v1. */
const payOfEverybody = lookup(async (context) =>
  Map.groupBy((await readPay(context)) ?? [], personOf),
);

/**
 * One by one, where everybody's takes more requests. An answer with nothing, or with the pay of somebody else, can be of
 * a Personio that does not know the filter, so then everybody's counts.
 */
async function readCompensations(
  context: ReadContext,
  ids: readonly string[],
  peopleInAll: number,
): Promise<ByPerson> {
  if (ids.length * paidAtOnce >= peopleInAll) return await payOfEverybody(context);
  const found = await eachAtOnce(ids, peopleAtOnce, async (id) => {
    const own = (await readPay(context, { "person.id": id })) ?? [];
    return [id, own] as const;
  });
  const isCertain = found.every(
    ([id, own]) => own.length > 0 && own.every((one) => personOf(one) === id),
  );
  return isCertain ? new Map(found) : await payOfEverybody(context);
}

/**
 * The records of v1 with `compensations`, and with `employments` where there was more than one: who has several is told
 * in one request for many, and each of them is asked for alone. Of how many people the records are a few, `peopleInAll`
 * says.
 */
export async function withJobs(
  context: ReadContext,
  records: readonly JsonObject[],
  peopleInAll = 0,
): Promise<JsonObject[]> {
  if (records.length === 0) return [];
  const ids = records.map(idOf);
  const compensations = await readCompensations(context, ids, peopleInAll);
  const employments = await readEmployments(context, ids);
  return records.map((one) => ({
    ...one,
    compensations: compensations.get(idOf(one)) ?? [],
    employments: employments.get(idOf(one)) ?? [],
  }));
}

async function readEmployments(context: ReadContext, ids: readonly string[]): Promise<ByPerson> {
  const client = api.inRead(context);
  const readAll = async (path: string, query: Record<string, string> = {}) => {
    const pages = { ...listOfSecond(path, { query, count: mostOnPage }), ...orNothing };
    const found = await readMore(context, "employments", () => client.all(pages));
    return found as JsonObject[] | undefined;
  };
  const several: string[] = [];
  for (let start = 0; start < ids.length; start += mostOnPage) {
    const some = ids.slice(start, start + mostOnPage);
    for (const one of (await readAll("/v2/persons", { id: some.join() })) ?? [])
      if ((withEmployments.read(one, "employments")?.length ?? 0) > 1) several.push(idOf(one));
  }
  const found = await eachAtOnce(several, peopleAtOnce, async (id) => {
    const all = (await readAll(`/v2/persons/${id}/employments`)) ?? [];
    return [id, all] as const;
  });
  return new Map(found);
}

function idOf(record: JsonObject): string {
  return withEmployments.read(record, "id") ?? "";
}

interface Employment extends Period {
  employment: JsonObject;
}

/**
 * An employee of v1 with `jobs`: the same person at each employment, and from each change of pay on, by the names of
 * v1. With several employments, `hire_date` is the first day of those that follow each other up to the one of today,
 * or else the newest; `original_hire_date` is the first of all, where that is another day.
 */
export function withJobsOf(employee: JsonObject, today: string): JsonObject {
  const { employments, compensations, ...present } = employee;
  const paid = withoutBeside(toPays(compensations as readonly JsonObject[]), present, today);
  const periods = toPeriods((employments ?? []) as readonly JsonObject[]);
  const contract = paid.findLast(({ from }) => from <= today)?.contract ?? null;
  const now = findPresent(periods, today);
  if (!now) return { ...present, contract, jobs: toPaidJobs({ ...present, contract }, paid) };
  const { start: hired, first: original } = findStarts(periods, now.start);
  const job = { ...present, contract, hire_date: now.start };
  return {
    ...present,
    ...sinceReturn(present, hired, today),
    contract,
    hire_date: hired,
    original_hire_date: original === hired ? null : original,
    jobs: [
      ...periods.filter((one) => one !== now).map((one) => toEarlierJob(one, present)),
      ...toPaidJobs(job, paid),
    ],
  };
}

/** Until somebody is back v1 tells them as gone, with the last day of before. */
function sinceReturn(present: JsonObject, hired: string | null, today: string): JsonObject {
  const { status, termination_date: last } = named.parts(present);
  return {
    ...(status === "inactive" && (hired ?? "") > today && { status: "onboarding" }),
    ...((last ?? "") < (hired ?? "") && { termination_date: null }),
  };
}

/** In order. An employment without a first day says nothing. */
function toPeriods(employments: readonly JsonObject[]): Employment[] {
  const periods = employments.flatMap((one): Employment[] => {
    const start = employment.read(one, "employment_start_date");
    const end =
      employment.read(one, "employment_end_date") ??
      employment.read(one, "termination.termination_date");
    return start === null ? [] : [{ start, end, employment: one }];
  });
  return periods.toSorted((a, b) => (a.start < b.start ? -1 : 1));
}

/** The employment of today, or else the newest. */
function findPresent(periods: readonly Employment[], today: string): Employment | undefined {
  const isNow = ({ start, end }: Period) => start <= today && (end === null || end >= today);
  return periods.findLast(isNow) ?? periods.at(-1);
}

/** v2 names the department by its number alone, and nothing of the pay. */
function toEarlierJob({ start, employment: one }: Employment, present: JsonObject): JsonObject {
  const units = employment.read(one, "org_units") ?? [];
  const id = units.find(({ type }) => type === "department")?.id ?? null;
  return {
    hire_date: start,
    position: employment.read(one, "position.title"),
    employment_type: employment.read(one, "type"),
    supervisor: { id: employment.read(one, "supervisor.id") },
    department: named.read(present, "department.id") === id ? present["department"] : { id },
  };
}

const named = defineSource({
  department: { id: text },
  hire_date: day,
  termination_date: day,
  status: text,
  hourly_salary: { value: number },
});

interface Pay {
  from: string;
  isHourly: boolean;
  /** By the names of v1. */
  values: JsonObject;
  contract: JsonObject;
}

const noPay = { hourly_salary: null, fix_salary: null, fix_salary_interval: null };

const ratesOfPay: ReadonlySet<string | null> = new Set(["HOURLY_SALARY", "FIXED_SALARY"]);

/**
 * What is paid by the hour or as a fixed amount, in order: in the month of a change from one to the other both are
 * told. Of two that begin on one day the hourly one counts. Bonuses and the like are no rate of pay.
 */
function toPays(compensations: readonly JsonObject[] = []): Pay[] {
  const pays = compensations
    .filter((one) => ratesOfPay.has(categoryOf(one)) && startOf(one) !== null)
    .filter((one) => (compensation.read(one, "amount.value") ?? 0) > 0)
    .map(toPay);
  const hourlyFrom = new Set(pays.flatMap(({ isHourly, from }) => (isHourly ? [from] : [])));
  return pays
    .filter(({ isHourly, from }) => isHourly || !hourlyFrom.has(from))
    .toSorted((a, b) => (a.from < b.from ? -1 : 1));
}

/**
 * v2 does not tell a change from who is paid both ways at once. v1 tells who is paid by the hour today: a fixed amount
 * that has begun after it was, is paid beside it.
 */
function withoutBeside(pays: readonly Pay[], present: JsonObject, today: string): readonly Pay[] {
  const first = pays.find(({ isHourly }) => isHourly)?.from;
  if (first === undefined || (named.read(present, "hourly_salary.value") ?? 0) <= 0) return pays;
  return pays.filter(({ isHourly, from }) => isHourly || from < first || from > today);
}

function toPay(one: JsonObject): Pay {
  const amount = compensation.read(one, "amount");
  const isHourly = categoryOf(one) === "HOURLY_SALARY";
  return {
    from: startOf(one) ?? "",
    isHourly,
    contract: {
      weekly_hours: compensation.read(one, "weekly_working_hours"),
      full_time_hours: compensation.read(one, "full_time_weekly_working_hours"),
    },
    values: isHourly
      ? { ...noPay, hourly_salary: amount }
      : {
          ...noPay,
          fix_salary: amount,
          fix_salary_interval: compensation.read(one, "interval")?.toLowerCase(),
        },
  };
}

function startOf(one: JsonObject): string | null {
  return compensation.read(one, "effective_from");
}

function categoryOf(one: JsonObject): string | null {
  return compensation.read(one, "type.category");
}

/** The job from its first day on, and again from each later change of pay on. */
function toPaidJobs(job: JsonObject, pays: readonly Pay[]): JsonObject[] {
  if (pays.length === 0) return [job];
  const start = named.read(job, "hire_date") ?? "";
  const first = pays.findLast(({ from }) => from <= start);
  const later = pays.filter(({ from }) => from > start);
  return [
    { ...job, ...noPay, ...first?.values },
    ...later.map(({ from, values, contract }) => ({
      ...job,
      ...values,
      contract,
      hire_date: from,
    })),
  ];
}

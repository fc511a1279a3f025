import { definePart } from "../kit/fields.ts";
import { joinRows } from "../kit/histories.ts";
import { validOn, type DatedRow } from "../kit/periods.ts";
import { recordsAt } from "../kit/paging.ts";
import { day, number, oneOf, text } from "../kit/readers.ts";
import type { RestClient } from "../kit/rest.ts";
import { whereReadable } from "../kit/rights.ts";
import { defineSource, isRecord } from "../kit/source.ts";
import type { SourceEmployment } from "../source-records.ts";
import type { Item } from "./client.ts";

const work = { title: text, department: { id: text, name: text }, reportsTo: { id: text } };
const employment = { contract: text, type: text, weeklyHours: number };
const salary = {
  base: { value: number, currency: text },
  payPeriod: oneOf(
    { Annual: "YEAR", Monthly: "MONTH", Weekly: "WEEK", Daily: "DAY", Hourly: "HOUR" },
    { otherwise: null },
  ),
  payFrequency: oneOf(
    {
      Weekly: "weekly",
      "Every two weeks": "biweekly",
      "Bi-Weekly": "biweekly",
      "Twice a month": "semimonthly",
      "Semi Monthly": "semimonthly",
      Monthly: "monthly",
    },
    { otherwise: "other" },
  ),
  change: { reason: text },
};
const tableNames = ["work", "employment", "salaries", "lifecycle"] as const;
type Table = (typeof tableNames)[number];

const row = defineSource({ effectiveDate: day, status: text, weeklyHours: number });
const job = defineSource({ day, work, employment, salaries: salary });

/** The lists are the customer's. */
const word = (written: string | null): string =>
  (written ?? "").toLowerCase().replaceAll(/[^a-z]/g, "");

export function toEmploymentType(contract: string | null, type: string | null) {
  if (contract === null && type === null) return null;
  if (/^(?:contract|freelance)/.test(word(type))) return "contractor";
  if (word(contract).startsWith("full")) return "full_time";
  return word(contract).startsWith("part") ? "part_time" : "other";
}

export const jobFields = definePart<SourceEmployment>()(job, {
  effective_date: "day",
  job_title: "work.title",
  employment_type: job.from(["employment.contract", "employment.type"], toEmploymentType),
  // Nothing is converted: without a period of ours a rate says nothing.
  pay_rate: job.from(["salaries.base.value", "salaries.payPeriod"], (amount, period) =>
    period === null ? null : amount,
  ),
  pay_period: "salaries.payPeriod",
  pay_frequency: "salaries.payFrequency",
  currency: job.from(["salaries.base.currency"], (code) => code?.toLowerCase() ?? null),
  group_remote_id: "work.department.id",
  group_name: "work.department.name",
  manager_remote_id: "work.reportsTo.id",
  notes: "salaries.change.reason",
}).says({
  employment_type: "contractor by the type, else full or part time by the contract, else other",
  pay_rate: "null without a period of ours",
  currency: "in lower case",
});

type Rows = ReadonlyMap<string, readonly object[]>;

/** The histories of everybody. */
export interface Histories {
  of: Readonly<Record<Table, Rows>>;
  /** Of at least one person. As each of them has days of its own, jobs need all of them. */
  isHidden: boolean;
}

/** In pages that count rows, so that one person may stand on two. */
export async function readHistories(client: RestClient): Promise<Histories> {
  let isHidden = false;
  const read = async (table: Table): Promise<[Table, Rows]> => {
    const found = new Map<string, object[]>();
    let isWhole = true;
    const list = await whereReadable(() =>
      client.all({
        path: `/v1/bulk/people/${table}`,
        query: { limit: 200 },
        paging: { by: "cursor", parameter: "cursor", next: nextCursor },
        items: recordsAt("results"),
        idOf: (one) => JSON.stringify([ofPerson(one), rowsOf(one).map((row) => row["id"])]),
        onAnswer: ({ body }) => (isWhole &&= !hasErrors(body)),
      }),
    );
    for (const one of list ?? [])
      found.set(ofPerson(one), [...(found.get(ofPerson(one)) ?? []), ...rowsOf(one)]);
    isHidden ||= !list || !isWhole;
    return [table, found];
  };
  const tables: [Table, Rows][] = [];
  for (const table of tableNames) tables.push(await read(table));
  return { of: Object.fromEntries(tables) as Record<Table, Rows>, isHidden };
}

export function nextCursor(body: unknown): unknown {
  const told = isRecord(body) ? body["response_metadata"] : undefined;
  return isRecord(told) ? told["next_cursor"] : undefined;
}

const ofPerson = (one: unknown): string => String((one as { employeeId: unknown }).employeeId);
const rowsOf = recordsAt("values");

/** Of people whom the service user does not see, in an answer with the others. */
function hasErrors(body: unknown): boolean {
  const errors = isRecord(body) ? body["errors"] : undefined;
  return Object.keys(errors ?? {}).length > 0;
}

interface Lists {
  words: ReadonlyMap<string, string>;
  departments: readonly Item[];
}

/** The item that is told by its id or its words, as fields and rows have it. */
export function inList(told: unknown, items: readonly Item[]): unknown {
  const known = String(isRecord(told) ? told["id"] : told);
  return items.find((one) => one.id === known) ?? items.find((one) => one.name === known) ?? told;
}

/** What the tables say of a person: the jobs, and the hours of a week of today. */
export function toJobs(id: string, { of }: Histories, lists: Lists, today: string) {
  const told = (table: Table): Row[] =>
    (of[table].get(id) ?? []).map((one) => withWords(one as Row, lists));
  const contracts = told("employment");
  const joined = joinRows({
    work: told("work"),
    employment: contracts,
    salaries: told("salaries"),
    lifecycle: listGaps(told("lifecycle")),
  });
  return {
    jobs: joined.map((one) => (isOver(one.lifecycle) ? { day: one.day } : one)),
    weeklyHours: row.read(validOn(contracts, today), "weeklyHours"),
  };
}

/** Of somebody who came back: where they left, and where they came back. */
function listGaps(lifecycle: readonly Row[]): Row[] {
  const inOrder = lifecycle.toSorted((a, b) =>
    (a.start_date ?? "") < (b.start_date ?? "") ? -1 : 1,
  );
  return inOrder.flatMap((one, index) => {
    const back = inOrder.slice(index + 1).find((later) => !isOver(later));
    return isOver(one) && back ? [one, back] : [];
  });
}

function isOver(one: Row | null): boolean {
  return word(row.read(one, "status")) === "terminated";
}

type Row = DatedRow & Readonly<Record<string, unknown>>;

/** The words in place of the ids of lists. */
function withWords(one: Row, lists: Lists): Row {
  const names = ["title", "contract", "type", "payPeriod", "payFrequency", "status"];
  const named = names.map((name) => [name, lists.words.get(String(one[name])) ?? one[name]]);
  return {
    ...one,
    ...(Object.fromEntries(named) as object),
    department: inList(one["department"], lists.departments),
    start_date: row.read(one, "effectiveDate"),
    end_date: null,
  };
}

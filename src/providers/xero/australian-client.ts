// Australian payroll is another API, with capitals, days as `/Date(…)/` and no number of pages. What it answers is
// written here as the British one would, so that the same tables read it.
import type { ReadContext } from "../contract.ts";
import { lookup } from "../kit/lookup.ts";
import { readValue, records, recordsOf } from "../kit/readers.ts";
import type { RestList } from "../kit/rest.ts";
import { fieldOf } from "../kit/source.ts";
import { api, pageSize, readRecord } from "./xero-client.ts";

export type Row = Readonly<Record<string, unknown>>;

export const australianPath = "/payroll.xro/1.0";
const datePattern = /^\/Date\((-?\d{1,15})(?:[+-]\d{4})?\)\/$/;
/** Australian law restricts who may have it, so nothing here ever sees it. */
const restrictedName = "TaxFileNumber";

/** A page that is not full is the last one. */
export function australianListOf(path: string, field: string, id: string): RestList {
  return {
    path: australianPath + path,
    items: (body) => {
      const found = readValue(records, fieldOf(body, field));
      return Array.isArray(found) ? found.map(rewrite) : found;
    },
    idOf: (record) => fieldOf(record, id),
    paging: { by: "page", parameter: "page", size: pageSize, end: "short" },
  };
}

/** One record, which most paths have as a list of one; null when there is none. */
export async function readAustralian(
  context: ReadContext,
  path: string,
  field: string,
): Promise<Row | null> {
  const found = await readRecord(context, australianPath + path, field);
  return found && (rewrite(found) as Row);
}

export const australianCalendars = lookup(async (context) =>
  byId(
    await api
      .inRead(context)
      .all(australianListOf("/PayrollCalendars", "PayrollCalendars", "payrollCalendarID")),
    "payrollCalendarID",
  ),
);

type Kind = "earningsRates" | "deductionTypes" | "leaveTypes" | "reimbursementTypes";

/** The rates and types of the company, all of which come in one answer. */
const payItems = lookup<ReadonlyMap<string, object>>(async (context) => {
  const found = await readAustralian(context, "/PayItems", "PayItems");
  const kinds: readonly (readonly [Kind, string])[] = [
    ["earningsRates", "earningsRateID"],
    ["deductionTypes", "deductionTypeID"],
    ["leaveTypes", "leaveTypeID"],
    ["reimbursementTypes", "reimbursementTypeID"],
  ];
  return kinds.map(([kind, id]) => [kind, new Map(byId(listAt(found, kind), id))]);
});

export async function payItemsOf(
  context: ReadContext,
  kind: Kind,
): Promise<ReadonlyMap<string, object>> {
  return (await payItems(context)).get(kind) ?? new Map();
}

/** The records of a list inside of a record; none where it is absent. */
export function listAt(record: unknown, field: string): Row[] {
  return [...recordsOf(fieldOf(record, field))] as Row[];
}

function byId(found: readonly unknown[], id: string) {
  return found.map((one) => [String(fieldOf(one, id)), one as object] as const);
}

/** With small letters and days as ISO 8601 writes them: a day of Xero's is the one in UTC. */
function rewrite(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewrite);
  if (typeof value === "string") return rewriteDay(value);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== restrictedName)
      .map(([name, inner]) => [name.charAt(0).toLowerCase() + name.slice(1), rewrite(inner)]),
  );
}

function rewriteDay(written: string): string {
  const [, milliseconds] = datePattern.exec(written) ?? [];
  if (milliseconds === undefined) return written;
  const moment = new Date(Number(milliseconds));
  return Number.isNaN(moment.getTime()) ? written : moment.toISOString();
}

import { defineReader } from "../contract.ts";
import { defineFields } from "../kit/fields.ts";
import { given } from "../kit/readers.ts";
import { defineSource, type Mapping, type Shape } from "../kit/source.ts";
import type { SourceRecord } from "../source-records.ts";
import type { Domain, OdooRecord } from "./client.ts";
import { readToday } from "./companies.ts";
import type { RecordReader } from "./records.ts";
import { openResource } from "./rights.ts";
import { leave, lengthPaths, policy, readPolicies, toLength, type Policy } from "./time-off.ts";
import { amount, day, id, idAt, reference, requireAmount, text, withoutNoise } from "./values.ts";

type Balance = SourceRecord<"time-off-balances">;

/** What one employee has of one type. */
export interface RawBalance extends Policy {
  employeeId: number;
  allocations: readonly OdooRecord[];
  /** Null where the allocations themselves say what is left of them. */
  leaves: readonly OdooRecord[] | null;
}

const allocation = defineSource({
  employee_id: id,
  holiday_status_id: reference,
  type_request_unit: text,
  number_of_days: amount,
  number_of_hours_display: amount,
  leaves_taken: amount,
  virtual_remaining_leaves: amount,
  date_from: day,
  date_to: day,
  create_date: day,
  write_date: day,
});
type AmountPath =
  "number_of_days" | "number_of_hours_display" | "leaves_taken" | "virtual_remaining_leaves";

const balance = defineSource({
  ...policy,
  employeeId: text,
  allocations: given<readonly OdooRecord[]>(),
  leaves: given<readonly OdooRecord[]>(),
});
const amounts = ["allocations", "leaves"] as const;

const fields = defineFields("time-off-balances", balance, {
  employee_remote_id: "employeeId",
  balance: balance.from(amounts, (allocations, leaves) => toAmounts(allocations, leaves).balance),
  used: balance.from(amounts, (allocations, leaves) => toAmounts(allocations, leaves).used),
  unit: balance.from(["allocations"], (allocations) => (areHourly(allocations) ? "hours" : "days")),
  policy_remote_id: "policy_remote_id",
  policy_name: "policy_name",
  policy_type: "policy_type",
  remote_created_at: balance.from(
    ["allocations"],
    (allocations) => listDays(allocations, "create_date").at(0) ?? null,
  ),
  remote_modified_at: balance.from(
    ["allocations"],
    (allocations) => listDays(allocations, "write_date").at(-1) ?? null,
  ),
});

const pageSize = 500;
type Pair = `${number} ${number}`;

/**
 * Allocations are read in pages and summed, because asking Odoo for the balances of one person is one call
 * for each. The sums are the same.
 */
export const timeOffBalances = defineReader<"time-off-balances", RawBalance>({
  async *fetch(context, session) {
    const { odoo, reader } = await openResource(context, session, "time-off-balances");
    const today = await readToday(odoo, reader, context.clock);
    await odoo.markDay(today);
    const policyOf = await readPolicies(odoo, reader);
    const known = await reader.listFields("hr.leave.allocation", allocation.shape);
    const allocations = await readAllocations(reader, "date_to" in known ? today : null);
    // Before version 18, allocations do not say what is left of them.
    const leaves =
      "virtual_remaining_leaves" in known
        ? null
        : await readByPair(reader, "hr.leave", leave.shape, [
            ["state", "in", ["confirm", "validate1", "validate"]],
          ]);
    const balances = [...allocations].flatMap(([pair, all]) => {
      const valid = all.filter((one) => isValid(one, today));
      const [first] = valid;
      if (!first) return [];
      const employeeId = idAt(first, "employee_id") ?? 0;
      const ofPair = leaves && (leaves.get(pair) ?? []);
      return [{ employeeId, ...policyOf(first), allocations: valid, leaves: ofPair }];
    });
    for (let start = 0; start < balances.length; start += pageSize)
      yield balances.slice(start, start + pageSize);
  },
  map: toTimeOffBalance,
});

/** What is left is without leave that is not approved yet, and without leave of the future. */
export function toTimeOffBalance(raw: RawBalance, mapping: Mapping): Balance {
  return fields.map(raw, mapping);
}

/** Without those that ended before today, which are most of them after some years. */
async function readAllocations(
  reader: RecordReader,
  today: string | null,
): Promise<Map<Pair, OdooRecord[]>> {
  const granted: Domain = [["state", "=", "validate"]];
  const found = new Map<Pair, OdooRecord[]>();
  const ends: readonly Domain[] =
    today === null ? [[]] : [[["date_to", "=", false]], [["date_to", ">=", today]]];
  for (const end of ends) {
    const domain = [...granted, ...end];
    const read = await readByPair(reader, "hr.leave.allocation", allocation.shape, domain);
    for (const [pair, records] of read) found.set(pair, [...(found.get(pair) ?? []), ...records]);
  }
  return found;
}

async function readByPair(
  reader: RecordReader,
  model: string,
  shape: Shape,
  domain: Domain,
): Promise<Map<Pair, OdooRecord[]>> {
  const byPair = new Map<Pair, OdooRecord[]>();
  for await (const page of reader.readPages(model, shape, domain))
    for (const record of page) {
      const employee = idAt(record, "employee_id");
      const type = idAt(record, "holiday_status_id");
      // Before version 19 leave that was cancelled is archived.
      if (employee === null || type === null || record["active"] === false) continue;
      const pair: Pair = `${employee} ${type}`;
      const known = byPair.get(pair);
      if (known) known.push(record);
      else byPair.set(pair, [record]);
    }
  return byPair;
}

/** Odoo counts an allocation from its first day to its last one. */
function isValid(record: OdooRecord, today: string): boolean {
  const from = allocation.read(record, "date_from");
  const to = allocation.read(record, "date_to");
  return (from === null || from <= today) && (to === null || to >= today);
}

function areHourly(allocations: readonly OdooRecord[] | null): boolean {
  return (allocations ?? []).some((one) => allocation.read(one, "type_request_unit") === "hour");
}

function toAmounts(
  allocations: readonly OdooRecord[] | null,
  leaves: readonly OdooRecord[] | null,
): { balance: number; used: number } {
  const all = allocations ?? [];
  if (leaves) return subtractLeaves(all, leaves);
  return { balance: sumOf(all, "virtual_remaining_leaves"), used: sumOf(all, "leaves_taken") };
}

function subtractLeaves(
  allocations: readonly OdooRecord[],
  leaves: readonly OdooRecord[],
): { balance: number; used: number } {
  const starts = allocations.map((one) => allocation.read(one, "date_from") ?? "");
  const first = starts.sort().at(0) ?? "";
  const counted = leaves.filter((one) => (leave.read(one, "request_date_to") ?? "") >= first);
  const approved = counted.filter((one) => leave.read(one, "state") === "validate");
  const isHourly = areHourly(allocations);
  const granted = sumOf(allocations, isHourly ? "number_of_hours_display" : "number_of_days");
  return { balance: withoutNoise(granted - lengthOf(counted)), used: lengthOf(approved) };
}

function sumOf(allocations: readonly OdooRecord[], path: AmountPath): number {
  return sum(allocations.map((one) => requireAmount(allocation.read(one, path), path)));
}

function lengthOf(leaves: readonly OdooRecord[]): number {
  return sum(
    leaves.map((one) => {
      const [unit, days, hours, displayed] = lengthPaths;
      return toLength([
        leave.read(one, unit),
        leave.read(one, days),
        leave.read(one, hours),
        leave.read(one, displayed),
      ]).amount;
    }),
  );
}

function sum(counts: readonly number[]): number {
  return withoutNoise(counts.reduce((total, count) => total + count, 0));
}

function listDays(
  allocations: readonly OdooRecord[] | null,
  path: "create_date" | "write_date",
): string[] {
  return (allocations ?? [])
    .map((one) => allocation.read(one, path))
    .filter((found) => found !== null)
    .sort();
}

import { defineReader } from "../contract.ts";
import { defineFields } from "../kit/fields.ts";
import { flag, given } from "../kit/readers.ts";
import { defineSource, type Mapping, type Shape } from "../kit/source.ts";
import type { SourceRecord } from "../source-records.ts";
import type { Domain, OdooRecord } from "./client.ts";
import { dayIn, findTimeZone } from "./companies.ts";
import type { RecordReader } from "./records.ts";
import { openResource } from "./rights.ts";
import { leave, lengthPaths, policy, readPolicies, toLength, type Policy } from "./time-off.ts";
import { amount, day, id, idAt, reference, requireAmount, text, withoutNoise } from "./values.ts";

type Balance = SourceRecord<"time-off-balances">;
interface Amounts {
  balance: number;
  used: number;
}

/** What one employee has of one type. */
export interface RawBalance extends Policy {
  employeeId: number;
  allocations: readonly OdooRecord[];
  /** Null where the allocations themselves say all that is left of them. */
  leaves: readonly OdooRecord[] | null;
  /** Those of all time, of a type of which more may be taken than was granted. */
  everGranted: readonly OdooRecord[] | null;
  /** YYYY-MM-DD, where the company is. */
  today: string;
}

const allocation = defineSource({
  active: flag,
  employee_id: id,
  holiday_status_id: reference,
  allocation_type: text,
  type_request_unit: text,
  number_of_days: amount,
  number_of_hours_display: amount,
  max_leaves: amount,
  leaves_taken: amount,
  virtual_remaining_leaves: amount,
  date_from: day,
  date_to: day,
  create_date: day,
  write_date: day,
});
type AmountPath =
  | "number_of_days"
  | "number_of_hours_display"
  | "max_leaves"
  | "leaves_taken"
  | "virtual_remaining_leaves";

const balance = defineSource({
  ...policy,
  employeeId: text,
  allocations: given<readonly OdooRecord[]>(),
  /** Made of the others. */
  amounts: { balance: given<number>(), used: given<number>() },
});

const fields = defineFields("time-off-balances", balance, {
  employee_remote_id: "employeeId",
  balance: "amounts.balance",
  used: "amounts.used",
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

const granted: Domain = [["state", "=", "validate"]];
const asked: Domain = [["state", "in", ["confirm", "validate1", "validate"]]];
const pageSize = 500;
type Pair = `${number} ${number}`;

/**
 * Allocations are read in pages and summed, because asking Odoo for the balances of one person is one call
 * for each. The sums are the same.
 */
export const timeOffBalances = defineReader<"time-off-balances", RawBalance>({
  async *fetch(context, session) {
    const { odoo, reader } = await openResource(context, session, "time-off-balances");
    const today = dayIn(await findTimeZone(odoo, reader), context.clock.now());
    await odoo.markDay(today);
    const { policyOf, isAtWork, overdrawable } = await readPolicies(odoo, reader);
    const known = await reader.listFields("hr.leave.allocation", allocation.shape);
    const allocations = await readAllocations(reader, "date_to" in known ? today : null);
    // Before version 18, allocations do not say what is left of them.
    const isTold = "virtual_remaining_leaves" in known;
    const ofTypes: Domain = isTold ? [["holiday_status_id", "in", overdrawable]] : [];
    const read = (model: string, shape: Shape, domain: Domain) =>
      readByPair(reader, model, shape, [...domain, ...ofTypes]);
    const isAsked = !isTold || overdrawable.length > 0;
    const leaves = isAsked ? await read("hr.leave", leave.shape, asked) : null;
    const ever =
      isAsked && isTold ? await read("hr.leave.allocation", allocation.shape, granted) : null;
    const balances = [...allocations].flatMap(([pair, all]) => {
      const valid = all.filter((one) => isValid(one, today));
      const [first] = valid;
      if (!first || isAtWork(first)) return [];
      const employeeId = idAt(first, "employee_id") ?? 0;
      const everGranted = ever?.get(pair) ?? null;
      const ofPair = isTold && !everGranted ? null : (leaves?.get(pair) ?? []);
      const own = { allocations: valid, leaves: ofPair, everGranted, today };
      return [{ employeeId, ...policyOf(first), ...own }];
    });
    for (let start = 0; start < balances.length; start += pageSize)
      yield balances.slice(start, start + pageSize);
  },
  table: fields,
  map: toTimeOffBalance,
});

/** What is left is without leave that is not approved yet, and without leave of the future. */
export function toTimeOffBalance(raw: RawBalance, mapping: Mapping): Balance {
  return fields.map({ ...raw, amounts: toAmounts(raw) }, mapping);
}

/** Without those that ended before today, which are most of them after some years. */
async function readAllocations(
  reader: RecordReader,
  today: string | null,
): Promise<Map<Pair, OdooRecord[]>> {
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
      // Before version 19 leave that was cancelled is archived, and so are allocations of people who left.
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

function toAmounts({ allocations, leaves, everGranted, today }: RawBalance): Amounts {
  if (leaves && !everGranted) return subtractLeaves(allocations, leaves);
  const left = sumOf(allocations, "virtual_remaining_leaves");
  const taken = sumOf(allocations, "leaves_taken");
  if (!leaves || !everGranted) return { balance: left, used: taken };
  const beyond = findBeyond(everGranted, leaves, today);
  return {
    balance: withoutNoise(left - beyond.asked),
    used: withoutNoise(taken + beyond.approved),
  };
}

/**
 * What was taken of no allocation. Odoo leaves it out of what it says of each allocation, and takes it off on its page
 * of balances where the type allows it. Future leave of an accrual is taken of what will have been granted by then.
 */
function findBeyond(
  everGranted: readonly OdooRecord[],
  leaves: readonly OdooRecord[],
  today: string,
): { asked: number; approved: number } {
  const accruals = everGranted.filter(
    (one) =>
      allocation.read(one, "allocation_type") === "accrual" &&
      (allocation.read(one, "date_to") ?? today) >= today,
  );
  const isOfAccrual = (one: OdooRecord): boolean => {
    const end = leave.read(one, "request_date_to") ?? "";
    const isLater = (leave.read(one, "request_date_from") ?? "") > today;
    return isLater && accruals.some((by) => (allocation.read(by, "date_from") ?? "") <= end);
  };
  const counted = leaves.filter((one) => !isOfAccrual(one));
  const allocated =
    sumOf(everGranted, "max_leaves") - sumOf(everGranted, "virtual_remaining_leaves");
  return {
    asked: Math.max(0, lengthOf(counted) - allocated),
    approved: Math.max(0, lengthOf(approvedOf(counted)) - sumOf(everGranted, "leaves_taken")),
  };
}

function approvedOf(leaves: readonly OdooRecord[]): OdooRecord[] {
  return leaves.filter((one) => leave.read(one, "state") === "validate");
}

function subtractLeaves(
  allocations: readonly OdooRecord[],
  leaves: readonly OdooRecord[],
): Amounts {
  const starts = allocations.map((one) => allocation.read(one, "date_from") ?? "");
  const first = starts.sort().at(0) ?? "";
  const counted = leaves.filter((one) => (leave.read(one, "request_date_to") ?? "") >= first);
  const isHourly = areHourly(allocations);
  const total = sumOf(allocations, isHourly ? "number_of_hours_display" : "number_of_days");
  return { balance: withoutNoise(total - lengthOf(counted)), used: lengthOf(approvedOf(counted)) };
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

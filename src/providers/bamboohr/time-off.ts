import { defineReader } from "../contract.ts";
import { ProviderBug } from "../errors.ts";
import type { SourceRecord } from "../source-records.ts";
import { BambooClient } from "./bamboohr-client.ts";
import {
  requireId,
  requireRecords,
  toDate,
  toId,
  toLetters,
  toNumber,
  toRecord,
  toText,
  type BambooRecord,
} from "./field-values.ts";

type Entry = SourceRecord<"time-off-entries">;
type PolicyType = Exclude<Entry["policy_type"], undefined>;

/** Requests that overlap the range, a year at a time: the answers have no pages. */
export const timeOffEntries = defineReader<"time-off-entries", BambooRecord>({
  async *fetch(context, session, { range }) {
    if (!range) return;
    const client = new BambooClient(context, session);
    const cursor = context.cursor?.["start"];
    for (let start = typeof cursor === "string" ? cursor : range.start; start <= range.end;) {
      const endOfYear = `${start.slice(0, 4)}-12-31`;
      const end = endOfYear < range.end ? endOfYear : range.end;
      const query = { start, end };
      const answer = await client.ask({ path: "/api/v1/time_off/requests", query });
      const records = requireRecords(answer, "time off");
      start = `${String(Number(start.slice(0, 4)) + 1).padStart(4, "0")}-01-01`;
      yield start <= range.end ? { records, cursor: { start } } : records;
    }
  },
  map: toTimeOffEntry,
});

/** Null for a request that was taken back or replaced. */
export function toTimeOffEntry(request: BambooRecord): Entry | null {
  const { status, lastChanged } = toRecord(request["status"]);
  const word = toLetters(status);
  if (word === "canceled" || word === "superceded") return null;
  const type = toRecord(request["type"]);
  const taken = toRecord(request["amount"]);
  const [amount, unit] = [toNumber(taken["amount"]), toUnit(taken["unit"])];
  if (amount === null || unit === null)
    throw new ProviderBug("a request for time off has no amount with a unit");
  const name = toText(type["name"]);
  return {
    remote_id: requireId(request, "id"),
    employee_remote_id: requireId(request, "employeeId"),
    start_date: toDate(request["start"]),
    end_date: toDate(request["end"]),
    amount,
    unit,
    status: toStatus(word),
    employee_note: toText(toRecord(request["notes"])["employee"]),
    policy_remote_id: toId(type["id"]),
    policy_name: name,
    policy_type: toPolicyType(name),
    remote_created_at: toDate(request["created"]),
    remote_modified_at: toDate(lastChanged),
  };
}

function toStatus(word: string): Exclude<Entry["status"], undefined> {
  switch (word) {
    case "approved":
      return "approved";
    case "requested":
      return "pending";
    case "denied":
      return "rejected";
    default:
      return null;
  }
}

export function toUnit(unit: unknown): "hours" | "days" | null {
  const letters = toLetters(unit);
  return letters === "hours" || letters === "days" ? letters : null;
}

/** By the words of a name: the policies are the customer's. */
export function toPolicyType(name: string | null): PolicyType {
  const text = name ?? "";
  return policyWords.find(([word]) => word.test(text))?.[1] ?? null;
}

/** Where a word begins: an injury is no jury. */
const policyWords: readonly (readonly [RegExp, PolicyType])[] = [
  [/\bvacation/i, "vacation"],
  [/\bpto/i, "vacation"],
  [/\bsick/i, "sick"],
  [/\bbereavement/i, "bereavement"],
  [/\bjury/i, "jury_duty"],
  [/\bholiday/i, "holiday"],
  [/\bpersonal/i, "personal"],
  [/\bvolunteer/i, "volunteer"],
];

import { defineReader } from "../contract.ts";
import { AuthError } from "../errors.ts";
import type { SourceRecord } from "../source-records.ts";
import { utcDay } from "../../platform/clock.ts";
import { BambooClient, ifAllowed } from "./bamboohr-client.ts";
import { idField, readDataset } from "./dataset.ts";
import {
  requireId,
  requireRecords,
  toId,
  toLetters,
  toNumber,
  toText,
  type BambooRecord,
} from "./field-values.ts";
import { readRosterIfAllowed } from "./roster.ts";
import { toPolicyType, toUnit } from "./time-off.ts";

interface RawBalance {
  employeeId: string;
  entry: BambooRecord;
}

/** People who are asked for at once. */
const atOnce = 4;

/**
 * One request for each person who works there. A cursor stands after each few people, so that a read that is cut
 * short goes on there and asks for nobody twice.
 */
export const timeOffBalances = defineReader<"time-off-balances", RawBalance>({
  async *fetch(context, session) {
    const client = new BambooClient(context, session);
    const end = utcDay(context.clock.now());
    const progress = new Progress(context.cursor);
    const left = progress.listLeft(await readPresentIds(client));
    for (let start = 0; start < left.length; start += atOnce) {
      const ids = left.slice(start, start + atOnce);
      const answers = await Promise.allSettled(ids.map((id) => readBalances(client, id, end)));
      const read = answers.flatMap((answer, index) =>
        answer.status === "fulfilled" ? [[ids[index] ?? "", answer.value] as const] : [],
      );
      const records = read.flatMap(([employeeId, entries]) =>
        entries.map((entry) => ({ employeeId, entry })),
      );
      const failure = answers.find((answer) => answer.status === "rejected");
      yield { records, cursor: progress.note(ids, new Set(read.map(([id]) => id))) };
      if (failure) throw failure.reason;
    }
  },
  map: toBalance,
});

/** Who has been asked for: everybody up to an id, and some beyond it when others of the same few failed. */
class Progress {
  #after: string;
  #done: readonly string[];

  constructor(cursor: Readonly<Record<string, unknown>> | undefined) {
    const { after, done } = cursor ?? {};
    this.#after = toText(after) ?? "";
    this.#done = Array.isArray(done) ? done.flatMap((id) => toText(id) ?? []) : [];
  }

  listLeft(ids: readonly string[]): string[] {
    return ids
      .filter((id) => compareIds(id, this.#after) > 0 && !this.#done.includes(id))
      .toSorted(compareIds);
  }

  /** The cursor after these people, of whom some were read. */
  note(ids: readonly string[], read: ReadonlySet<string>): { after: string; done: string[] } {
    const failed = ids.findIndex((id) => !read.has(id));
    this.#after = (failed === -1 ? ids.at(-1) : ids[failed - 1]) ?? this.#after;
    const done = [...this.#done, ...read].filter((id) => compareIds(id, this.#after) > 0);
    this.#done = done;
    return { after: this.#after, done };
  }
}

/** Ids are numbers as text. */
function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : Number(a > b));
}

/** Balances are of people who work there. */
async function readPresentIds(client: BambooClient): Promise<string[]> {
  const people =
    (await readRosterIfAllowed(client)) ??
    (await ifAllowed(async () => (await readDataset(client, [idField, "status"])).flat()));
  if (!people) throw new AuthError("insufficient_permission");
  const present = people.filter(({ status }) => toLetters(status) !== "inactive");
  return present.map((person) => toId(person["employeeId"]) ?? requireId(person, idField));
}

/** Nobody whom BambooHR does not find has a balance. */
async function readBalances(
  client: BambooClient,
  id: string,
  end: string,
): Promise<BambooRecord[]> {
  const path = `/api/v1/employees/${encodeURIComponent(id)}/time_off/calculator`;
  const answer = await client.askIfThere({ path, query: { end, precision: 4 } });
  return answer === null ? [] : requireRecords(answer, "balances");
}

/** A policy at somebody's discretion has no limit, though BambooHR says that nothing is left. */
export function toBalance({ employeeId, entry }: RawBalance): SourceRecord<"time-off-balances"> {
  const name = toText(entry["name"]);
  const hasLimit = toLetters(entry["policyType"]) !== "discretionary";
  return {
    employee_remote_id: employeeId,
    balance: hasLimit ? toNumber(entry["balance"]) : null,
    used: toNumber(entry["usedYearToDate"]),
    unit: toUnit(entry["units"]),
    policy_remote_id: toId(entry["timeOffType"]),
    policy_name: name,
    policy_type: toPolicyType(name),
  };
}

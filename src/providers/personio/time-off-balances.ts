import { defineReader } from "../contract.ts";
import { OperationNotSupported, ProviderBug } from "../errors.ts";
import type { SourceRecord } from "../source-records.ts";
import { readEmployeePages } from "./employees.ts";
import { toId, toNumber, toObject, toText, type JsonObject } from "./json-values.ts";
import { askInRead, NotFound, type Ask } from "./personio-client.ts";
import { requireList } from "./read-lists.ts";
import { isAtWork, readTimeOffTypes, toPolicyType, type TimeOffType } from "./time-off-types.ts";

type Balance = SourceRecord<"time-off-balances">;

export interface RawBalance {
  employeeId: string;
  balance: JsonObject;
  /** The type of the balance, if Personio still has it. */
  type: TimeOffType | null;
}

/** So many people are asked for at once, and make one page. */
const peopleAtOnce = 10;

/** Personio answers one person at a time. The people are asked for in the order of their ids, so a read can go on. */
export const timeOffBalances = defineReader<"time-off-balances", RawBalance>({
  async *fetch(context) {
    const ask = askInRead(context);
    const types = await readTimeOffTypes(ask);
    const after = Number(context.cursor?.["after"] ?? 0);
    let isAnswered = context.cursor?.["isAnswered"] === true;
    const people = await readEmployeeIds(ask);
    const ids = people.filter((id) => id > after);
    for (let start = 0; start < ids.length; start += peopleAtOnce) {
      const some = ids.slice(start, start + peopleAtOnce);
      const balances = await Promise.all(some.map((id) => readBalances(ask, id, types)));
      isAnswered ||= balances.some((found) => found !== undefined);
      const records = balances.flatMap((found) => found ?? []);
      yield { records, cursor: { after: some.at(-1), isAnswered } };
    }
    if (!isAnswered && people.length > 0)
      throw new OperationNotSupported("Personio has the balances of nobody");
  },
  map: toBalance,
});

/** In order, each once. */
async function readEmployeeIds(ask: Ask): Promise<number[]> {
  const ids = new Set<number>();
  for await (const { records } of readEmployeePages(ask))
    for (const record of records) {
      const attributes = toObject(record["attributes"]);
      const id = toNumber(toObject(attributes?.["id"])?.["value"]);
      if (id === null) throw new ProviderBug("an employee has no number");
      ids.add(id);
    }
  return [...ids].toSorted((a, b) => a - b);
}

/** Undefined for somebody who was deleted since the list of people was read. */
async function readBalances(
  ask: Ask,
  id: number,
  types: Readonly<Record<string, TimeOffType>>,
): Promise<RawBalance[] | undefined> {
  try {
    const body = await ask({ path: `/v1/company/employees/${id}/absences/balance` });
    return requireList(body["data"]).map((balance) => {
      const type = types[toId(balance["id"]) ?? ""] ?? null;
      return { employeeId: String(id), balance, type };
    });
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}

/** What is left today; absences that are planned are not taken off. Null for work at home. */
export function toBalance({ employeeId, balance, type }: RawBalance): Balance | null {
  const category = toText(balance["category"]) ?? type?.category ?? null;
  if (isAtWork(category)) return null;
  return {
    employee_remote_id: employeeId,
    balance: toNumber(balance["balance"]),
    used: null,
    unit: type?.unit ?? null,
    policy_remote_id: toId(balance["id"]),
    policy_name: toText(balance["name"]) ?? type?.name ?? null,
    policy_type: toPolicyType(category),
  };
}

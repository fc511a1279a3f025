import { defineReader } from "../contract.ts";
import { OperationNotSupported, ProviderBug } from "../errors.ts";
import { always, defineFields } from "../kit/fields.ts";
import { given, number } from "../kit/readers.ts";
import { eachAtOnce, type RestClient } from "../kit/rest.ts";
import { defineSource } from "../kit/source.ts";
import { people } from "./employees.ts";
import { api, dataOf, employeesPath } from "./personio-client.ts";
import { isAtWork, readTimeOffTypes, timeOffType, toPolicyType } from "./time-off.ts";

/** So many people are asked for at once, and make one page. */
const peopleAtOnce = 10;

const balance = defineSource({
  ...timeOffType,
  balance: number,
  // What the read has put in.
  employeeId: given<string>(),
  /** If Personio still has it. */
  type: timeOffType,
});

/** What is left today; absences that are planned are not taken off. */
const fields = defineFields("time-off-balances", balance, {
  employee_remote_id: "employeeId",
  balance: "balance",
  used: always(null),
  unit: "type.unit",
  policy_remote_id: "id",
  policy_name: balance.first("name", "type.name"),
  policy_type: balance.from(["category", "type.category"], (own, ofType) =>
    toPolicyType(own ?? ofType),
  ),
}).says({
  policy_type: "by the category",
});

/** Personio answers one person at a time. The people are asked for in the order of their ids, so a read can go on. */
export const timeOffBalances = defineReader<"time-off-balances", object>({
  async *fetch(context) {
    const client = api.inRead(context);
    const types = await readTimeOffTypes(context);
    const after = Number(context.cursor?.["after"] ?? 0);
    let isAnswered = context.cursor?.["isAnswered"] === true;
    const everybody = await readEmployeeIds(client);
    const ids = everybody.filter((id) => id > after);
    for (let start = 0; start < ids.length; start += peopleAtOnce) {
      const some = ids.slice(start, start + peopleAtOnce);
      const found = await eachAtOnce(some, peopleAtOnce, (id) => readBalances(client, id));
      isAnswered ||= found.some((balances) => balances !== undefined);
      const records = found
        .flatMap((balances) => balances ?? [])
        .map((one) => ({ ...one, type: types.get(balance.read(one, "id") ?? "") }));
      yield { records, cursor: { after: some.at(-1), isAnswered } };
    }
    if (!isAnswered && everybody.length > 0)
      throw new OperationNotSupported("Personio has the balances of nobody");
  },
  table: fields,
  map: (raw, context) => {
    const category = balance.read(raw, "category") ?? balance.read(raw, "type.category");
    return isAtWork(category) ? null : fields.map(raw, context);
  },
});

const numbered = defineSource({ id: number });

/** In order, each once. */
async function readEmployeeIds(client: RestClient): Promise<number[]> {
  const ids = (await client.all(people)).map((one) => numbered.read(one, "id"));
  if (ids.includes(null)) throw new ProviderBug("an employee has no number");
  return [...new Set(ids)].map(Number).toSorted((a, b) => a - b);
}

/** Undefined for somebody who was deleted since the list of people was read. */
async function readBalances(client: RestClient, id: number): Promise<object[] | undefined> {
  const path = `${employeesPath}/${id}/absences/balance`;
  const found = await client.get(path, { errors: { 404: "absent" } });
  return found === null
    ? undefined
    : dataOf(found).map((one) => ({ ...one, employeeId: String(id) }));
}

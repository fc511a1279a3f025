import { addSeconds } from "../../platform/clock.ts";
import { defineReader, type Cursor } from "../contract.ts";
import { OperationNotSupported } from "../errors.ts";
import { text } from "../kit/readers.ts";
import type { RestClient } from "../kit/rest.ts";
import { defineSource } from "../kit/source.ts";
import { employeeFields, limitedWithout, toPerson } from "./map-employee.ts";
import { api, dataOf, employeesPath, listOfFirst, type JsonObject } from "./personio-client.ts";

/** Our clock and Personio's may differ, and Personio shows a change late. */
const overlapSeconds = 600;
/** Personio gives no more at once. */
export const people = listOfFirst(employeesPath, 100);

export const employees = defineReader<"employees", JsonObject>({
  async *fetch(context) {
    const client = api.inRead(context);
    const startedAt = context.clock.now();
    const limited = await readLimitedFields(client);
    context.limited(limited);
    context.continueFrom(toSince(startedAt, limited));
    for await (const { items, next } of client.pages(people, context.cursor)) {
      const records = items as readonly JsonObject[];
      yield next ? { records, cursor: next } : records;
    }
  },
  async *changes(context, _session, since) {
    const client = api.inRead(context);
    const startedAt = context.clock.now();
    const limited = await readLimitedFields(client);
    // The records that did not change were read with other rights.
    if (limited.join() !== since["limited"])
      throw new OperationNotSupported("the attributes that may be read are others than before");
    context.limited(limited);
    context.continueFrom(toSince(startedAt, limited));
    const query = { updated_since: String(since["updatedSince"]) };
    for await (const { items } of client.pages({ ...people, query }))
      yield { changed: items as readonly JsonObject[] };
  },
  isPagedByOffset: true,
  map: (raw, context) => employeeFields.map(toPerson(raw), context),
});

const attribute = defineSource({ key: text });

/** Personio leaves an attribute that may not be read out of a record without a word, as it does with an empty one. */
export async function readLimitedFields(client: RestClient): Promise<string[]> {
  const readable = dataOf(await client.get(`${employeesPath}/attributes`));
  return limitedWithout(new Set(readable.map((one) => attribute.read(one, "key") ?? "")));
}

/** Personio takes a time without a zone. */
function toSince(startedAt: Date, limited: readonly string[]): Cursor {
  const updatedSince = addSeconds(startedAt, -overlapSeconds).toISOString().slice(0, 19);
  return { updatedSince, limited: limited.join() };
}

import { addSeconds } from "../../platform/clock.ts";
import { defineReader, type Cursor } from "../contract.ts";
import { OperationNotSupported } from "../errors.ts";
import { readLimitedFields } from "./attributes.ts";
import type { JsonObject } from "./json-values.ts";
import { toEmployee } from "./map-employee.ts";
import { askInRead, type Ask } from "./personio-client.ts";
import { readOffsetPages, toPosition, type Position } from "./read-lists.ts";

/** Our clock and Personio's may differ, and Personio shows a change late. */
const overlapSeconds = 600;
/** Personio gives no more at once. */
const pageSize = 100;

export const employees = defineReader<"employees", JsonObject>({
  async *fetch(context) {
    const ask = askInRead(context);
    const startedAt = context.clock.now();
    const limited = await readLimitedFields(ask);
    context.limited(limited);
    context.continueFrom(toSince(startedAt, limited));
    for await (const { records, next } of readEmployeePages(ask, toPosition(context.cursor)))
      yield next ? { records, cursor: next } : records;
  },
  async *changes(context, _session, since) {
    const ask = askInRead(context);
    const startedAt = context.clock.now();
    const limited = await readLimitedFields(ask);
    // The records that did not change were read with other rights.
    if (limited.join() !== since["limited"])
      throw new OperationNotSupported("the attributes that may be read are others than before");
    context.limited(limited);
    context.continueFrom(toSince(startedAt, limited));
    const query = { updated_since: String(since["updatedSince"]) };
    for await (const { records } of readEmployeePages(ask, undefined, query))
      yield { changed: records };
  },
  isPagedByOffset: true,
  map: toEmployee,
});

export function readEmployeePages(
  ask: Ask,
  start?: Position,
  query: Readonly<Record<string, string>> = {},
): ReturnType<typeof readOffsetPages> {
  const list = {
    path: "/v1/company/employees",
    query,
    limit: pageSize,
    counts: "records",
  } as const;
  return readOffsetPages(ask, list, start);
}

/** Personio takes a time without a zone. */
function toSince(startedAt: Date, limited: readonly string[]): Cursor {
  const updatedSince = addSeconds(startedAt, -overlapSeconds).toISOString().slice(0, 19);
  return { updatedSince, limited: limited.join() };
}

import { defineReader, type ReadContext } from "../contract.ts";
import type { SourceRecord } from "../source-records.ts";
import { toText, type XeroRecord } from "./field-values.ts";
import { readAll } from "./paged-lists.ts";

/** People who are paid on the same days. Xero tells no other group with its members. */
export const groups = defineReader<"groups", XeroRecord>({
  async *fetch(context) {
    yield await readCalendars(context);
  },
  map: toGroup,
});

export async function readCalendars(context: ReadContext): Promise<XeroRecord[]> {
  return await readAll(context, { path: "/PayRunCalendars", field: "payRunCalendars" });
}

export function toGroup(calendar: XeroRecord) {
  return {
    remote_id: toText(calendar, "payrollCalendarID"),
    name: toText(calendar, "name"),
    type: "pay_group",
  } satisfies SourceRecord<"groups">;
}

import { defineReader } from "../contract.ts";
import type { SourceRecord } from "../source-records.ts";
import { toId, toText, type JsonObject } from "./json-values.ts";
import { askInRead } from "./personio-client.ts";
import { readCursorList } from "./read-lists.ts";
import { legalEntities } from "./sign-in.ts";

/** The legal entities of the account. */
export const company = defineReader<"company", JsonObject>({
  async *fetch(context) {
    yield await readCursorList(askInRead(context), legalEntities);
  },
  map: toCompany,
});

function toCompany({ id, name }: JsonObject): SourceRecord<"company"> {
  return { remote_id: toId(id), legal_name: toText(name), display_name: toText(name) };
}

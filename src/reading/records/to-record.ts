import { resourceRecords, type RecordOf, type Resource } from "../../model/index.ts";
import { ProviderBug, type FetchParameters, type SourceRecord } from "../../providers/index.ts";
import { placeRecord, type Place } from "./arrange-records.ts";
import { checkRecord, listLacking } from "./check-record.ts";
import { completeRecord, type CompleteRecord } from "./complete-record.ts";
import { holdRecord } from "./hold-record.ts";
import type { MintId } from "./mint-id.ts";

/**
 * The record that the API promises, made of an adapter's record, and its place by what the adapter gave: undefined
 * outside of the range that was asked for, also when its days are held for wrong. Throws ProviderBug when the provider's
 * answer lacks what the provider's own contract promises, or is not of what was asked for.
 */
export function toRecord<R extends Resource>(
  resource: R,
  source: SourceRecord<R>,
  {
    mint,
    asked,
    onNulled,
  }: { mint: MintId; asked: FetchParameters; onNulled: (field: string) => void },
): { record: RecordOf<R>; place: Place | undefined } {
  if (typeof source !== "object" || source === null)
    throw new ProviderBug(`\`map\` of ${resource} gave what is neither a record nor null`);
  const schema = resourceRecords[resource];
  const held = withoutFalseIds(source, onNulled);
  const complete = (completeRecord[resource] as CompleteRecord<R>)(held, mint);
  const record = checkRecord(schema, complete, (path) => onNulled(path.replaceAll(/\.\d+/g, "")));
  if (!record) {
    const fields = [...new Set(listLacking(schema, complete).map(sourceName))];
    throw new ProviderBug(
      `a record of ${resource} lacks what every such record must have: ${fields.join(", ")}`,
      { fields },
    );
  }
  const given = record as RecordOf<R>;
  const place = placeRecord(resource, given, asked.range);
  return { record: holdRecord(resource, given, asked, onNulled), place };
}

/** What JavaScript writes for what is absent. As an id it would make one of all who have none. */
const falseIds: ReadonlySet<unknown> = new Set(["", "undefined", "null", "NaN", "[object Object]"]);

/** False ids of a record are absent ones, so that a required one is refused. */
function withoutFalseIds<Source extends object>(
  source: Source,
  onNulled: (field: string) => void,
): Source {
  const found = Object.entries(source).filter(
    ([name, value]) => name.endsWith("remote_id") && falseIds.has(value),
  );
  if (found.length === 0) return source;
  for (const [name] of found) onNulled(name);
  return { ...source, ...Object.fromEntries(found.map(([name]) => [name, null])) };
}

const mintedIds = new Set(["id", "employee_id", "payrun_id"]);

/** An id of ours is missing where the provider's is. */
function sourceName(path: string): string {
  return mintedIds.has(path) ? path.replace(/id$/, "remote_id") : path.replaceAll(/\.\d+/g, "");
}

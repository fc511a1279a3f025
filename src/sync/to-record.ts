import { resourceRecords, type RecordOf, type Resource } from "../model/index.ts";
import type { SourceRecord } from "../providers/index.ts";
import { checkRecord } from "./check-record.ts";
import { completeRecord, type CompleteRecord } from "./complete-record.ts";
import type { MintId } from "./mint-id.ts";

/** The provider's answer lacks what the provider's own contract promises. */
export class RecordRefused extends Error {}

/** The record that the API promises, made of an adapter's record. Throws RecordRefused. */
export function toRecord<R extends Resource>(
  resource: R,
  source: SourceRecord<R>,
  mint: MintId,
  onNulled: (field: string) => void,
): RecordOf<R> {
  if (typeof source !== "object" || source === null) throw new RecordRefused(resource);
  const complete = completeRecord[resource] as CompleteRecord<R>;
  const record = checkRecord(resourceRecords[resource], complete(source, mint), (path) =>
    onNulled(path.replaceAll(/\.\d+/g, "")),
  );
  if (!record) throw new RecordRefused(resource);
  return record as RecordOf<R>;
}

import { resourceRecords, type RecordOf, type Resource } from "../../model/index.ts";
import { ProviderBug, type SourceRecord } from "../../providers/index.ts";
import { checkRecord } from "./check-record.ts";
import { completeRecord, type CompleteRecord } from "./complete-record.ts";
import type { MintId } from "./mint-id.ts";

/**
 * The record that the API promises, made of an adapter's record. Throws ProviderBug when the provider's answer
 * lacks what the provider's own contract promises.
 */
export function toRecord<R extends Resource>(
  resource: R,
  source: SourceRecord<R>,
  mint: MintId,
  onNulled: (field: string) => void,
): RecordOf<R> {
  if (typeof source !== "object" || source === null) throw refused(resource);
  const complete = completeRecord[resource] as CompleteRecord<R>;
  const record = checkRecord(resourceRecords[resource], complete(source, mint), (path) =>
    onNulled(path.replaceAll(/\.\d+/g, "")),
  );
  if (!record) throw refused(resource);
  return record as RecordOf<R>;
}

function refused(resource: Resource): ProviderBug {
  return new ProviderBug(`a record of ${resource} lacks what every such record must have`);
}

import type { Cursor } from "../../providers/index.ts";
import type { FilledFields } from "./filled-fields.ts";
import type { EncodedList } from "./record-list.ts";

export interface ReadProgress {
  /** At the provider, with those that failed. */
  providerRequests: number;
  pages: number;
  records: number;
  /** Of the provider's answers. */
  bytes: number;
}

/** A whole answer of a provider. */
export interface ReadAnswer {
  version: string;
  /** Recognises the same answer later. Null for an answer that cannot be compared. */
  sourceMac: Uint8Array | null;
  /** Null when the content is that of the stored version. */
  list: EncodedList | null;
  /** How many records have each field. Null for an answer that was not mapped. */
  filled: FilledFields | null;
  payruns: readonly { id: string; remoteId: string }[];
  /** False when somebody may be missing who was not removed: records can move while they are read. */
  isSteady: boolean;
  /** Fields that the account may not read, of those that are wanted. */
  limited: readonly string[];
  /** False for a stored list with what changed since. */
  isFull: boolean;
  /** Where the changes go on next time. Null when the next read has to be a full one. */
  since: Cursor | null;
  /** How often a field was set to null because its value was not valid. */
  nulledFields: Readonly<Record<string, number>>;
  /** Fields of the adapter's records that the contract does not have. */
  unknownFields: readonly string[];
  progress: ReadProgress;
}

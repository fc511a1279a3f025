import type { NumberedSession } from "../connections/index.ts";
import type { Cursor, Draws, RequestQuotas } from "../providers/index.ts";

/** Records of a read that are mapped and complete, and where the read goes on after them. */
export interface KeptPages {
  cursor: Cursor;
  /** Where changes go on after the whole read, if the adapter has said it. */
  since?: Cursor | undefined;
  /** Fields that the pages up to here showed as hidden. */
  limited: readonly string[];
  /** From `RecordList.pack`. */
  records: Uint8Array;
  pages: number;
  count: number;
}

/** What a read asks of the service while it runs. */
export interface ReadServices {
  quotas: RequestQuotas;
  /** A session that is newer than the one with this number. Throws AuthError when only the person can sign in again. */
  renewSession(version: number): Promise<NumberedSession>;
  /** Keeps pages of an unfinished read for its next run. */
  keep(pages: KeptPages): Promise<void>;
}

/** A call of ReadServices as data, for an adapter that runs in another process. */
export type Question =
  | { kind: "draw"; draws: Draws }
  | { kind: "pause"; draws: Draws; seconds: number | undefined }
  | { kind: "renew"; version: number }
  | { kind: "keep"; pages: KeptPages };

import type { Connection } from "../connections/index.ts";
import type { Queryable } from "../platform/db/index.ts";
import type { FetchParameters } from "../providers/index.ts";
import type { Read } from "./read.ts";
import type { ReadAnswer } from "./records/read-answer.ts";
import type { ReadTask } from "./records/read-whole.ts";

/** Where the answers of reads are stored. */
export interface ReadDestination {
  /** The parameters as the adapter takes them, and what is stored already. */
  prepare(
    read: Read,
    connection: Connection,
  ): Promise<
    { fetchParameters: FetchParameters } & Pick<ReadTask, "stored" | "base" | "isCompared">
  >;
  /** Removes what is stored of the resource. */
  forget(tx: Queryable, read: Read): Promise<void>;
  /** Seals an answer, which takes time. The result stores it in the transaction that settles the read. */
  seal(read: Read, connection: Connection, answer: ReadAnswer): (tx: Queryable) => Promise<void>;
  /**
   * For an answer that was stored before and has nothing else to store: the argument of the function `touch_snapshot` of
   * the database. Undefined for every other answer.
   */
  touch(read: Read, connection: Connection, answer: ReadAnswer): object | undefined;
}

/** What a read has just stored. */
export interface StoredAnswer {
  version: string;
  storedAt: Date;
  /** Fields that the account may not read, and those that the client has switched off. */
  limited: readonly string[];
}

/** Hears of every settled read, after the commit. A worker that is killed in between does not call it. */
export interface ReadObserver {
  /** Without an answer the read has failed. */
  onSettled(read: Read, answer: StoredAnswer | undefined): Promise<void>;
}

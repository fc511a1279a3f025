import type { Cursor, Draws, RequestQuotas, Session, SignInHost } from "../providers/index.ts";
import type { ReadAnswer, ReadProgress } from "./records/read-answer.ts";
import type { ReadTask } from "./records/read-whole.ts";

/** A session with the number that tells it from those before it. */
export interface NumberedSession {
  session: Session;
  version: number;
}

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

export interface ReadCallbacks {
  /** Ends the read. */
  signal: AbortSignal;
  onProgress: (progress: ReadProgress) => void;
  /** The adapter replaced its session. It is called at once, and for each session in the order of their saving. */
  onSession: (session: Session) => void;
  services: ReadServices;
}

/** Where adapters run. */
export interface Adapters extends SignInHost {
  /**
   * Throws one of the contract's errors, the signal's reason, or ProcessDied. A read that runs alone shares its
   * process with no other.
   */
  read(task: ReadTask, options: ReadCallbacks & { isAlone: boolean }): Promise<ReadAnswer>;
  /** Ends what runs: it rejects with ProcessDied, for which nothing is blamed. */
  stop(): Promise<void>;
}

/** The process that ran the adapter ended before the work did. */
export class ProcessDied extends Error {
  override readonly name = "ProcessDied";
  /** Whether this work may be the cause: the process was ended by a limit, or the work was alone in it. */
  readonly isBlamed: boolean;

  constructor(reason: string, isBlamed: boolean) {
    super(`the process that ran the adapter ended: ${reason}`);
    this.isBlamed = isBlamed;
  }
}

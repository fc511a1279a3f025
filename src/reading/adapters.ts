import type { Session, SignInHost } from "../providers/index.ts";
import type { ReadServices } from "./call-services.ts";
import type { ReadAnswer, ReadProgress } from "./records/read-answer.ts";
import type { ReadTask } from "./records/read-whole.ts";

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

import type { ClientId, ConnectionId, Mode, Resource } from "../model/index.ts";
import type { ReadProgress } from "./records/read-answer.ts";

export type ReadOutcome =
  "stored" | "unavailable" | "broken" | "unsupported" | "forbidden" | "refused";

/** Which resource of a connection is read, and what narrows it. There is one read for each. */
export interface ReadKey {
  connectionId: ConnectionId;
  resource: Resource;
  parameters: string;
}

/** One read of a resource: asked for and not yet settled, or settled. The progress is that of the newest run. */
export interface Read extends ReadKey, ReadProgress {
  id: string;
  clientId: ClientId;
  provider: string;
  mode: Mode;
  state: "pending" | "settled";
  /** One of `priorities`. */
  priority: number;
  /** Whether a caller was told to wait for it. Its end is an event then. */
  isAwaited: boolean;
  /** How often it was requested. */
  requests: number;
  /** The number of the newest run. Only that run may settle the read. */
  run: number;
  /** The number of failed runs since the read was requested. */
  tries: number;
  /** Runs in a row that had to wait for the provider and kept no page. */
  waits: number;
  /** Runs since the last success whose child process had to be ended. */
  deaths: number;
  requestedAt: Date;
  /** Since when its time for tries runs: since its first run, or since it kept pages. Waits do not count. */
  retrySince: Date;
  /** When the next run may begin. Null for a settled read. */
  dueAt: Date | null;
  /** Null while no run holds the lease. */
  leaseUntil: Date | null;
  /** Pages that earlier runs kept. */
  keptPages: number;
  outcome: ReadOutcome | null;
  settledAt: Date | null;
  /** Fields of our record that the answer of a broken read lacks. Null where they are not known. */
  refusedFields: string[] | null;
  /** Every caller gets the failure until then. */
  keptUntil: Date | null;
}

/** A read that a run begins with. */
export interface ClaimedRead extends Read {
  /** Of the request that asked for it, while tracing is on. */
  traceparent: string | null;
}

/** What ends a run has to say this of it. */
export interface ReadRun extends Read {
  /** The number of the sign-in that it began with. */
  signInCount: number;
}

/** A caller who waits comes before a poll. */
export const priorities = { caller: 0, poll: 1 } as const;
export type Priority = keyof typeof priorities;

/** For log lines. */
export function idsOf({ id, connectionId, provider, resource, run }: Read) {
  return { readId: id, connectionId, provider, resource, run };
}

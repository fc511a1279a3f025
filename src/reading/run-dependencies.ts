import type { Audit } from "../audit/index.ts";
import type { ClientId, FieldOff } from "../model/index.ts";
import type { Connections } from "../connections/index.ts";
import type { SteadyClock } from "../platform/clock.ts";
import type { Pool } from "../platform/db/index.ts";
import type { Log } from "../platform/log.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { Tracing } from "../platform/tracing/index.ts";
import type { Random } from "../platform/random.ts";
import type { Adapters } from "./adapters.ts";
import type { ReadDestination, ReadObserver } from "./destination.ts";
import type { Quotas } from "./quotas/quotas.ts";
import type { Read } from "./read.ts";
import type { ReadBounds } from "./records/read-whole.ts";

/** What a run of a read needs. */
export interface RunReadDependencies {
  pool: Pool;
  clock: SteadyClock;
  random: Random;
  log: Log;
  metrics: Metrics;
  tracing: Tracing;
  audit: Audit;
  connections: Connections;
  adapters: Adapters;
  destination: ReadDestination;
  /** What of employees is not read for a client. */
  findFieldsOff: (clientId: ClientId) => Promise<readonly FieldOff[]>;
  observers: readonly ReadObserver[];
  bounds: ReadBounds;
  quotas: Quotas;
  /** Names the code that runs. */
  codeDigest: string;
  /** Wakes a worker for a read that is due later. */
  wake: (read: Read, afterSeconds: number) => Promise<void>;
}

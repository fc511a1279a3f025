import type { Audit } from "../audit/index.ts";
import type { Clients } from "../clients/index.ts";
import type { Connections } from "../connections/index.ts";
import type { SteadyClock } from "../platform/clock.ts";
import type { Keyring } from "../platform/crypto/index.ts";
import type { Pool } from "../platform/db/index.ts";
import type { Log } from "../platform/log.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { JobQueue } from "../platform/queue/index.ts";
import type { Tracing } from "../platform/tracing/index.ts";
import type { Random } from "../platform/random.ts";
import type { WebhookWays } from "./post-webhook.ts";
import type { Events } from "../events/index.ts";
import type { PollSource } from "../sync/index.ts";

/** The dependencies of this room. A function names the part that it uses. */
export interface WebhookDependencies {
  pool: Pool;
  clock: SteadyClock;
  random: Random;
  log: Log;
  metrics: Metrics;
  tracing: Tracing;
  keyring: Keyring;
  queue: JobQueue;
  audit: Audit;
  clients: Clients;
  connections: Connections;
  events: Events;
  /** Reads what is polled of a connection. */
  pollSource: Pick<
    PollSource,
    "observe" | "ask" | "askAll" | "open" | "rereadEverybody" | "compareWith"
  >;
  ways: WebhookWays;
}

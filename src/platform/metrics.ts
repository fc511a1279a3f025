import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";
import type { Log } from "./log.ts";
import { withTimeout } from "./with-timeout.ts";

/** A scrape is answered within two seconds, even when the database does not answer. */
const readTimeoutMs = 1_500;

interface ObservedQueue {
  name: string;
  waiting: number;
  active: number;
  delayed: number;
  oldestSeconds: number;
}

/** The metrics of this process. A label has one of a few known values, never an id. */
export class Metrics {
  readonly registry = new Registry();
  readonly limitsCountedInProcess = this.#counter(
    "rollcall_rate_limits_fallback_total",
    "Requests counted in this process because Redis was away.",
  );
  readonly reads = this.#counter(
    "rollcall_reads_total",
    "Reads settled or postponed, by outcome.",
    ["provider", "resource", "outcome"],
  );
  readonly adapterProcessesEnded = this.#counter(
    "rollcall_adapter_processes_ended_total",
    "Child processes of adapters that ended without being asked, by reason.",
    ["reason"],
  );
  readonly providerRequests = this.#counter(
    "rollcall_provider_requests_total",
    "Requests that reads sent to a provider.",
    ["provider"],
  );
  readonly quotaWaits = this.#counter(
    "rollcall_quota_wait_seconds_total",
    "Time that requests waited because a provider takes no more of them.",
    ["provider"],
  );
  readonly nulledFields = this.#counter(
    "rollcall_nulled_fields_total",
    "Optional fields set to null because the provider's value was not valid.",
    ["provider", "resource", "field"],
  );

  readonly polls = this.#counter("rollcall_polls_total", "Polls, by outcome.", [
    "provider",
    "outcome",
  ]);
  readonly pollLag = new Histogram({
    name: "rollcall_poll_lag_seconds",
    help: "Seconds from the moment a poll was due to its end.",
    buckets: [1, 5, 15, 60, 300, 900, 3600],
    registers: [this.registry],
  });
  readonly deliveries = this.#counter(
    "rollcall_deliveries_total",
    "Webhook delivery attempts, by outcome.",
    ["outcome"],
  );

  readonly requests = new Histogram({
    name: "rollcall_http_request_seconds",
    help: "Seconds until a request was answered, by route and status.",
    labelNames: ["method", "route", "status"],
    buckets: [0.005, 0.025, 0.1, 0.5, 2, 10, 30],
    registers: [this.registry],
  });
  readonly signIns = this.#counter(
    "rollcall_sign_ins_total",
    "Attempts to sign in at a provider, by outcome.",
    ["provider", "outcome"],
  );
  readonly guessedAccounts = this.#counter(
    "rollcall_guessed_accounts_total",
    "Accounts that had so many attempts to sign in within an hour that the operator is told, once each hour.",
    ["provider"],
  );
  readonly scheduleSucceeded = new Gauge({
    name: "rollcall_schedule_last_success_timestamp_seconds",
    help: "When a schedule of this process last succeeded.",
    labelNames: ["schedule"],
    registers: [this.registry],
  });

  readonly #droppedSamples = this.#counter(
    "rollcall_metrics_dropped_samples_total",
    "Samples left out of a scrape because they could not be read.",
    ["name"],
  );

  /** Reads the value at each scrape. If that fails or takes too long, the scrape goes without it. */
  observe(name: string, help: string, log: Log, read: () => Promise<number>): void {
    this.#observe({ name, help, labelNames: [] }, log, async (gauge) =>
      gauge.set(await withTimeout(readTimeoutMs, read)),
    );
  }

  /** The same of all queues. Both gauges of one scrape share one look. */
  observeQueues(log: Log, read: () => Promise<readonly ObservedQueue[]>): void {
    let asking: Promise<readonly ObservedQueue[]> | undefined;
    const ask = async (): Promise<readonly ObservedQueue[]> => {
      asking ??= withTimeout(readTimeoutMs, read).finally(() => (asking = undefined));
      return await asking;
    };
    const jobs = {
      name: "rollcall_queue_jobs",
      help: "Jobs in the queue, over all processes, by queue and state.",
      labelNames: ["queue", "state"],
    };
    this.#observe(jobs, log, async (gauge) => {
      for (const { name: queue, waiting, active, delayed } of await ask())
        for (const [state, count] of Object.entries({ waiting, active, delayed }))
          gauge.set({ queue, state }, count);
    });
    const age = {
      name: "rollcall_queue_oldest_seconds",
      help: "How long the oldest job waits that no worker has begun, by queue.",
      labelNames: ["queue"],
    };
    this.#observe(age, log, async (gauge) => {
      for (const { name: queue, oldestSeconds } of await ask()) gauge.set({ queue }, oldestSeconds);
    });
  }

  #observe(
    { name, help, labelNames }: { name: string; help: string; labelNames: string[] },
    log: Log,
    fill: (gauge: Gauge) => Promise<void>,
  ): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames,
      registers: [this.registry],
      collect: async () => {
        try {
          await fill(gauge);
        } catch (error) {
          if (labelNames.length === 0) gauge.remove();
          else gauge.reset();
          this.#droppedSamples.inc({ name });
          log.debug(
            { err: error, metric: name },
            "a metric could not be read; this scrape goes without it",
          );
        }
      },
    });
  }

  /** The clients of this process's pool: all that are open, those without work, and callers that wait for one. */
  observePool(read: () => { open: number; idle: number; waiting: number }): void {
    const gauge: Gauge = new Gauge({
      name: "rollcall_database_clients",
      help: "Clients of the database pool, by state.",
      labelNames: ["state"],
      registers: [this.registry],
      collect: () => {
        for (const [state, count] of Object.entries(read())) gauge.set({ state }, count);
      },
    });
  }

  /** How far the clock of this process is ahead of the database's. */
  observeClock(read: () => number): void {
    const gauge: Gauge = new Gauge({
      name: "rollcall_clock_offset_seconds",
      help: "How far the clock of this process is ahead of the database's; negative when it is behind.",
      registers: [this.registry],
      collect: () => gauge.set(read()),
    });
  }

  collectDefaults(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  #counter(name: string, help: string, labelNames: string[] = []): Counter {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }
}

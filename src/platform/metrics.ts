import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";
import type { Log } from "./log.ts";
import { withTimeout } from "./with-timeout.ts";
import { stepOf, WorkTally } from "./work-tally.ts";

/** So many clients have a label of their own. Later ones share one, so that no scrape grows without an end. */
const mostClients = 100;
const otherClients = "others";

/** A scrape is answered within two seconds, even when the database does not answer. */
const readTimeoutMs = 1_500;

interface ObservedQueue {
  name: string;
  waiting: number;
  active: number;
  delayed: number;
  oldestSeconds: number;
}

/** The gauges of one scrape that are read by the same look share it. */
export function shareLook<Found>(look: () => Promise<Found>): () => Promise<Found> {
  let looking: Promise<Found> | undefined;
  return () => (looking ??= look().finally(() => (looking = undefined)));
}

/** The metrics of this process. A label has one of a few known values, and an id only of so many clients. */
export class Metrics {
  readonly registry = new Registry();
  /** The same work by client, for who takes it. */
  readonly work = new WorkTally();
  readonly #clients = new Set<string>();
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

  readonly #polls = this.#counter("rollcall_polls_total", "Polls, by outcome.", [
    "provider",
    "outcome",
  ]);
  readonly pollLag = new Histogram({
    name: "rollcall_poll_lag_seconds",
    help: "Seconds from the moment a poll was due to its end.",
    buckets: [1, 5, 15, 60, 300, 900, 3600],
    registers: [this.registry],
  });
  readonly #deliveries = this.#counter(
    "rollcall_deliveries_total",
    "Webhook delivery attempts, by outcome.",
    ["outcome"],
  );

  readonly #requests = new Histogram({
    name: "rollcall_http_request_seconds",
    help: "Seconds until a request was answered, by route and status.",
    labelNames: ["method", "route", "status"],
    buckets: [0.005, 0.025, 0.1, 0.5, 2, 10, 30],
    registers: [this.registry],
  });
  readonly #clientReads = this.#counter(
    "rollcall_client_reads_total",
    "Reads settled or postponed, by client, provider and outcome.",
    ["client", "provider", "outcome"],
  );
  readonly #clientDeliveries = this.#counter(
    "rollcall_client_deliveries_total",
    "Webhook delivery attempts, by client and outcome.",
    ["client", "outcome"],
  );
  readonly #clientRequests = this.#counter(
    "rollcall_client_requests_total",
    "Requests of clients that were answered, by client and status.",
    ["client", "status"],
  );
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

  countRead(
    { provider, resource, clientId }: { provider: string; resource: string; clientId: string },
    outcome: string,
  ): void {
    this.reads.inc({ provider, resource, outcome });
    this.#clientReads.inc({ client: this.#labelOf(clientId), provider, outcome });
    this.work.add({ what: "reads", clientId, provider, outcome });
  }

  countPoll({ provider, clientId }: { provider: string; clientId: string }, outcome: string): void {
    this.#polls.inc({ provider, outcome });
    this.work.add({ what: "polls", clientId, provider, outcome });
  }

  countSignIn(
    { provider, clientId }: { provider: string | null; clientId: string },
    outcome: string,
  ): void {
    const named = provider ?? "none";
    this.signIns.inc({ provider: named, outcome });
    this.work.add({ what: "sign-ins", clientId, provider: named, outcome });
  }

  /** How long a read took, for the tally alone. */
  measureRead({ provider, clientId }: { provider: string; clientId: string }, ms: number): void {
    this.work.add({ what: "durations", clientId, provider, outcome: stepOf(ms / 1_000) });
  }

  /** How much of the provider's tightest limit is in use, for the tally alone. It is nobody's in particular. */
  noteQuota(provider: string, share: number): void {
    const outcome = String(Math.ceil(share * 10) / 10);
    this.work.add({ what: "quotas", clientId: "", provider, outcome });
  }

  countDelivery({ clientId }: { clientId: string }, outcome: string): void {
    this.#deliveries.inc({ outcome });
    this.#clientDeliveries.inc({ client: this.#labelOf(clientId), outcome });
    this.work.add({ what: "deliveries", clientId, provider: "", outcome });
  }

  /** `clientId` is that of a client that has proved who it is. */
  countRequest(
    request: { method: string; route: string; status: number },
    seconds: number,
    clientId: string | undefined,
  ): void {
    this.#requests.observe(request, seconds);
    if (clientId !== undefined)
      this.#clientRequests.inc({ client: this.#labelOf(clientId), status: request.status });
  }

  #labelOf(clientId: string): string {
    if (this.#clients.size < mostClients) this.#clients.add(clientId);
    return this.#clients.has(clientId) ? clientId : otherClients;
  }

  /** Reads the value at each scrape. If that fails or takes too long, the scrape goes without it. */
  observe(name: string, help: string, log: Log, read: () => Promise<number>): void {
    this.#observe({ name, help, labelNames: [] }, log, async (gauge) =>
      gauge.set(await withTimeout(readTimeoutMs, read)),
    );
  }

  /** The same of all queues. */
  observeQueues(log: Log, read: () => Promise<readonly ObservedQueue[]>): void {
    const ask = shareLook(() => withTimeout(readTimeoutMs, read));
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

  /** What runs, as labels of a value that is always 1. */
  describeBuild(build: { version: string; revision: string; node: string }): void {
    const labelNames = Object.keys(build);
    const name = "rollcall_build_info";
    const help = "The version that runs, the revision of its source, and the version of Node.";
    new Gauge({ name, help, labelNames, registers: [this.registry] }).set(build, 1);
  }

  collectDefaults(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  #counter(name: string, help: string, labelNames: string[] = []): Counter {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }
}

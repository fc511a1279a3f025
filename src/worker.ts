import { removeExpiredFlows, signInJob } from "./connect/index.ts";
import { repeat, type Repetition } from "./platform/repeat.ts";
import type { Services } from "./services.ts";
import { fetchJobs, refresh, removeOldSnapshots, sweepFetches } from "./sync/index.ts";
import {
  removeOldDeliveries,
  schedulePolls,
  sweepWebhooks,
  undeliveredAge,
  webhookJobs,
} from "./webhooks/index.ts";

export interface Worker {
  /** Lets running jobs end; those that take too long are taken up by another worker. */
  stop(): Promise<void>;
}

const stopGraceMs = 10_000;

/** The flat list of every job and schedule. */
export function buildWorker(services: Services): Worker {
  const { config, registry, queue, log, connections, metrics, signInThrottle, tokens, webhooks } =
    services;
  for (const job of fetchJobs(services, { registry, workerConcurrency: config.workerConcurrency }))
    queue.work(job);
  queue.work(signInJob(services));
  for (const job of webhookJobs(webhookDependencies(services), {
    providers: registry
      .list()
      .map(({ name, limits }) => ({ name, concurrency: limits?.concurrency })),
    workerConcurrency: config.workerConcurrency,
  }))
    queue.work(job);
  metrics.observe(
    "rollcall_webhooks_oldest_undelivered_seconds",
    "Age of the oldest webhook that is not acknowledged.",
    log,
    () => undeliveredAge(services),
  );

  const schedules: Repetition[] = [
    repeat(log, "enqueueing stale fetches again", 5_000, () => sweepFetches(services)),
    repeat(log, "scheduling polls", 5_000, () => schedulePolls(services)),
    repeat(log, "enqueueing stale webhooks again", 15_000, () => sweepWebhooks(services, webhooks)),
    repeat(log, "removing old webhooks", 3_600_000, () => removeOldDeliveries(services)),
    repeat(log, "removing unclaimed connections", 30_000, () => connections.removeUnclaimed()),
    repeat(log, "removing expired sign-ins", 30_000, () => removeExpiredFlows(services)),
    repeat(log, "forgetting refused sign-ins", 600_000, () => signInThrottle.removeOld()),
    repeat(log, "removing expired codes", 3_600_000, () => tokens.removeExpiredCodes()),
    repeat(log, "removing old snapshots", 600_000, () => removeOldSnapshots(services)),
  ];

  return {
    stop: async () => {
      await Promise.all(schedules.map((schedule) => schedule.stop()));
      await queue.stopWorking(stopGraceMs);
    },
  };
}

/** What polls and deliveries use of the other rooms. */
export function webhookDependencies(services: Services): Parameters<typeof webhookJobs>[0] {
  const { reader, webhooks, webhookAgent } = services;
  return {
    ...services,
    agent: webhookAgent,
    refreshEmployees: (connectionId, signal) =>
      refresh(services, { connectionId, resource: "employees" }, signal),
    openEmployees: (connectionId, version) => reader.openEmployees(connectionId, version),
    deliverOwed: (connectionId) => webhooks.deliverOwed(connectionId),
  };
}

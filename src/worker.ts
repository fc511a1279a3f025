import { removeExpiredFlows, signInJob } from "./connect/index.ts";
import { repeat, type Repetition } from "./platform/repeat.ts";
import type { Services } from "./services.ts";
import { fetchJobs, removeOldData, sweepFetches } from "./sync/index.ts";

export interface Worker {
  /** Lets running jobs end. Another worker runs those again that take too long. */
  stop(): Promise<void>;
}

const stopGraceMs = 10_000;

/** The flat list of every job and schedule. */
export function buildWorker(services: Services): Worker {
  const { config, registry, queue, log, connections, metrics, signInThrottle, tokens, webhooks } =
    services;
  const { workerConcurrency } = config;
  for (const job of fetchJobs(services, { registry, workerConcurrency })) queue.work(job);
  queue.work(signInJob(services));
  for (const job of webhooks.jobs(registry.limits(), workerConcurrency)) queue.work(job);
  metrics.observe(
    "rollcall_webhooks_oldest_undelivered_seconds",
    "Age of the oldest webhook that is not acknowledged.",
    log,
    () => webhooks.undeliveredAge(),
  );

  const schedules: Repetition[] = [
    repeat(log, "enqueueing stale fetches again", 5_000, () => sweepFetches(services)),
    repeat(log, "scheduling polls", 5_000, () => webhooks.schedulePolls()),
    repeat(log, "enqueueing stale webhooks again", 15_000, () => webhooks.sweep()),
    repeat(log, "removing old webhooks", 3_600_000, () => webhooks.removeOld()),
    repeat(log, "removing unclaimed connections", 30_000, () => connections.removeUnclaimed()),
    repeat(log, "removing expired sign-ins", 30_000, () => removeExpiredFlows(services)),
    repeat(log, "forgetting refused sign-ins", 600_000, () => signInThrottle.removeOld()),
    repeat(log, "removing expired codes", 3_600_000, () => tokens.removeExpiredCodes()),
    repeat(log, "removing old snapshots", 600_000, () => removeOldData(services)),
  ];

  return {
    stop: async () => {
      await Promise.all(schedules.map((schedule) => schedule.stop()));
      await queue.stopWorking(stopGraceMs);
    },
  };
}

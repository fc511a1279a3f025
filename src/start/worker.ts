import { queueNames } from "./build-queue.ts";
import { removeExpiredFlows, workOnSignIns } from "../connect/index.ts";
import { noteCounts, noteProblems, removeOldRows } from "../console/index.ts";
import { endClients } from "./end-clients.ts";
import { shareLook } from "../platform/metrics.ts";
import { Schedules } from "../platform/repeat.ts";
import type { Services } from "./services.ts";

export interface Worker {
  /** What it has not done for longer than it should. */
  listLateSchedules(): string[];
  /** What it repeats, and when each last succeeded. */
  listSchedules(): ReturnType<Schedules["list"]>;
  /** Lets running jobs end. Another worker runs those again that take too long. */
  stop(): Promise<void>;
}

const stopGraceMs = 10_000;

/** The flat list of every job and schedule. */
export function buildWorker(services: Services): Worker {
  const { config, queue, listener, reads, webhooks } = services;
  listener.start();
  const reading = reads.work(config.workerConcurrency);
  queue.work(reading.job);
  const signingIn = workOnSignIns(services);
  queue.work(signingIn.job);
  const delivering = webhooks.workOnDeliveries();
  queue.work(delivering.job);
  observeWork(services);
  observePlaces(services, "rollcall_reads_running", "rollcall_reads_waiting", reading.work);
  observePlaces(
    services,
    "rollcall_deliveries_running",
    "rollcall_deliveries_waiting",
    delivering.work,
  );
  observePlaces(services, "rollcall_sign_ins_running", "rollcall_sign_ins_waiting", signingIn.work);

  const schedules = new Schedules(services);
  addSchedules(schedules, services);

  return {
    listLateSchedules: () => schedules.listLate(),
    listSchedules: () => schedules.list(),
    stop: async () => {
      await schedules.stop();
      await Promise.all([
        reading.stop(stopGraceMs),
        delivering.work.stop(stopGraceMs),
        signingIn.work.stop(stopGraceMs),
        queue.stopWorking(stopGraceMs),
      ]);
      await noteCounts(services).catch((error: unknown) =>
        services.log.warn({ err: error }, "the last minute is in no plot: it could not be counted"),
      );
    },
  };
}

function addSchedules(schedules: Schedules, services: Services): void {
  const { auditChain, connections, events, logOuts, quotas } = services;
  const { reads, signInThrottle, tokens, webhooks } = services;
  schedules.add("counting for the console", 60_000, () => noteCounts(services));
  schedules.add("noting problems", 60_000, () => noteProblems(services));
  schedules.add("scheduling polls", 5_000, (signal) => webhooks.schedulePolls(signal));
  schedules.add("giving what is pending its address", 5_000, (signal) =>
    webhooks.settlePending(signal),
  );
  schedules.add("giving events their positions", 1_000, async () => void (await events.place()));
  schedules.add("looking for providers that fail", 30_000, () => reads.assessProviders());
  schedules.add("removing old events", 3_600_000, (signal) => events.removeOld(signal));
  schedules.add("linking audit entries", 1_000, (signal) => auditChain.link(signal));
  schedules.add("logging a checkpoint of the audit record", 3_600_000, () =>
    auditChain.logCheckpoint(),
  );
  schedules.add("looking for webhooks that wait", 15_000, (signal) => webhooks.sweep(signal));
  schedules.add("removing old webhooks", 3_600_000, (signal) => webhooks.removeOld(signal));
  schedules.add("removing unclaimed connections", 30_000, (signal) =>
    connections.removeUnclaimed(signal, () => logOuts.done(signal)),
  );
  schedules.add("ending clients", 5_000, (signal) => endClients(services, signal));
  schedules.add("removing expired sign-ins", 30_000, (signal) =>
    removeExpiredSignIns(services, signal),
  );
  schedules.add("forgetting refused sign-ins", 600_000, (signal) =>
    signInThrottle.removeOld(signal),
  );
  schedules.add("binding rows of an earlier version", 60_000, () =>
    services.boundSince.bindEarlier(services.keyring),
  );
  schedules.add("removing old codes", 3_600_000, (signal) => tokens.removeOldCodes(signal));
  schedules.add("removing old counts of requests", 600_000, (signal) => quotas.removeOld(signal));
  schedules.add("removing old snapshots", 600_000, (signal) => services.sync.removeOld(signal));
}

/** Those of end users, and those to the console. */
async function removeExpiredSignIns(services: Services, signal: AbortSignal): Promise<void> {
  await removeExpiredFlows(services, signal);
  await removeOldRows(services, signal);
}

function observeWork({
  log,
  metrics,
  auditChain,
  boundSince,
  queue,
  reads,
  webhooks,
}: Services): void {
  metrics.observeQueues(log, () => queue.depths(queueNames));
  metrics.observe(
    "rollcall_audit_oldest_unlinked_seconds",
    "Age of the oldest audit entry that is not linked.",
    log,
    () => auditChain.unlinkedAge(),
  );
  metrics.observe(
    "rollcall_reads_oldest_pending_seconds",
    "Age of the oldest read that is not settled.",
    log,
    () => reads.lists.oldestPendingAge(),
  );
  metrics.observe(
    "rollcall_unbound_rows",
    "Rows that an earlier version has not bound, while its programs may still write.",
    log,
    async () => (await boundSince.countUnbound()).reduce((sum, { rows }) => sum + rows, 0),
  );
  metrics.observe(
    "rollcall_polls_due",
    "Polls that are due or wait to run, over all processes.",
    log,
    () => webhooks.lists.countDuePolls(),
  );
  metrics.observe(
    "rollcall_webhooks_oldest_undelivered_seconds",
    "Age of the oldest webhook that is not acknowledged.",
    log,
    () => webhooks.lists.undeliveredAge(),
  );
}

function observePlaces(
  { log, metrics }: Services,
  running: string,
  waiting: string,
  work: { count(): Promise<{ leased: number; waiting: number }> },
): void {
  const count = shareLook(() => work.count());
  metrics.observe(
    running,
    "Leases that runs hold now, over all processes.",
    log,
    async () => (await count()).leased,
  );
  metrics.observe(
    waiting,
    "What is due and waits for a place, over all processes.",
    log,
    async () => (await count()).waiting,
  );
}

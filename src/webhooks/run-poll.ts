import type { Connections } from "../connections/index.ts";
import type { DataKey } from "../platform/crypto/index.ts";
import { addSeconds, type Clock } from "../platform/clock.ts";
import type { Pool } from "../platform/db/index.ts";
import type { Log } from "../platform/log.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { JobOutcome } from "../platform/queue/index.ts";
import type { Refreshed } from "../sync/index.ts";
import { openKept, packIds, sealKept, unpackIds, type KeptRecords } from "./kept-records.ts";
import { nextList } from "./next-list.ts";
import { listIds, type PackedList } from "./packed-list.ts";
import {
  cutEmployees,
  openEmployees,
  packEmployees,
  sealEmployees,
  type EmployeeBytes,
} from "./watched-list.ts";
import {
  claimPoll,
  settlePoll,
  type ClaimedWatch,
  type PolledList,
  type PollOutcome,
  type Watch,
} from "./watch-store.ts";

export interface PollDependencies {
  pool: Pool;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  connections: Connections;
  /** Reads the employees from the provider now. */
  refreshEmployees: (connectionId: string, signal: AbortSignal) => Promise<Refreshed>;
  openEmployees: (connectionId: string, version: string) => Promise<EmployeeBytes | undefined>;
  /** Makes a delivery and enqueues it, when there are pending changes. */
  deliverOwed: (connectionId: string) => Promise<void>;
}

const triedAgainForSeconds = 15 * 60;

/**
 * One poll: the provider's list, held against what was seen before. An answer that is not whole changes nothing. While the end user has to sign in
 * again, or the account is known to lack the employees, reading ends before the provider is asked.
 */
export async function runPoll(
  dependencies: PollDependencies,
  connectionId: string,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const { pool, clock, metrics, log, deliverOwed } = dependencies;
  const watch = await claimPoll(pool, connectionId);
  if (!watch) return "done";
  const read = await dependencies.refreshEmployees(connectionId, signal);
  if (read.kind === "disconnected") return "done";
  if (read.kind === "later" && read.at < addSeconds(watch.slot, triedAgainForSeconds))
    return { retryAt: read.at };

  const now = clock.now();
  const compared =
    read.kind === "ready"
      ? await compare(dependencies, watch, read.version)
      : { outcome: failureOf(read) };
  if (
    !(await settlePoll(pool, watch, compared.outcome, {
      now,
      ...("list" in compared && { list: compared.list }),
    }))
  )
    return "done";
  metrics.polls.inc({ provider: watch.provider, outcome: compared.outcome });
  metrics.pollLag.observe(Math.max(0, (now.getTime() - watch.slot.getTime()) / 1000));
  log.debug({ connectionId, provider: watch.provider, outcome: compared.outcome }, "polled");
  await deliverOwed(connectionId);
  return "done";
}

function failureOf(read: Exclude<Refreshed, { kind: "ready" | "disconnected" }>): PollOutcome {
  return read.kind === "later" ? "unavailable" : (read.kind as PollOutcome);
}

async function compare(
  { connections, openEmployees: openStored }: PollDependencies,
  watch: ClaimedWatch,
  version: string,
): Promise<{ outcome: PollOutcome; list?: PolledList }> {
  const { connectionId, seen } = watch;
  const held = unpackIds(watch.held);
  if (seen && version === watch.version && held.size === 0) return { outcome: "unchanged" };
  const [key, polled] = await Promise.all([
    connections.dataKey(connectionId),
    openStored(connectionId, version),
  ]);
  if (!key || !polled) throw new Error("the list that was read just now is gone");
  const packed = await packEmployees(polled, key);
  const sealed = await sealEmployees(key, connectionId, polled);
  if (!seen)
    return {
      outcome: "baseline",
      list: {
        version,
        seen: packed,
        baseline: packed,
        held: packIds(new Set()),
        ...sealed,
        sealedKept: sealKept(key, connectionId, new Map()),
      },
    };

  const next = nextList(seen, held, packed);
  const isOwed = watch.doubtful.length > 0 || !watch.acked?.equals(seen) || watch.isInFlight;
  const kept = await keepMissing(key, watch, {
    seen: next.seen,
    missing: [...next.held, ...next.removed],
    isOwed,
  });
  const outcome = seen.equals(next.seen) ? "unchanged" : "changed";
  return {
    outcome,
    list: {
      version,
      seen: next.seen,
      baseline: null,
      held: packIds(next.held),
      ...sealed,
      sealedKept: sealKept(key, connectionId, kept),
    },
  };
}

/**
 * Those who are missing now, as they were last seen. While anything is owed, those who left earlier are kept too: somebody whom the receiver
 * is not known to have may be in the very body that is on its way, and has to be removed after it.
 */
async function keepMissing(
  key: DataKey,
  watch: Watch,
  { seen, missing, isOwed }: { seen: PackedList; missing: readonly string[]; isOwed: boolean },
): Promise<KeptRecords> {
  const { connectionId, sealedList, sealedIndex, sealedKept } = watch;
  const before = openKept(key, connectionId, sealedKept);
  const present = listIds(seen);
  const wanted = new Set([
    ...missing,
    ...[...before.keys()].filter((id) => isOwed && !present.has(id)),
  ]);
  const unknown = new Set([...wanted].filter((id) => !before.has(id)));
  const cut =
    unknown.size > 0 && sealedList && sealedIndex
      ? cutEmployees(await openEmployees(key, connectionId, sealedList, sealedIndex), unknown)
      : new Map<string, string>();
  return new Map(
    [...wanted].flatMap((id) => {
      const json = before.get(id) ?? cut.get(id);
      return json === undefined ? [] : [[id, json] as const];
    }),
  );
}

import type { Audit } from "../audit/index.ts";
import type { Connection, Connections } from "../connections/index.ts";
import type { AuthErrorCode } from "../model/index.ts";
import { addSeconds, secondsBetween, utcDay, type Clock } from "../platform/clock.ts";
import { isDatabaseUnavailable, transaction, type Pool } from "../platform/db/index.ts";
import type { Log } from "../platform/log.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { Random } from "../platform/random.ts";
import { isProviderFailure, type ProviderFailure, type Session } from "../providers/index.ts";
import { ProcessDied, type Adapters } from "./adapters.ts";
import type { ReadDestination, ReadObserver } from "./destination.ts";
import type { Read, ReadOutcome } from "./read.ts";
import {
  deathsUntilAlone,
  isNewestRun,
  postponeRead,
  recordDuration,
  settleRead,
} from "./read-store.ts";
import type { ReadAnswer, ReadBounds, ReadProgress } from "./records/read-whole.ts";
import { failureKeptSeconds, nextTry, unsupportedKeptSeconds } from "./retry-policy.ts";

export interface RunReadDependencies {
  pool: Pool;
  clock: Clock;
  random: Random;
  log: Log;
  metrics: Metrics;
  audit: Audit;
  connections: Connections;
  adapters: Adapters;
  destination: ReadDestination;
  observers: readonly ReadObserver[];
  bounds: ReadBounds;
  /** Wakes a worker for a read that is due later. */
  wakeAt: (read: Read, dueAt: Date) => Promise<void>;
}

/** A provider that asks for a longer wait is asked again after this one. */
const longestWaitSeconds = 3_600;
const longestRunMs = 24 * 3_600 * 1_000;
/** A read whose process ended for another's sake goes on after this. */
const afterDeathSeconds = 1;

/**
 * One run of a read, from the session to the stored answer. Every write depends on the run's number, so a run whose
 * lease has ended changes nothing. A run that fails for a reason of ours is made again.
 */
export async function runRead(
  dependencies: RunReadDependencies,
  read: Read,
  {
    signal: leaseSignal,
    onProgress,
  }: { signal: AbortSignal; onProgress: (progress: ReadProgress) => void },
): Promise<void> {
  const { clock, connections, log } = dependencies;
  const connection = await connections.load(read.connectionId);
  if (!connection) return;
  // A refused connection is not tried again before its end user has signed in.
  if (connection.authFailure)
    return await settleRefused(dependencies, read, connection, connection.authFailure);
  const startedAt = clock.now();
  const signal = AbortSignal.any([leaseSignal, AbortSignal.timeout(longestRunMs)]);
  try {
    const answer = await readAnswer(dependencies, read, connection, { signal, onProgress });
    onProgress(answer.progress);
    await storeAnswer(dependencies, read, connection, { answer, startedAt });
  } catch (error) {
    if (leaseSignal.aborted || isDatabaseUnavailable(error)) throw error;
    if (error instanceof ProcessDied) return await survive(dependencies, read, error);
    if (isProviderFailure(error)) return await settleFailure(dependencies, read, connection, error);
    log.error(
      { err: error, ...idsOf(read) },
      "a read failed for a reason of ours; it is tried again",
    );
    await tryAgain(dependencies, read, error);
  }
}

async function readAnswer(
  { pool, clock, connections, adapters, destination, bounds }: RunReadDependencies,
  read: Read,
  connection: Connection,
  callbacks: { signal: AbortSignal; onProgress: (progress: ReadProgress) => void },
): Promise<ReadAnswer> {
  const { provider, mode, resource, parameters } = read;
  const { dataKey, session } = connection;
  const { fetchParameters, stored } = await destination.prepare(read, connection);
  let saved = Promise.resolve();
  const save = async (replacement: Session): Promise<void> =>
    await transaction(pool, async (tx) => {
      if (!(await connections.lockAgainstRemoval(tx, connection.id))) return;
      if (await isNewestRun(tx, read)) await connections.saveSession(connection, replacement, tx);
    });
  const task = {
    provider,
    mode,
    resource,
    parameters,
    fetchParameters,
    session,
    stored,
    bounds,
    today: utcDay(clock.now()),
    idKey: dataKey.macKey("id").export(),
    fingerprintKey: dataKey.macKey("fingerprint").export(),
  };
  try {
    return await adapters.read(task, {
      ...callbacks,
      isAlone: read.deaths >= deathsUntilAlone,
      onSession: (replacement) => {
        saved = saved.then(() => save(replacement));
        saved.catch(() => undefined);
      },
    });
  } finally {
    await saved;
  }
}

async function storeAnswer(
  { pool, clock, metrics, connections, destination, observers }: RunReadDependencies,
  read: Read,
  connection: Connection,
  { answer, startedAt }: { answer: ReadAnswer; startedAt: Date },
): Promise<void> {
  const { provider, resource } = read;
  for (const [field, count] of Object.entries(answer.nulledFields))
    metrics.nulledFields.inc({ provider, resource, field }, count);
  const store = destination.seal(read, connection, answer);
  const isStored = await transaction(pool, async (tx) => {
    if (!(await connections.lockAgainstRemoval(tx, connection.id))) return false;
    const now = clock.now();
    if (!(await settleRead(tx, read, "stored", now, null))) return false;
    await store(tx, now);
    await recordDuration(tx, read, secondsBetween(startedAt, now) * 1000);
    return true;
  });
  metrics.reads.inc({ provider, resource, outcome: isStored ? "stored" : "superseded" });
  if (isStored) await tell(observers, read);
}

async function settleFailure(
  dependencies: RunReadDependencies,
  read: Read,
  connection: Connection,
  failure: ProviderFailure,
): Promise<void> {
  switch (failure.kind) {
    case "auth":
      return await settleRefused(dependencies, read, connection, failure.code);
    case "not-supported":
      return await keepFailure(dependencies, read, "unsupported", unsupportedKeptSeconds, failure);
    case "rate-limited":
      return await tryAgain(dependencies, read, failure, failure.afterSeconds);
    case "down":
      return await tryAgain(dependencies, read, failure);
    case "bug":
    case "field":
      return await keepFailure(dependencies, read, "broken", failureKeptSeconds, failure);
  }
}

/** Only the newest run may refuse the connection: an older run may have used an old session. */
async function settleRefused(
  { pool, clock, connections, metrics, observers }: RunReadDependencies,
  read: Read,
  connection: Connection,
  code: AuthErrorCode,
): Promise<void> {
  const isSettled = await transaction(pool, async (tx) => {
    if (!(await connections.lockAgainstRemoval(tx, connection.id))) return false;
    if (!(await settleRead(tx, read, "refused", clock.now(), null))) return false;
    await connections.refuse(tx, connection, code);
    return true;
  });
  if (!isSettled) return;
  metrics.reads.inc({ provider: read.provider, resource: read.resource, outcome: "refused" });
  await tell(observers, read);
}

async function tryAgain(
  dependencies: RunReadDependencies,
  read: Read,
  error: unknown,
  askedSeconds?: number,
): Promise<void> {
  const { clock, random, metrics } = dependencies;
  const { provider, resource, tries, requestedAt } = read;
  const afterSeconds =
    askedSeconds !== undefined && Number.isFinite(askedSeconds)
      ? Math.min(askedSeconds, longestWaitSeconds)
      : undefined;
  const now = clock.now();
  const dueAt = nextTry({ random, tries: tries + 1, requestedAt, now, afterSeconds });
  if (!dueAt) {
    const keptSeconds = Math.max(failureKeptSeconds, afterSeconds ?? 0);
    return await keepFailure(dependencies, read, "unavailable", keptSeconds, error);
  }
  await postpone(dependencies, read, { dueAt, isFailure: true, isDeath: false });
  metrics.reads.inc({ provider, resource, outcome: "postponed" });
}

/**
 * The read goes on in another process. One that is blamed for too many ends, the last of them in a process of its
 * own, is broken.
 */
async function survive(
  dependencies: RunReadDependencies,
  read: Read,
  death: ProcessDied,
): Promise<void> {
  const { clock, log } = dependencies;
  const { isBlamed } = death;
  if (isBlamed && read.deaths >= deathsUntilAlone) {
    await recordBroken(dependencies, read);
    return await keepFailure(dependencies, read, "broken", failureKeptSeconds, death);
  }
  const dueAt = addSeconds(clock.now(), afterDeathSeconds);
  await postpone(dependencies, read, { dueAt, isFailure: false, isDeath: isBlamed });
  log.warn(
    { err: death, ...idsOf(read), isBlamed },
    "the process of a read ended; the read is tried again",
  );
}

async function postpone(
  { pool, wakeAt }: RunReadDependencies,
  read: Read,
  change: Parameters<typeof postponeRead>[2],
): Promise<void> {
  if (await postponeRead(pool, read, change)) await wakeAt(read, change.dueAt);
}

async function recordBroken(
  { pool, audit, connections }: RunReadDependencies,
  { connectionId, clientId, resource }: Read,
): Promise<void> {
  await transaction(pool, async (tx) => {
    if (await connections.lockAgainstRemoval(tx, connectionId))
      await audit.record(tx, "read.ended-processes", {
        clientId,
        connectionId,
        detail: { resource },
      });
  });
}

async function keepFailure(
  { pool, clock, metrics, log, observers }: RunReadDependencies,
  read: Read,
  outcome: ReadOutcome,
  keptSeconds: number,
  error: unknown,
): Promise<void> {
  const now = clock.now();
  const { provider, resource } = read;
  if (!(await settleRead(pool, read, outcome, now, addSeconds(now, keptSeconds)))) return;
  log.warn(
    { err: error, ...idsOf(read), outcome },
    "a read failed; callers get this outcome until it is requested again",
  );
  metrics.reads.inc({ provider, resource, outcome });
  await tell(observers, read);
}

function idsOf({ id, connectionId, provider, resource, run }: Read) {
  return { readId: id, connectionId, provider, resource, run };
}

async function tell(observers: readonly ReadObserver[], read: Read): Promise<void> {
  for (const observer of observers) await observer.onSettled(read);
}

import type { Connection } from "../connections/index.ts";
import { fieldsWithout, resourcesOfScopes } from "../model/index.ts";
import { secondsBetween, utcDay } from "../platform/clock.ts";
import { isDatabaseUnavailable, transaction } from "../platform/db/index.ts";
import { withSpan } from "../platform/tracing/index.ts";
import { createFailure, isProviderFailure } from "../providers/index.ts";
import { ProcessDied } from "./adapters.ts";
import { keepPages, openKeptPages, type ChangeOfPages } from "./kept-pages.ts";
import { idsOf, type Read, type ReadRun } from "./read.ts";
import { deathsUntilAlone, settleRead, settleUnchangedRead } from "./read-store.ts";
import type { ReadAnswer, ReadProgress } from "./records/read-answer.ts";
import { firstAnswerWithinMs, longestReadSeconds } from "./retry-policy.ts";
import type { RunReadDependencies } from "./run-dependencies.ts";
import { RunOvertaken, RunSession } from "./run-session.ts";
import { giveWay, settleFailure, settleRefused, surviveDeath, tryAgain } from "./settle-failure.ts";
import { noteOutcome, tellSettled } from "./tell-settled.ts";

/** A read that takes more requests to its end is a large one: its first page, and small resources, take fewer. */
const smallRequests = 3;

/**
 * One run of a read, from the session to the stored answer. What it stores depends on the run's number, so a run whose
 * lease has ended stores no answer. A run that fails for a reason of ours is made again.
 */
export async function runRead(
  dependencies: RunReadDependencies,
  read: Read,
  {
    signal: leaseSignal,
    onProgress,
    onMeasured,
  }: {
    signal: AbortSignal;
    onProgress: (progress: ReadProgress) => void;
    /** Hears how long a whole read took that was stored. */
    onMeasured: (ms: number) => void;
  },
): Promise<void> {
  const { clock, connections, log } = dependencies;
  const connection = await connections.load(read.connectionId);
  if (!connection) return;
  const current: ReadRun = { ...read, signInCount: connection.signInCount };
  // A refused connection is not tried again before its end user has signed in.
  if (connection.authFailure)
    return await settleRefused(dependencies, current, connection, connection.authFailure);
  const startedAt = clock.now();
  const limit = new RunLimit(leaseSignal);
  const { signal } = limit;
  const noteProgress = (progress: ReadProgress): void => {
    Object.assign(current, progress);
    onProgress(progress);
  };
  try {
    refuseOutOfScope(dependencies, read, connection);
    const answer = await readAnswer(dependencies, current, connection, {
      signal,
      onProgress: noteProgress,
      onPagesChanged: (changed) => void Object.assign(current, changed),
    });
    noteProgress(answer.progress);
    const storedAt = await storeAnswer(dependencies, current, connection, answer);
    if (!storedAt) return;
    onMeasured(secondsBetween(answer.goesOn ? read.requestedAt : startedAt, storedAt) * 1000);
    await tellSettled(dependencies, read, {
      version: answer.version,
      limited: answer.limited,
      storedAt,
    });
  } catch (error) {
    if (leaseSignal.aborted || isDatabaseUnavailable(error)) throw error;
    if (error instanceof RunOvertaken) {
      log.debug(idsOf(read), "a run of a read ends: the read is another one's now, or it is gone");
      return await giveWay(dependencies, current);
    }
    if (error instanceof ProcessDied) return await surviveDeath(dependencies, current, error);
    if (isProviderFailure(error))
      return await settleFailure(dependencies, current, connection, error);
    log.error(
      { err: error, ...idsOf(read) },
      "a read failed for a reason of ours; it is tried again",
    );
    await tryAgain(dependencies, current, error);
  } finally {
    limit.end();
  }
}

/** Throws for a resource that the token does not cover. No caller of ours asks for one. */
function refuseOutOfScope({ log }: RunReadDependencies, read: Read, { scopes }: Connection): void {
  if (resourcesOfScopes(scopes).includes(read.resource)) return;
  log.error(
    idsOf(read),
    "a read of a resource that the token does not cover was written to the database by somebody else; it is refused",
  );
  throw createFailure({ kind: "not-supported", message: "the token does not cover the resource" });
}

interface RunCallbacks {
  signal: AbortSignal;
  onProgress: (progress: ReadProgress) => void;
  /** Changes of the read what keeping pages, or dropping them, does. */
  onPagesChanged: (changed: ChangeOfPages) => void;
}

async function readAnswer(
  dependencies: RunReadDependencies,
  read: Read,
  connection: Connection,
  { onPagesChanged, ...callbacks }: RunCallbacks,
): Promise<RunAnswer> {
  const { pool, clock, adapters, destination, quotas, bounds, codeDigest } = dependencies;
  const { resource, parameters } = read;
  const { clientId, provider, mode, dataKey, session, sessionVersion, settings } = connection;
  const fieldsOff = await findFieldsOff(dependencies, read, connection);
  const { base, ...prepared } = await destination.prepare(read, connection);
  const pages = { codeDigest, onChanged: onPagesChanged };
  const kept = await openKeptPages(pool, read, connection, pages);
  const newest = new RunSession(dependencies, connection, callbacks.signal);
  const task = {
    clientId,
    provider,
    mode,
    resource,
    parameters,
    ...prepared,
    session,
    sessionVersion,
    settings,
    fieldsOff,
    kept,
    base: kept ? undefined : base,
    bounds,
    firstAnswerMs: firstAnswerWithinMs(read, clock.now()),
    today: utcDay(clock.now()),
    idKey: dataKey.macKey("id").export(),
    fingerprintKey: dataKey.macKey("fingerprint").export(),
  };
  try {
    const answer = await adapters.read(task, {
      ...callbacks,
      isAlone: read.deaths >= deathsUntilAlone,
      onSession: (replacement) => newest.save(replacement),
      services: {
        quotas: quotas.of(provider, callbacks.signal, read.keptPages > 0 ? 0 : smallRequests),
        renewSession: (version) => newest.renew(version),
        keep: async (pages) =>
          onPagesChanged(await keepPages(pool, read, connection, { codeDigest, pages })),
      },
    });
    const limited = [...answer.limited, ...fieldsOff].toSorted();
    const run = { sessionVersion: newest.version, goesOn: kept !== undefined };
    return { ...answer, ...run, limited, unreadable: answer.limited };
  } finally {
    await newest.end();
  }
}

/** What can be switched off is of employees. */
async function findFieldsOff(
  dependencies: RunReadDependencies,
  { resource }: Read,
  { clientId }: Connection,
): Promise<string[]> {
  return resource === "employees" ? fieldsWithout(await dependencies.findFieldsOff(clientId)) : [];
}

/**
 * An answer, the number of the session that gave it, and whether an earlier run had begun with it. `unreadable` are the
 * fields that the account may not read; `limited` are those and the ones that are not wanted, which whoever compares
 * lists takes alike.
 */
type RunAnswer = ReadAnswer & {
  sessionVersion: number;
  goesOn: boolean;
  unreadable: readonly string[];
};

/** Returns when it was stored; undefined when the lease has ended, or there is a newer sign-in. */
async function storeAnswer(
  dependencies: RunReadDependencies,
  read: ReadRun,
  connection: Connection,
  answer: RunAnswer,
): Promise<Date | undefined> {
  const { log, metrics } = dependencies;
  const { provider, resource } = read;
  for (const [field, count] of Object.entries(answer.nulledFields))
    metrics.nulledFields.inc({ provider, resource, field }, count);
  const { unknownFields } = answer;
  if (unknownFields.length > 0)
    log.warn(
      { ...idsOf(read), provider, resource, fields: unknownFields },
      "an adapter gave fields that no record has; they are left out",
    );
  const { progress, list } = answer;
  const attributes = {
    "rollcall.records": progress.records,
    "rollcall.pages": progress.pages,
    "rollcall.is_changed": list !== null,
  };
  const storedAt = await withSpan({ name: "storing of a snapshot", attributes }, () =>
    settleStored(dependencies, read, connection, answer),
  );
  noteOutcome(dependencies, read, storedAt ? "stored" : "superseded");
  return storedAt;
}

async function settleStored(
  { pool, connections, destination }: RunReadDependencies,
  read: ReadRun,
  connection: Connection,
  answer: RunAnswer,
): Promise<Date | undefined> {
  const { resource } = read;
  const { unreadable, sessionVersion } = answer;
  const rights = { isForbidden: false, limited: unreadable };
  if (!connections.hasNews(connection, resource, { ...rights, sessionVersion })) {
    const touch = destination.touch(read, connection, answer);
    const { version } = answer;
    const settledAt = touch && (await settleUnchangedRead(pool, read, { version, touch }));
    if (settledAt === "replaced")
      throw new Error("the stored version was replaced while it was compared");
    if (touch) return settledAt;
  }
  const store = destination.seal(read, connection, answer);
  return await transaction(pool, async (tx) => {
    const settledAt = await settleRead(tx, read, { outcome: "stored", version: answer.version });
    if (!settledAt) return undefined;
    await store(tx);
    await connections.recordRights(tx, connection, resource, rights);
    await connections.confirmSession(tx, connection, sessionVersion);
    return settledAt;
  });
}

/**
 * The signal of a run: aborts with the lease, and when the longest time of a read is over. A signal with a timeout of
 * its own would hold all that listens to it for that long, a day after the run has ended; this one ends with the run.
 */
class RunLimit {
  readonly signal: AbortSignal;
  readonly #lease: AbortSignal;
  readonly #onLeaseEnded: () => void;
  readonly #timer: NodeJS.Timeout;

  constructor(lease: AbortSignal) {
    const limit = new AbortController();
    this.signal = limit.signal;
    this.#lease = lease;
    this.#onLeaseEnded = () => limit.abort(lease.reason);
    lease.addEventListener("abort", this.#onLeaseEnded, { once: true });
    if (lease.aborted) this.#onLeaseEnded();
    const end = (): void =>
      limit.abort(new DOMException("the read took longer than any may", "TimeoutError"));
    this.#timer = setTimeout(end, longestReadSeconds * 1_000).unref();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#lease.removeEventListener("abort", this.#onLeaseEnded);
  }
}

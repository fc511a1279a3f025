import type { Connection, Connections } from "../connections/index.ts";
import type { AuthErrorCode, RecordOf, Resource } from "../model/index.ts";
import { addSeconds, secondsBetween, type Clock, utcDay } from "../platform/clock.ts";
import { transaction, type Pool } from "../platform/db/index.ts";
import type { Log } from "../platform/log.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { Random } from "../platform/random.ts";
import type { JobOutcome } from "../platform/queue/index.ts";
import {
  isProviderFailure,
  type FetchParameters,
  type ProviderHost,
  type RawPage,
  type Session,
} from "../providers/index.ts";
import { arrangeRecords } from "./arrange-records.ts";
import {
  claimFetch,
  isNewestRun,
  postponeFetch,
  recordDuration,
  settleFetch,
  type Fetch,
  type Outcome,
} from "./fetch-store.ts";
import { createMint } from "./mint-id.ts";
import { openParameters } from "./open-parameters.ts";
import { failureKeptSeconds, nextTry, unsupportedKeptSeconds } from "./retry-policy.ts";
import { nextTurn } from "../platform/next-turn.ts";
import { findSource } from "./snapshot-store.ts";
import { SourceMac } from "./source-mac.ts";
import { RecordRefused, toRecord } from "./to-record.ts";
import { writeSnapshot, prepareSnapshot } from "./write-snapshot.ts";

export interface RunFetchDependencies {
  pool: Pool;
  clock: Clock;
  random: Random;
  log: Log;
  metrics: Metrics;
  connections: Connections;
  host: ProviderHost;
  /** Names the code that runs: other code makes other records of the same answer. */
  fingerprint: string;
}

const longestRunMs = 10 * 60 * 1000;
/** A provider that asks for a longer wait is asked again after this one. */
const longestWaitSeconds = 3_600;

/** The job: one run of a fetch. It is safe to run twice: only the newest run of a fetch may settle it. */
export async function runFetch(
  dependencies: RunFetchDependencies,
  fetchId: string,
  jobSignal: AbortSignal,
): Promise<JobOutcome> {
  const { pool, clock, connections } = dependencies;
  const fetch = await claimFetch(pool, fetchId, clock.now());
  if (!fetch) return "done";
  const connection = await connections.load(fetch.connectionId);
  if (!connection) return "done";
  // A refused connection is not tried again before its end user has signed in.
  if (connection.authFailure)
    return await settleRefused(dependencies, fetch, connection, connection.authFailure);
  const startedAt = clock.now();
  const signal = AbortSignal.any([jobSignal, AbortSignal.timeout(longestRunMs)]);
  try {
    const answer = await readAnswer(dependencies, fetch, connection, signal);
    await storeAnswer(dependencies, fetch, connection, answer, startedAt);
    return "done";
  } catch (error) {
    if (jobSignal.aborted) throw error;
    return await settleFailure(dependencies, fetch, connection, error);
  }
}

/** The provider's whole answer, before it is mapped. */
interface Answer<R extends Resource> {
  pages: RawPage<R>[];
  parameters: FetchParameters;
  sourceMac: Buffer | null;
}

async function readAnswer<R extends Resource>(
  dependencies: RunFetchDependencies,
  fetch: Fetch & { resource: R },
  connection: Connection,
  signal: AbortSignal,
): Promise<Answer<R>> {
  const { pool, clock, connections, host, fingerprint } = dependencies;
  const { provider, mode, resource } = fetch;
  const parameters = await openParameters(pool, fetch, connection);
  const source = new SourceMac(connection.dataKey, [
    fingerprint,
    utcDay(clock.now()),
    resource,
    fetch.parameters,
  ]);
  const pages: RawPage<R>[] = [];
  let savedSession: Session | undefined;
  const onSession = (session: Session): void => void (savedSession = session);
  try {
    for await (const page of host.read({
      provider,
      mode,
      resource,
      session: connection.session,
      parameters,
      signal,
      onSession,
    })) {
      pages.push(page);
      await source.add(page.raw);
    }
  } finally {
    const session = savedSession;
    if (session)
      await transaction(
        pool,
        async (tx) =>
          void (
            (await isNewestRun(tx, fetch)) &&
            (await connections.saveSession(connection, session, tx))
          ),
      );
  }
  return { pages, parameters, sourceMac: source.digest() };
}

async function toRecords<R extends Resource>(
  { metrics }: RunFetchDependencies,
  { provider, resource }: Fetch & { resource: R },
  { dataKey }: Connection,
  { pages, parameters }: Answer<R>,
): Promise<RecordOf<R>[]> {
  const mint = createMint(dataKey);
  const records: RecordOf<R>[] = [];
  for (const { raw, map } of pages) {
    for (const item of raw) {
      const source = map(item);
      if (source !== null)
        records.push(
          toRecord(resource, source, mint, (field) =>
            metrics.nulledFields.inc({ provider, resource, field }),
          ),
        );
      if (records.length % 200 === 0) await nextTurn();
    }
  }
  return arrangeRecords(resource, records, parameters.range);
}

/** The same answer has the same content on the same day and for the same code. It is not mapped again. */
async function storeAnswer<R extends Resource>(
  dependencies: RunFetchDependencies,
  fetch: Fetch & { resource: R },
  connection: Connection,
  answer: Answer<R>,
  startedAt: Date,
): Promise<void> {
  const { pool, clock, metrics } = dependencies;
  const { provider, resource, connectionId, parameters } = fetch;
  const stored = await findSource(pool, fetch);
  const { sourceMac } = answer;
  const isSame = stored?.sourceMac && sourceMac?.equals(stored.sourceMac);
  const prepared = isSame
    ? {
        connectionId,
        resource,
        parameters,
        version: stored.version,
        sourceMac,
        sealed: null,
        issuedPayruns: [],
      }
    : await prepareSnapshot(
        fetch,
        connection.dataKey,
        await toRecords(dependencies, fetch, connection, answer),
        { sourceMac, storedVersion: stored?.version },
      );
  const isStored = await transaction(pool, async (tx) => {
    const now = clock.now();
    if (!(await settleFetch(tx, fetch, "stored", now, null))) return false;
    if (!(await writeSnapshot(tx, prepared, now)))
      throw new Error("the stored version was replaced while it was compared");
    await recordDuration(tx, fetch, secondsBetween(startedAt, now) * 1000);
    return true;
  });
  metrics.fetches.inc({ provider, resource, outcome: isStored ? "stored" : "superseded" });
}

/** Refusals and known failures settle the fetch. Any other error is ours: it is thrown, and the queue tries again. */
async function settleFailure(
  dependencies: RunFetchDependencies,
  fetch: Fetch,
  connection: Connection,
  error: unknown,
): Promise<JobOutcome> {
  if (error instanceof RecordRefused)
    return await keepFailure(dependencies, fetch, "broken", failureKeptSeconds, error);
  if (!isProviderFailure(error)) throw error;
  switch (error.kind) {
    case "auth":
      return await settleRefused(dependencies, fetch, connection, error.code);
    case "not-supported":
      return await keepFailure(dependencies, fetch, "unsupported", unsupportedKeptSeconds, error);
    case "rate-limited":
      return await tryAgain(dependencies, fetch, error, error.afterSeconds);
    case "down":
      return await tryAgain(dependencies, fetch, error);
    case "bug":
    case "field":
      return await keepFailure(dependencies, fetch, "broken", failureKeptSeconds, error);
  }
}

/** Only the newest run may refuse the connection: an older run may have used an old session. */
async function settleRefused(
  { pool, clock, connections, metrics }: RunFetchDependencies,
  fetch: Fetch,
  connection: Connection,
  code: AuthErrorCode,
): Promise<JobOutcome> {
  await transaction(pool, async (tx) => {
    if (await settleFetch(tx, fetch, "refused", clock.now(), null))
      await connections.refuse(tx, connection, code);
  });
  metrics.fetches.inc({ provider: fetch.provider, resource: fetch.resource, outcome: "refused" });
  return "done";
}

async function tryAgain(
  dependencies: RunFetchDependencies,
  fetch: Fetch,
  error: unknown,
  askedSeconds?: number,
): Promise<JobOutcome> {
  const { pool, clock, random, metrics } = dependencies;
  const afterSeconds =
    askedSeconds !== undefined && Number.isFinite(askedSeconds)
      ? Math.min(askedSeconds, longestWaitSeconds)
      : undefined;
  const retryAt = nextTry({
    random,
    tries: fetch.tries,
    requestedAt: fetch.requestedAt,
    now: clock.now(),
    afterSeconds,
  });
  if (!retryAt)
    return await keepFailure(
      dependencies,
      fetch,
      "unavailable",
      Math.max(failureKeptSeconds, afterSeconds ?? 0),
      error,
    );
  metrics.fetches.inc({ provider: fetch.provider, resource: fetch.resource, outcome: "postponed" });
  return (await postponeFetch(pool, fetch, retryAt)) ? { retryAt } : "done";
}

async function keepFailure(
  { pool, clock, metrics, log }: RunFetchDependencies,
  fetch: Fetch,
  outcome: Outcome,
  keptSeconds: number,
  error: unknown,
): Promise<JobOutcome> {
  const now = clock.now();
  const { provider, resource } = fetch;
  if (await settleFetch(pool, fetch, outcome, now, addSeconds(now, keptSeconds))) {
    log.warn(
      {
        err: error,
        provider,
        resource,
        fetchId: fetch.id,
        connectionId: fetch.connectionId,
        outcome,
      },
      "a fetch failed; callers get this outcome until it is requested again",
    );
    metrics.fetches.inc({ provider, resource, outcome });
  }
  return "done";
}

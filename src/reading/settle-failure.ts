import type { Connection } from "../connections/index.ts";
import type { AuthErrorCode } from "../model/index.ts";
import { secondsBetween } from "../platform/clock.ts";
import { transaction } from "../platform/db/index.ts";
import type { ProviderFailure } from "../providers/index.ts";
import type { ProcessDied } from "./adapters.ts";
import { idsOf, type Read, type ReadOutcome, type ReadRun } from "./read.ts";
import { deathsUntilAlone, postponeRead, settleRead, type ReadEnd } from "./read-store.ts";
import { forgetStored } from "./request-store.ts";
import { knownFields } from "./refused-fields.ts";
import { noteOutcome, tellSettled } from "./tell-settled.ts";
import {
  failureKeptSeconds,
  forbiddenKeptSeconds,
  longestReadSeconds,
  nextTry,
  unsupportedKeptSeconds,
  waitAfterRefusal,
} from "./retry-policy.ts";
import type { RunReadDependencies } from "./run-dependencies.ts";

type KeptEnd = Extract<ReadEnd, { outcome: "unavailable" | "broken" | "unsupported" }>;

/** A read whose process ended because of another read goes on after this. */
const afterDeathSeconds = 1;

/** Settles or postpones a read whose run failed with an error of the contract. */
export async function settleFailure(
  dependencies: RunReadDependencies,
  read: ReadRun,
  connection: Connection,
  failure: ProviderFailure,
): Promise<void> {
  const keep = (end: KeptEnd, keptSeconds: number): Promise<void> =>
    keepFailure(dependencies, read, end, keptSeconds, failure);
  switch (failure.kind) {
    case "auth":
      return await settleAuthFailure(dependencies, read, connection, failure);
    case "not-supported":
      return await keep({ outcome: "unsupported" }, unsupportedKeptSeconds);
    case "rate-limited":
      return await waitForProvider(dependencies, read, failure);
    case "down":
      return await tryAgain(dependencies, read, failure);
    case "field":
      return await keep({ outcome: "broken" }, failureKeptSeconds);
    case "bug": {
      const refusedFields = knownFields(read.resource, failure.fields);
      return await keep({ outcome: "broken", refusedFields }, failureKeptSeconds);
    }
  }
}

async function settleAuthFailure(
  dependencies: RunReadDependencies,
  read: ReadRun,
  connection: Connection,
  failure: Extract<ProviderFailure, { kind: "auth" }>,
): Promise<void> {
  if (failure.code === "insufficient_permission")
    return await settleForbidden(dependencies, read, connection, failure);
  // There is a newer session. It is tried at once, and after that as any other.
  if (!(await dependencies.connections.isNewestSession(connection))) {
    return read.tries === 0
      ? await postpone(dependencies, read, { afterSeconds: 0, counts: "tries" })
      : await tryAgain(dependencies, read, failure);
  }
  await settleRefused(dependencies, read, connection, failure.code);
}

/**
 * Deletes what is stored of the resource, of all ranges of dates, with the reads that say so. The other resources stay as
 * they are.
 */
async function settleForbidden(
  dependencies: RunReadDependencies,
  read: ReadRun,
  connection: Connection,
  failure: ProviderFailure,
): Promise<void> {
  const { pool, connections, destination } = dependencies;
  const isSettled = await transaction(pool, async (tx) => {
    if (!(await settleRead(tx, read, { outcome: "forbidden" }, forbiddenKeptSeconds))) return false;
    await forgetStored(tx, read);
    await destination.forget(tx, read);
    const limited = connection.limited[read.resource] ?? [];
    await connections.recordRights(tx, connection, read.resource, { isForbidden: true, limited });
    return true;
  });
  if (isSettled) await tellFailure(dependencies, read, "forbidden", failure);
}

/** Only the newest run may refuse the connection: an older run may have used an old session. */
export async function settleRefused(
  dependencies: RunReadDependencies,
  read: ReadRun,
  connection: Connection,
  code: AuthErrorCode,
): Promise<void> {
  const { pool, connections } = dependencies;
  const isSettled = await transaction(pool, async (tx) => {
    if (!(await settleRead(tx, read, { outcome: "refused", code }))) return false;
    await connections.refuse(tx, connection, code);
    return true;
  });
  if (!isSettled) return;
  noteOutcome(dependencies, read, "refused");
  await tellSettled(dependencies, read);
}

/** The provider takes no request for a while. That is no failure, and a whole read may take a day. */
async function waitForProvider(
  dependencies: RunReadDependencies,
  read: ReadRun,
  failure: Extract<ProviderFailure, { kind: "rate-limited" }>,
): Promise<void> {
  const waitSeconds = waitAfterRefusal(failure.afterSeconds, read.waits);
  await postponeOrGiveUp(dependencies, read, failure, {
    afterSeconds: waitSeconds,
    counts: "waits",
    keptSeconds: Math.max(failureKeptSeconds, waitSeconds),
  });
}

export async function tryAgain(
  dependencies: RunReadDependencies,
  read: ReadRun,
  error: unknown,
): Promise<void> {
  const { clock, random } = dependencies;
  const { tries, retrySince } = read;
  await postponeOrGiveUp(dependencies, read, error, {
    afterSeconds: nextTry({ random, tries: tries + 1, retrySince, now: clock.now() }),
    counts: "tries",
    keptSeconds: failureKeptSeconds,
  });
}

/** Without a next run, and when that would be too late, the read has failed. */
async function postponeOrGiveUp(
  dependencies: RunReadDependencies,
  read: ReadRun,
  error: unknown,
  {
    afterSeconds,
    counts,
    keptSeconds,
  }: { afterSeconds: number | undefined; counts: "waits" | "tries"; keptSeconds: number },
): Promise<void> {
  const age = secondsBetween(read.requestedAt, dependencies.clock.now());
  if (afterSeconds === undefined || age + afterSeconds > longestReadSeconds)
    return await keepFailure(dependencies, read, { outcome: "unavailable" }, keptSeconds, error);
  await postpone(dependencies, read, { afterSeconds, counts });
  noteOutcome(dependencies, read, counts === "waits" ? "waiting" : "postponed");
}

/**
 * Lets the read go on in another process. A read that is blamed for three ended processes, the last of them its own, is
 * broken.
 */
export async function surviveDeath(
  dependencies: RunReadDependencies,
  read: ReadRun,
  death: ProcessDied,
): Promise<void> {
  const { log } = dependencies;
  const { isBlamed } = death;
  if (isBlamed && read.deaths >= deathsUntilAlone) {
    await recordBroken(dependencies, read);
    return await keepFailure(dependencies, read, { outcome: "broken" }, failureKeptSeconds, death);
  }
  const counts = isBlamed ? "deaths" : undefined;
  await postpone(dependencies, read, { afterSeconds: afterDeathSeconds, counts });
  log.warn(
    { err: death, ...idsOf(read), isBlamed },
    "the process of a read ended; the read is tried again",
  );
}

/** For a run whose read is not its own any more. Where no newer one has begun, because of a new sign-in, one begins. */
export async function giveWay(dependencies: RunReadDependencies, read: Read): Promise<void> {
  await postpone(dependencies, read, { afterSeconds: 0, counts: undefined });
}

async function postpone(
  { pool, wake }: RunReadDependencies,
  read: Read,
  change: Parameters<typeof postponeRead>[2],
): Promise<void> {
  if (await postponeRead(pool, read, change)) await wake(read, change.afterSeconds);
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
  dependencies: RunReadDependencies,
  read: ReadRun,
  end: KeptEnd,
  keptSeconds: number,
  error: unknown,
): Promise<void> {
  if (await settleRead(dependencies.pool, read, end, keptSeconds))
    await tellFailure(dependencies, read, end.outcome, error);
}

async function tellFailure(
  dependencies: RunReadDependencies,
  read: ReadRun,
  outcome: ReadOutcome,
  error: unknown,
): Promise<void> {
  const { log } = dependencies;
  log.warn(
    { err: error, ...idsOf(read), outcome },
    "a read failed; callers get this outcome until it is requested again",
  );
  noteOutcome(dependencies, read, outcome);
  await tellSettled(dependencies, read);
}

import type { SteadyClock } from "../platform/clock.ts";
import { isDatabaseUnavailable, type Pool, type Transaction } from "../platform/db/index.ts";
import { retry } from "../platform/retry.ts";
import type { Connection } from "./connection.ts";
import { sealedSession } from "./sealed-sign-in.ts";
import { replaceSession } from "./store.ts";

const saveWithinMs = 35_000;
const saveAgainMs = 500;

/** Stores what became of the session with this number: in a transaction, or as soon as the database takes it. */
export async function saveSession(
  { pool, clock }: { pool: Pool; clock: SteadyClock },
  { id, dataKey, sessionVersion }: Connection,
  session: Record<string, unknown>,
  { version = sessionVersion, tx }: { version?: number; tx?: Transaction } = {},
): Promise<void> {
  const sealed = sealedSession.seal(dataKey, { connectionId: id }, session);
  const replacing = { version, sealedSession: sealed };
  if (tx) await replaceSession(tx, id, replacing);
  else await untilStored(clock, () => replaceSession(pool, id, replacing));
}

/** The provider may take the session before it no more: while the database is away, this one is stored again. */
export async function untilStored<Result>(
  clock: SteadyClock,
  save: () => Promise<Result>,
): Promise<Result> {
  const startedMs = clock.elapsedMs();
  const findPause = (error: unknown): number | undefined =>
    isDatabaseUnavailable(error) && clock.elapsedMs() - startedMs < saveWithinMs
      ? saveAgainMs
      : undefined;
  return await retry(save, { findPause, clock });
}

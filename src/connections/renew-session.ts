import type { AuthErrorCode } from "../model/index.ts";
import type { SteadyClock } from "../platform/clock.ts";
import type { Listener, Pool } from "../platform/db/index.ts";
import { withTimeout } from "../platform/with-timeout.ts";
import type { Connection } from "./connection.ts";
import { untilStored } from "./save-session.ts";
import { sealedSession } from "./sealed-sign-in.ts";
import * as store from "./session-store.ts";

type Session = Record<string, unknown>;

/** A session with its number: a newer one has a greater number. */
export interface NumberedSession {
  session: Session;
  version: number;
}

/** The provider's answer to a refresh. Any other failure is thrown. */
export type Refreshed = { session: Session } | { refused: AuthErrorCode };

interface RenewDependencies {
  pool: Pool;
  listener: Listener;
  clock: SteadyClock;
}

interface RenewRequest {
  /** The number of the session that has ended. */
  version: number;
  /** Asks the provider. */
  refresh: (session: Session, signal: AbortSignal) => Promise<Refreshed>;
  /** What is thrown when the provider takes too long. */
  timedOut: () => Error;
  /** Ends the wait for somebody else's refresh. One of our own is finished. */
  signal: AbortSignal;
}

/** Asking the provider and storing its answer take less together. When their process dies, another one tries after it. */
const leaseSeconds = 60;
const askWithinMs = 20_000;
const lookEveryMs = 500;

/**
 * The newest session of a connection, which has a greater number than `version`. One caller of all processes
 * refreshes it; the others wait for the result. The new session is stored before anybody uses it. Undefined when the
 * connection is gone, and when its end user has signed in again: that session may be another account's.
 */
export async function renewSession(
  dependencies: RenewDependencies,
  connection: Connection,
  request: RenewRequest,
): Promise<NumberedSession | { refused: AuthErrorCode } | undefined> {
  const { pool, listener } = dependencies;
  const { version, signal } = request;
  const { id, dataKey, signInCount } = connection;
  for (;;) {
    signal.throwIfAborted();
    const claimed = await store.claimRefresh(pool, connection, { version, leaseSeconds });
    const own = claimed && (await refreshClaimed(dependencies, connection, request, claimed));
    if (own && !("refused" in own)) return own;
    const stored = await store.findSession(pool, id);
    if (stored?.signInCount !== signInCount) return undefined;
    if (stored.authFailure) return { refused: stored.authFailure };
    if (stored.version > version)
      return {
        session: sealedSession.open(dataKey, { connectionId: id }, stored.sealedSession),
        version: stored.version,
      };
    if (own) return own;
    await listener.waitFor(store.sessionNotice(id), lookEveryMs, signal);
  }
}

/** Undefined when the end user has signed in again meanwhile. */
async function refreshClaimed(
  dependencies: RenewDependencies,
  connection: Connection,
  { version, refresh, timedOut }: RenewRequest,
  claimed: store.ClaimedRefresh,
): Promise<NumberedSession | { refused: AuthErrorCode } | undefined> {
  const { pool } = dependencies;
  const { id, dataKey } = connection;
  const open = (sealed: Buffer): Session =>
    sealedSession.open(dataKey, { connectionId: id }, sealed);
  const ask = async (signal: AbortSignal): Promise<Refreshed> => {
    const refreshed = await refresh(open(claimed.sealedSession), signal);
    const { sealedPreviousSession: previous } = claimed;
    // The newest session has never worked: the provider may still know the one before it.
    return "refused" in refreshed && previous ? await refresh(open(previous), signal) : refreshed;
  };
  const giveBack = (): Promise<void> => store.releaseRefresh(pool, { id, lease: claimed.lease });
  let refreshed: Refreshed;
  try {
    refreshed = await withTimeout(askWithinMs, ask, { timedOut });
  } catch (error) {
    await giveBack();
    throw error;
  }
  if ("refused" in refreshed) {
    await giveBack();
    return refreshed;
  }
  const { session } = refreshed;
  const isSaved = await saveRefreshed(dependencies, connection, { session, version });
  return isSaved ? { session, version: version + 1 } : undefined;
}

async function saveRefreshed(
  { pool, clock }: RenewDependencies,
  { id, dataKey, signInCount }: Connection,
  { session, version }: NumberedSession,
): Promise<boolean> {
  const sealed = sealedSession.seal(dataKey, { connectionId: id }, session);
  return await untilStored(clock, () =>
    store.saveRefreshed(pool, { id, version, signInCount, sealedSession: sealed }),
  );
}

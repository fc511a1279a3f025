import type { AuthErrorCode } from "../model/index.ts";
import type { Listener, Pool } from "../platform/db/index.ts";
import type { Connection } from "./connection.ts";
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
}

/** A refresh takes less than this. When its process dies, another one tries after it. */
const leaseSeconds = 30;
const lookEveryMs = 500;

/**
 * The newest session of a connection, which has a greater number than `version`. One caller of all processes
 * refreshes it; the others wait for the result. The new session is stored before anybody uses it. Undefined when the
 * connection is gone.
 */
export async function renewSession(
  dependencies: RenewDependencies,
  connection: Connection,
  {
    version,
    refresh,
    signal,
  }: { version: number; refresh: (session: Session) => Promise<Refreshed>; signal: AbortSignal },
): Promise<NumberedSession | { refused: AuthErrorCode } | undefined> {
  const { pool, listener } = dependencies;
  const { id, dataKey } = connection;
  for (;;) {
    signal.throwIfAborted();
    const claimed = await store.claimRefresh(pool, connection, { version, leaseSeconds });
    if (claimed) {
      const refreshed = await refreshClaimed(dependencies, connection, {
        version,
        refresh,
        claimed,
      });
      if (refreshed) return refreshed;
    }
    const stored = await store.findSession(pool, id);
    if (!stored) return undefined;
    if (stored.authFailure) return { refused: stored.authFailure };
    if (stored.version > version)
      return {
        session: sealedSession.open(dataKey, { connectionId: id }, stored.sealedSession),
        version: stored.version,
      };
    await listener.waitFor(store.sessionNotice(id), lookEveryMs, signal);
  }
}

/** Undefined when the end user has signed in again meanwhile. */
async function refreshClaimed(
  { pool }: RenewDependencies,
  { id, dataKey, signInCount }: Connection,
  {
    version,
    refresh,
    claimed,
  }: {
    version: number;
    refresh: (session: Session) => Promise<Refreshed>;
    claimed: store.ClaimedRefresh;
  },
): Promise<NumberedSession | { refused: AuthErrorCode } | undefined> {
  const open = (sealed: Buffer): Session =>
    sealedSession.open(dataKey, { connectionId: id }, sealed);
  const giveBack = (): Promise<void> => store.releaseRefresh(pool, { id, version });
  let refreshed: Refreshed;
  try {
    refreshed = await refresh(open(claimed.sealedSession));
    // The newest session has never worked: the provider may still know the one before it.
    if ("refused" in refreshed && claimed.sealedPreviousSession)
      refreshed = await refresh(open(claimed.sealedPreviousSession));
  } catch (error) {
    await giveBack();
    throw error;
  }
  if ("refused" in refreshed) {
    await giveBack();
    return refreshed;
  }
  const { session } = refreshed;
  const isSaved = await store.saveRefreshed(pool, {
    id,
    version,
    signInCount,
    sealedSession: sealedSession.seal(dataKey, { connectionId: id }, session),
  });
  return isSaved ? { session, version: version + 1 } : undefined;
}

import type { AuthErrorCode } from "../model/index.ts";
import { notify, queryRow, transaction, type Pool, type Queryable } from "../platform/db/index.ts";
import type { ConnectionSummary } from "./connection.ts";

export interface ClaimedRefresh {
  /** Tells this lease from a later one. */
  lease: string;
  sealedSession: Buffer;
  /** The session before, as long as this one has not worked. */
  sealedPreviousSession: Buffer | null;
}

/** One caller gets the lease of the refresh. Undefined for the others, and when the session is not the newest. */
export async function claimRefresh(
  db: Queryable,
  { id, signInCount }: Pick<ConnectionSummary, "id" | "signInCount">,
  { version, leaseSeconds }: { version: number; leaseSeconds: number },
): Promise<ClaimedRefresh | undefined> {
  return await queryRow<ClaimedRefresh>(
    db,
    `update connections set refresh_until = service_now() + make_interval(secs => $4)
     where id = $1 and sign_in_count = $2 and session_version = $3 and auth_failure is null
       and (refresh_until is null or refresh_until <= service_now())
     returning refresh_until::text as lease, sealed_session as "sealedSession", sealed_previous_session as "sealedPreviousSession"`,
    [id, signInCount, version, leaseSeconds],
  );
}

/** Does nothing when the lease has ended and somebody else has the next one. */
export async function releaseRefresh(
  db: Queryable,
  { id, lease }: Pick<ConnectionSummary, "id"> & Pick<ClaimedRefresh, "lease">,
): Promise<void> {
  await db.query(
    "update connections set refresh_until = null where id = $1 and refresh_until = $2::timestamptz",
    [id, lease],
  );
}

/** False when the end user has signed in again, or somebody else refreshed it. */
export async function saveRefreshed(
  pool: Pool,
  session: { id: string; version: number; signInCount: number; sealedSession: Buffer },
): Promise<boolean> {
  return await transaction(pool, async (tx) => {
    const { rowCount } = await tx.query(
      `update connections set sealed_previous_session = sealed_session, sealed_session = $4,
         session_version = session_version + 1, refresh_until = null
       where id = $1 and session_version = $2 and sign_in_count = $3`,
      [session.id, session.version, session.signInCount, session.sealedSession],
    );
    if (rowCount === 1) await notify(tx, sessionNotice(session.id));
    return rowCount === 1;
  });
}

export async function findSession(
  db: Queryable,
  id: string,
): Promise<
  | {
      sealedSession: Buffer;
      version: number;
      authFailure: AuthErrorCode | null;
      signInCount: number;
    }
  | undefined
> {
  return await queryRow(
    db,
    `select sealed_session as "sealedSession", session_version as version, auth_failure as "authFailure",
       sign_in_count as "signInCount"
     from connections where id = $1`,
    [id],
  );
}

/** The session has worked: the one before it is of no use any more. */
export async function forgetPreviousSession(
  db: Queryable,
  id: string,
  version: number,
): Promise<void> {
  await db.query(
    `update connections set sealed_previous_session = null
     where id = $1 and session_version = $2 and sealed_previous_session is not null`,
    [id, version],
  );
}

export function sessionNotice(id: string): string {
  return `session ${id}`;
}

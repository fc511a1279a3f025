import type { ClientId, ConnectionId } from "../model/index.ts";
import { queryRows, type Queryable } from "../platform/db/index.ts";

/** How far what is kept for a client has lost what the client has switched off. */
export interface Cleaning {
  clientId: ClientId;
  /** How often fields were switched since all was clean last. */
  cleansDue: number;
  /** The connection that was begun last, in the order of their ids. */
  cleanedTo: ConnectionId | null;
  /** Those that were begun and have not ended. */
  uncleaned: ConnectionId[];
}

/**
 * What is kept for the client's webhooks has to lose what the client has switched off. Lists are kept without a webhook
 * address too, for events.
 */
export async function askToClean(tx: Queryable, clientId: ClientId): Promise<void> {
  await tx.query(
    `insert into webhook_endpoints as e (client_id, has_changed, cleans_due) values ($1, false, 1)
     on conflict (client_id) do update set cleans_due = e.cleans_due + 1`,
    [clientId],
  );
}

/** Uses webhook_endpoints_to_clean. */
export async function findCleanings(db: Queryable): Promise<Cleaning[]> {
  return await queryRows(
    db,
    `select client_id as "clientId", cleans_due as "cleansDue", cleaned_to as "cleanedTo", uncleaned
     from webhook_endpoints where cleans_due > 0 order by client_id`,
  );
}

/** False when another sweep has begun it, or more was switched off meanwhile. */
export async function beginCleaning(
  db: Queryable,
  { clientId, cleansDue }: Cleaning,
  connectionId: ConnectionId,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update webhook_endpoints set cleaned_to = $3, uncleaned = array_append(uncleaned, $3)
     where client_id = $1 and cleans_due = $2 and (cleaned_to is null or cleaned_to < $3)`,
    [clientId, cleansDue, connectionId],
  );
  return rowCount === 1;
}

/** Does nothing when more was switched off meanwhile. */
export async function endCleaning(
  db: Queryable,
  { clientId, cleansDue }: Cleaning,
  connectionId: ConnectionId,
): Promise<void> {
  await db.query(
    `update webhook_endpoints set uncleaned = array_remove(uncleaned, $3)
     where client_id = $1 and cleans_due = $2`,
    [clientId, cleansDue, connectionId],
  );
}

/** Does nothing when more was switched off meanwhile, or a connection has not ended. */
export async function settleCleaned(
  db: Queryable,
  { clientId, cleansDue }: Cleaning,
): Promise<void> {
  await db.query(
    `update webhook_endpoints set cleans_due = 0
     where client_id = $1 and cleans_due = $2 and uncleaned = '{}'`,
    [clientId, cleansDue],
  );
}

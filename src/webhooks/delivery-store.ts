import type { ClientId, ConnectionId, TokenId } from "../model/index.ts";
import { queryRow, queryRows, type Queryable } from "../platform/db/index.ts";
import type { PackedList } from "./packed-list.ts";

type DeliveryStatus = "pending" | "delivered" | "failed";

/** One body for one receiver, frozen when it was made. Its id is the same at every attempt. */
export interface Delivery {
  id: string;
  connectionId: ConnectionId;
  clientId: ClientId;
  tokenId: TokenId;
  status: DeliveryStatus;
  added: number;
  removed: number;
  updated: number;
  /** The number of the newest attempt. Only that attempt may settle the delivery. */
  attempts: number;
  /** Its position in the retry schedule. */
  scheduleStep: number;
  /** Null while the endpoint is paused or gone. */
  nextAttemptAt: Date | null;
  lastStatus: number | null;
  createdAt: Date;
  settledAt: Date | null;
}

const columns = `id, connection_id as "connectionId", client_id as "clientId", token_id as "tokenId", status,
  added, removed, updated, attempts, schedule_step as "scheduleStep", next_attempt_at as "nextAttemptAt", last_status as "lastStatus",
  created_at as "createdAt", settled_at as "settledAt"`;

export type NewDelivery = Pick<
  Delivery,
  "id" | "connectionId" | "clientId" | "tokenId" | "added" | "removed" | "updated" | "createdAt"
> & {
  sealedBody: Buffer;
  listAfter: PackedList;
  dueAt: Date;
};

/** False when another delivery of the connection is in flight. */
export async function insertDelivery(tx: Queryable, delivery: NewDelivery): Promise<boolean> {
  const {
    id,
    connectionId,
    clientId,
    tokenId,
    added,
    removed,
    updated,
    createdAt,
    sealedBody,
    listAfter,
    dueAt,
  } = delivery;
  const { rowCount } = await tx.query(
    `insert into deliveries (id, connection_id, client_id, token_id, status, sealed_body, list_after,
       added, removed, updated,
       next_attempt_at, enqueued_at, created_at)
     values ($1, $2, $3, $4, 'pending', $5, $6, $7, $8, $9, $11, $11, $10)
     on conflict (connection_id) where status = 'pending' do nothing`,
    [
      id,
      connectionId,
      clientId,
      tokenId,
      sealedBody,
      listAfter,
      added,
      removed,
      updated,
      createdAt,
      dueAt,
    ],
  );
  return rowCount === 1;
}

export async function findDelivery(db: Queryable, id: string): Promise<Delivery | undefined> {
  return await queryRow<Delivery>(db, `select ${columns} from deliveries where id = $1`, [id]);
}

export async function findInFlight(
  db: Queryable,
  connectionId: ConnectionId,
): Promise<Delivery | undefined> {
  return await queryRow<Delivery>(
    db,
    `select ${columns} from deliveries where connection_id = $1 and status = 'pending'`,
    [connectionId],
  );
}

export async function listDeliveries(
  db: Queryable,
  { clientId, after, limit }: { clientId: ClientId; after: string | undefined; limit: number },
): Promise<Delivery[]> {
  return await queryRows<Delivery>(
    db,
    `select ${columns} from deliveries
     where client_id = $1 and ($2::uuid is null or id < $2) order by id desc limit $3`,
    [clientId, after ?? null, limit],
  );
}

/**
 * Starts an attempt. No earlier attempt may settle the delivery from now on. Until `leaseEnd` the next attempt
 * starts only on request (a replay, or an address that was set). After it, an attempt that was cut off is made
 * again. Undefined when the delivery is not due.
 */
export async function claimDelivery(
  db: Queryable,
  id: string,
  { now, leaseEnd }: { now: Date; leaseEnd: Date },
): Promise<(Delivery & { sealedBody: Buffer }) | undefined> {
  return await queryRow<Delivery & { sealedBody: Buffer }>(
    db,
    `update deliveries set attempts = attempts + 1, next_attempt_at = $3, enqueued_at = null
     where id = $1 and status = 'pending' and next_attempt_at <= $2
     returning ${columns}, sealed_body as "sealedBody"`,
    [id, now, leaseEnd],
  );
}

/**
 * Ends the delivery and returns the list that its body led to. The list is null when a later body was made or
 * the receiver's state was begun anew. Undefined when a newer attempt has started.
 */
export async function settleDelivery(
  tx: Queryable,
  { id, attempts }: Delivery,
  settled: { status: "delivered" | "failed"; lastStatus: number | null; now: Date },
): Promise<{ list: PackedList | null } | undefined> {
  return await queryRow<{ list: PackedList | null }>(
    tx,
    `update deliveries d
       set status = $3, last_status = $4, settled_at = $5, next_attempt_at = null, enqueued_at = null,
           is_acknowledged = is_acknowledged or $3 = 'delivered'
     where id = $1 and attempts = $2 and status = 'pending'
     returning case when not exists (
       select from deliveries l where l.connection_id = d.connection_id and l.id > d.id
     ) then list_after end as list`,
    [id, attempts, settled.status, settled.lastStatus, settled.now],
  );
}

/**
 * Returns the time of the next attempt: `at`, or earlier when it was requested since this attempt began. Null
 * for a delivery that waits for its endpoint to be resumed. Undefined when a newer attempt has started.
 */
export async function postponeDelivery(
  tx: Queryable,
  { id, attempts, scheduleStep }: Delivery,
  { at, lastStatus }: { at: Date | null; lastStatus: number | null },
): Promise<Date | null | undefined> {
  const row = await queryRow<{ nextAttemptAt: Date | null }>(
    tx,
    `update deliveries
       set schedule_step = case when schedule_step = $5 then schedule_step + 1 else schedule_step end,
           next_attempt_at = case when schedule_step = $5 then $3 else next_attempt_at end,
           enqueued_at = case when schedule_step = $5 then $3 end, last_status = $4
     where id = $1 and attempts = $2 and status = 'pending' returning next_attempt_at as "nextAttemptAt"`,
    [id, attempts, at, lastStatus, scheduleStep],
  );
  return row?.nextAttemptAt;
}

/**
 * Begins the retry schedule anew for a new address: at `at`, or earlier when the delivery is already due. False
 * when a newer attempt has started.
 */
export async function beginAgain(
  tx: Queryable,
  { id, attempts }: Delivery,
  at: Date,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update deliveries set schedule_step = 0, next_attempt_at = least(next_attempt_at, $3), enqueued_at = null
     where id = $1 and attempts = $2 and status = 'pending'`,
    [id, attempts, at],
  );
  return rowCount === 1;
}

/** Due deliveries that were last enqueued before `enqueuedBefore`. Several sweepers share them. */
export async function claimStaleDeliveries(
  db: Queryable,
  { now, enqueuedBefore, limit }: { now: Date; enqueuedBefore: Date; limit: number },
): Promise<Delivery[]> {
  return await queryRows<Delivery>(
    db,
    `update deliveries set enqueued_at = $1 where id in (
       select id from deliveries
       where status = 'pending' and next_attempt_at <= $1 and (enqueued_at is null or enqueued_at < $2)
       order by next_attempt_at limit $3 for update skip locked)
     returning ${columns}`,
    [now, enqueuedBefore, limit],
  );
}

/** Sends the same bytes once more, from the beginning of the retry schedule. */
export async function sendAgain(
  tx: Queryable,
  id: string,
  now: Date,
): Promise<Delivery | undefined> {
  return await queryRow<Delivery>(
    tx,
    `update deliveries
       set status = 'pending', schedule_step = 0, next_attempt_at = $2, enqueued_at = $2, settled_at = null
     where id = $1 returning ${columns}`,
    [id, now],
  );
}

/** Whether the receiver acknowledged a later body. A later replay that failed does not matter. */
export async function hasLaterAcknowledged(
  db: Queryable,
  { id, connectionId }: Delivery,
): Promise<boolean> {
  const { rowCount } = await db.query(
    "select from deliveries where connection_id = $1 and id > $2 and is_acknowledged limit 1",
    [connectionId, id],
  );
  return rowCount === 1;
}

export async function findSealedBody(db: Queryable, id: string): Promise<Buffer | undefined> {
  const row = await queryRow<{ sealedBody: Buffer }>(
    db,
    `select sealed_body as "sealedBody" from deliveries where id = $1`,
    [id],
  );
  return row?.sealedBody;
}

/** When the connection's newest body was made. Uses deliveries_connection. */
export async function findNewestMoment(
  tx: Queryable,
  connectionId: ConnectionId,
): Promise<Date | undefined> {
  const row = await queryRow<{ createdAt: Date }>(
    tx,
    `select created_at as "createdAt" from deliveries
     where connection_id = $1 order by id desc limit 1`,
    [connectionId],
  );
  return row?.createdAt;
}

/** While the endpoint is paused or gone, its deliveries wait. */
export async function suspendDeliveries(tx: Queryable, clientId: ClientId): Promise<void> {
  await tx.query(
    `update deliveries set next_attempt_at = null, enqueued_at = null
     where client_id = $1 and status = 'pending'`,
    [clientId],
  );
}

export async function suspendDelivery(tx: Queryable, id: string): Promise<void> {
  await tx.query(
    `update deliveries set next_attempt_at = null, enqueued_at = null
     where id = $1 and status = 'pending'`,
    [id],
  );
}

export async function resumeDeliveries(
  tx: Queryable,
  clientId: ClientId,
  now: Date,
): Promise<void> {
  await tx.query(
    `update deliveries set next_attempt_at = $2, schedule_step = 0, enqueued_at = null
     where client_id = $1 and status = 'pending'`,
    [clientId, now],
  );
}

export async function deletePending(tx: Queryable, clientId: ClientId): Promise<void> {
  await tx.query("delete from deliveries where client_id = $1 and status = 'pending'", [clientId]);
}

export async function deleteSettledBefore(db: Queryable, moment: Date): Promise<void> {
  await db.query("delete from deliveries where settled_at < $1", [moment]);
}

export async function findOldestPending(db: Queryable): Promise<Date | undefined> {
  const row = await queryRow<{ oldest: Date | null }>(
    db,
    "select min(created_at) as oldest from deliveries where status = 'pending'",
  );
  return row?.oldest ?? undefined;
}

import type { ClientId, ConnectionId, EventType, TokenId } from "../model/index.ts";
import { queryRow, queryRows, type Pool, type Queryable } from "../platform/db/index.ts";
import { LeaseTable, type Leased } from "../platform/leases/index.ts";
import type { OutboundFailure } from "../platform/outbound/index.ts";
import type { PackedList } from "../platform/packed-list.ts";

/** The most attempts that one process makes at once. */
export const deliveryPlaces = 32;

export type DeliveryStatus = "pending" | "delivered" | "failed";

/** Why an attempt failed. */
export type DeliveryError = "status" | "timeout" | OutboundFailure;

/** The result of the last attempt. Of one that succeeded, the status alone. */
export interface LastAttempt {
  lastStatus: number | null;
  lastError: DeliveryError | null;
  /** The beginning of the reply, when the address is public. */
  sealedReply: Buffer | null;
}

/** One body for one receiver, frozen when it was made. Its id is the same at every attempt. */
export interface Delivery {
  id: string;
  /** Null for an event. */
  connectionId: ConnectionId | null;
  clientId: ClientId;
  /** Null for an event of a provider. */
  tokenId: TokenId | null;
  /** Of an event: what its deliveries are in order for. Null for a webhook about employees. */
  subject: string | null;
  eventType: EventType | null;
  status: DeliveryStatus;
  added: number;
  removed: number;
  updated: number;
  attempts: number;
  /** Its position in the retry schedule. */
  scheduleStep: number;
  /** Null when it is settled, while the endpoint is paused or gone, and for an event that waits for another one. */
  nextAttemptAt: Date | null;
  lastStatus: number | null;
  /** Null when the last attempt succeeded, and for a failure from before errors were stored. */
  lastError: DeliveryError | null;
  createdAt: Date;
  settledAt: Date | null;
}

export const columns = `id, connection_id as "connectionId", client_id as "clientId", token_id as "tokenId", subject,
  event_type as "eventType", status,
  added, removed, updated, run as attempts, schedule_step as "scheduleStep", due_at as "nextAttemptAt",
  last_status as "lastStatus", last_error as "lastError", created_at as "createdAt", settled_at as "settledAt"`;

/** An attempt under way. `run` is its number, and only the newest attempt may settle the delivery. */
export type ClaimedDelivery = Delivery &
  Leased & {
    sealedBody: Buffer | null;
    isSlow: boolean;
    /** Of what led to it, while tracing is on. */
    traceparent: string | null;
  };

const mostPerClient = 8;
const mostPerOrigin = 4;
const mostSlowPerClient = 2;
/** A quarter of the places of one process: receivers that time out never take those of the others. */
const mostSlow = deliveryPlaces / 4;

/** The attempts under way: a share for each client, each origin, and the endpoints whose last attempt timed out. */
export function createDeliveryTable(pool: Pool): LeaseTable<ClaimedDelivery> {
  return new LeaseTable<ClaimedDelivery>({
    pool,
    table: "deliveries",
    fairBy: "client_id",
    shares: [
      { column: "client_id", limit: mostPerClient },
      { column: "origin_key", limit: mostPerOrigin },
      { column: "client_id", limit: mostSlowPerClient, where: "is_slow" },
      { limit: mostSlow, where: "is_slow" },
    ],
    order: "due_at",
    kinds: ["origin_key", "is_slow"],
    set: "is_requested = false",
    columns: `${columns}, run, sealed_body as "sealedBody", is_slow as "isSlow", traceparent`,
  });
}

export type NewDelivery = Pick<
  Delivery,
  "id" | "clientId" | "added" | "removed" | "updated" | "createdAt"
> & {
  connectionId: ConnectionId;
  tokenId: TokenId;
  sealedBody: Buffer;
  listAfter: PackedList;
  traceparent: string | null;
};

/**
 * It is due at once. False when another delivery of the connection is in flight; else the caller takes those of whom it
 * tells out of the earlier lists of the receiver's state.
 */
export async function insertDelivery(tx: Queryable, delivery: NewDelivery): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into deliveries (id, connection_id, client_id, token_id, status, sealed_body, list_after,
       added, removed, updated,
       due_at, created_at, origin_key, is_slow, leaves_earlier_lists, traceparent)
     select $1, $2, $3, $4, 'pending', $5, $6, $7, $8, $9, service_now(), $10, coalesce(e.origin_key, ''),
       coalesce(e.is_slow, false), true, $11
     from (select 1) one left join webhook_endpoints e on e.client_id = $3
     on conflict (connection_id) where status = 'pending' do nothing`,
    [
      delivery.id,
      delivery.connectionId,
      delivery.clientId,
      delivery.tokenId,
      delivery.sealedBody,
      delivery.listAfter,
      delivery.added,
      delivery.removed,
      delivery.updated,
      delivery.createdAt,
      delivery.traceparent,
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

/**
 * SQL for the list that the body of `d` leads to. Null when a later body was made, when the body was acknowledged before,
 * or when the receiver's state was begun anew.
 */
function listLedTo(isAcknowledged: string): string {
  return `case when not ${isAcknowledged} and not exists (
       select from deliveries l where l.connection_id = d.connection_id and l.id > d.id
     ) then list_after end`;
}

/** The body in flight, and the list that it leads to. The caller has locked the receiver's state. */
export async function findBodyInFlight(
  tx: Queryable,
  connectionId: ConnectionId,
): Promise<{ id: string; listAfter: PackedList | null } | undefined> {
  return await queryRow<{ id: string; listAfter: PackedList | null }>(
    tx,
    `select id, ${listLedTo("is_acknowledged")} as "listAfter" from deliveries d
     where connection_id = $1 and status = 'pending'`,
    [connectionId],
  );
}

/** Another list counts as the one that a body in flight leads to. The caller has locked the receiver's state. */
export async function replaceListAfter(tx: Queryable, id: string, list: PackedList): Promise<void> {
  await tx.query("update deliveries set list_after = $2 where id = $1", [id, list]);
}

/**
 * Ends the delivery and returns the list that its body led to. Undefined when a newer attempt has started, and for a
 * failure also when another attempt was requested meanwhile.
 */
export async function settleDelivery(
  tx: Queryable,
  { id, run }: Leased,
  settled: { status: "delivered" | "failed"; last: LastAttempt },
): Promise<{ list: PackedList | null } | undefined> {
  const { lastStatus, lastError, sealedReply } = settled.last;
  return await queryRow<{ list: PackedList | null }>(
    tx,
    `update deliveries d
       set status = $3, last_status = $4, last_error = $5, sealed_last_reply = null, sealed_public_reply = $6,
           settled_at = service_now(),
           due_at = null, lease_until = null, is_acknowledged = d.is_acknowledged or $3 = 'delivered'
     from (select is_acknowledged from deliveries where id = $1) before
     where id = $1 and run = $2 and status = 'pending' and ($3 = 'delivered' or not is_requested)
     returning ${listLedTo("before.is_acknowledged")} as list`,
    [id, run, settled.status, lastStatus, lastError, sealedReply],
  );
}

/** SQL for the seconds until an attempt is due. */
const secondsUntilDue = `extract(epoch from due_at - service_now())::float8 as seconds`;

/**
 * Gives the lease back and returns after how many seconds the next attempt is: as given, or earlier when it was
 * requested since this attempt began. Null for a delivery that waits for its endpoint to be resumed. Undefined when a
 * newer attempt has started.
 */
export async function postponeDelivery(
  tx: Queryable,
  { id, run }: Leased,
  {
    afterSeconds,
    last,
    isSlow,
  }: { afterSeconds: number | null; last: LastAttempt; isSlow: boolean },
): Promise<number | null | undefined> {
  const { lastStatus, lastError, sealedReply } = last;
  const row = await queryRow<{ seconds: number | null }>(
    tx,
    `update deliveries
       set schedule_step = case when is_requested then schedule_step else schedule_step + 1 end,
           due_at = case when is_requested then due_at else service_now() + make_interval(secs => $3) end,
           lease_until = null, last_status = $4, is_slow = $5, last_error = $6, sealed_last_reply = null,
           sealed_public_reply = $7
     where id = $1 and run = $2 and status = 'pending' returning ${secondsUntilDue}`,
    [id, run, afterSeconds, lastStatus, isSlow, lastError, sealedReply],
  );
  return row?.seconds;
}

/**
 * Gives the lease back and begins the retry schedule anew for a new address: after so many seconds, or earlier when the
 * delivery was requested since this attempt began. Returns after how many; undefined when a newer attempt has started.
 */
export async function beginAgain(
  tx: Queryable,
  { id, run }: Leased,
  afterSeconds: number,
): Promise<number | undefined> {
  const row = await queryRow<{ seconds: number }>(
    tx,
    `update deliveries
       set schedule_step = 0, lease_until = null,
           due_at = least(case when is_requested then due_at end, service_now() + make_interval(secs => $3))
     where id = $1 and run = $2 and status = 'pending' returning ${secondsUntilDue}`,
    [id, run, afterSeconds],
  );
  return row?.seconds;
}

/**
 * Gives the lease back without an attempt: its number is used again. The delivery is due after so many seconds, or with
 * null when its endpoint is resumed. One that was requested since it was claimed is due as requested.
 */
export async function leaveUnattempted(
  db: Queryable,
  { id, run }: Leased,
  afterSeconds: number | null,
): Promise<void> {
  await db.query(
    `update deliveries
       set due_at = case when is_requested then due_at else service_now() + make_interval(secs => $3) end,
           lease_until = null, run = run - 1
     where id = $1 and run = $2 and status = 'pending'`,
    [id, run, afterSeconds],
  );
}

/** Sends the same bytes once more, from the beginning of the retry schedule. An attempt under way ends first. */
export async function sendAgain(tx: Queryable, id: string): Promise<Delivery | undefined> {
  return await queryRow<Delivery>(
    tx,
    `update deliveries
       set status = 'pending', schedule_step = 0, due_at = service_now(), is_requested = lease_until is not null,
           settled_at = null
     where id = $1 returning ${columns}`,
    [id],
  );
}

/** Whether the receiver acknowledged a later body. A later replay that failed does not matter. */
export async function hasLaterAcknowledged(
  db: Queryable,
  { id, connectionId }: Pick<Delivery, "id" | "connectionId">,
): Promise<boolean> {
  const { rowCount } = await db.query(
    "select from deliveries where connection_id = $1 and id > $2 and is_acknowledged limit 1",
    [connectionId, id],
  );
  return rowCount === 1;
}

export async function findSealed(
  db: Queryable,
  id: string,
  column: "sealed_body" | "sealed_public_reply",
): Promise<Buffer | undefined> {
  const row = await queryRow<{ sealed: Buffer | null }>(
    db,
    `select ${column} as sealed from deliveries where id = $1`,
    [id],
  );
  return row?.sealed ?? undefined;
}

export async function findDeliveryIds(
  db: Queryable,
  connectionId: ConnectionId,
): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    db,
    "select id from deliveries where connection_id = $1 order by id",
    [connectionId],
  );
  return rows.map(({ id }) => id);
}

/** Locks the delivery until the transaction ends. */
export async function lockSealedBody(tx: Queryable, id: string): Promise<Buffer | undefined> {
  const row = await queryRow<{ sealed: Buffer }>(
    tx,
    "select sealed_body as sealed from deliveries where id = $1 for update",
    [id],
  );
  return row?.sealed;
}

export async function replaceSealedBody(tx: Queryable, id: string, sealed: Buffer): Promise<void> {
  await tx.query("update deliveries set sealed_body = $2 where id = $1", [id, sealed]);
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

/** One POST of a delivery, and its result. */
export interface DeliveryAttempt {
  number: number;
  at: Date;
  durationMs: number;
  status: number | null;
  /** An enumerated word, such as `ok`, `timeout`, `refused_target`. */
  reason: string;
}

/** Writes nothing for a deleted delivery: its token was disconnected, or its address was removed. */
export async function insertAttempt(
  tx: Queryable,
  deliveryId: string,
  { number, at, durationMs, status, reason }: DeliveryAttempt,
): Promise<void> {
  await tx.query(
    `insert into delivery_attempts (delivery_id, number, at, duration_ms, status, reason)
     select id, $2, $3, $4, $5, $6 from deliveries where id = $1 for key share on conflict do nothing`,
    [deliveryId, number, at, Math.round(durationMs), status, reason],
  );
}

import type { EventType } from "../model/index.ts";
import { queryRow, queryRows, type Queryable } from "../platform/db/index.ts";
import { subjectOf, type PlacedEvent } from "../events/index.ts";
import type { Look } from "./looks.ts";

/** The delivery of each of the subjects that is next, locked until the transaction ends. Uses deliveries_subject. */
export async function lockHeads(tx: Queryable, subjects: readonly string[]): Promise<void> {
  await tx.query(
    `select head.id from unnest($1::text[]) as s (subject) cross join lateral (
       select id from deliveries d where d.subject = s.subject and d.status = 'pending'
       order by d.position limit 1 for update of d) head order by s.subject`,
    [subjects.toSorted()],
  );
}

/**
 * Deletes the deliveries of these types that nobody has acknowledged. An attempt that is under way then settles nothing.
 * Returns their ids, oldest first.
 */
export async function deleteReplaced(
  tx: Queryable,
  subject: string,
  types: readonly EventType[],
): Promise<string[]> {
  const rows = await queryRows<{ id: string; position: number }>(
    tx,
    `delete from deliveries where subject = $1 and status = 'pending' and event_type = any($2)
     returning id, position::float8 as position`,
    [subject, types],
  );
  return rows.toSorted((a, b) => a.position - b.position).map(({ id }) => id);
}

/** They wait until `releaseHeads`. */
export async function insertEventDeliveries(
  tx: Queryable,
  events: readonly PlacedEvent[],
): Promise<void> {
  const counts = events.map(({ data }) => countChanges(data));
  await tx.query(
    `insert into deliveries (id, client_id, token_id, status, subject, event_type, position, added, removed, updated,
       created_at, origin_key, is_slow, leaves_earlier_lists)
     select n.id, n.client_id, n.token_id, 'pending', n.subject, n.event_type, n.position, n.added, n.removed, n.updated,
       n.created_at, e.origin_key, e.is_slow, true
     from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::text[], $6::bigint[], $7::integer[], $8::integer[],
         $9::integer[], $10::timestamptz[])
       as n (id, client_id, token_id, subject, event_type, position, added, removed, updated, created_at)
     join event_endpoints e on e.client_id = n.client_id`,
    [
      events.map(({ id }) => id),
      events.map(({ clientId }) => clientId),
      events.map(({ tokenId }) => tokenId),
      events.map((event) => subjectOf(event)),
      events.map(({ type }) => type),
      events.map(({ position }) => position),
      counts.map(({ added }) => added),
      counts.map(({ removed }) => removed),
      counts.map(({ updated }) => updated),
      events.map(({ createdAt }) => createdAt),
    ],
  );
}

function countChanges(
  data: Readonly<Record<string, unknown>>,
): Record<"added" | "removed" | "updated", number> {
  const count = (name: string): number =>
    (data[name] as { count?: number } | undefined)?.count ?? 0;
  return { added: count("added"), removed: count("removed"), updated: count("updated") };
}

/** SQL: the delivery `d` happened before its client removed the address `e` of that time, and is to be dropped. */
const isCleared = "d.created_at <= coalesce(e.cleared_at, '-infinity')";

/**
 * The delivery that is next of each subject is due, unless its client's address is stopped, or was removed since. It is
 * sent to the address of now. Returns those that waited.
 */
export async function releaseHeads(tx: Queryable, subjects: readonly string[]): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    tx,
    `update deliveries d set due_at = service_now(), origin_key = e.origin_key, is_slow = e.is_slow
     from unnest($1::text[]) as s (subject) cross join lateral (
       select id from deliveries w where w.subject = s.subject and w.status = 'pending'
       order by w.position limit 1) head, event_endpoints e
     where d.id = head.id and d.due_at is null and d.lease_until is null
       and e.client_id = d.client_id and e.status = 'active' and not ${isCleared}
     returning d.id`,
    [subjects],
  );
  return rows.map(({ id }) => id);
}

/**
 * The same for subjects whose next delivery waits for nothing: the one before it was deleted, because it had waited for
 * as long as its event is kept or its address was removed, or somebody held it when its address was resumed. Nothing else
 * finds those. Deliveries that wait can be millions: it looks at the next one of the `limit` subjects behind `after`.
 * Uses deliveries_subject.
 */
export async function releaseForgotten(
  db: Queryable,
  { after, limit }: { after: string; limit: number },
): Promise<Look> {
  const row = await queryRow<{ ids: string[]; looked: number; last: string | null }>(
    db,
    `with recursive heads as (
       (${headBehind("$1")})
       union all
       select next.* from heads cross join lateral (${headBehind("heads.subject")}) next
     ), looked as materialized (
       select id, subject, waits from heads limit $2
     ), waiting as (
       select d.id, e.origin_key, e.is_slow from looked l join deliveries d on d.id = l.id
       join event_endpoints e on e.client_id = d.client_id and e.status = 'active'
       where l.waits and d.status = 'pending' and d.due_at is null and d.lease_until is null
         and not ${isCleared} and not exists (select from deliveries l
           where l.subject = d.subject and l.status = 'pending' and l.position < d.position)
       for update of d skip locked
     ), released as (
       update deliveries d set due_at = service_now(), origin_key = waiting.origin_key, is_slow = waiting.is_slow
       from waiting where d.id = waiting.id returning d.id
     )
     select array(select id from released) as ids, count(*)::integer as looked, max(subject) as last from looked`,
    [after, limit],
  );
  return { ids: row?.ids ?? [], next: row?.looked === limit ? (row.last ?? undefined) : undefined };
}

/** SQL for the delivery that is next of the first subject behind another one. */
function headBehind(subject: string): string {
  return `select w.id, w.subject, w.due_at is null and w.lease_until is null as waits from deliveries w
    where w.status = 'pending' and w.subject > ${subject} order by w.subject, w.position limit 1`;
}

/** For an event that is not sent any more. Does nothing when a newer attempt has started. */
export async function deleteUnwanted(
  tx: Queryable,
  { id, run }: { id: string; run: number },
): Promise<void> {
  await tx.query("delete from deliveries where id = $1 and run = $2 and subject is not null", [
    id,
    run,
  ]);
}

const waits =
  "client_id = $1 and status = 'pending' and subject is not null and due_at is null and lease_until is null";

/** Whether an event of the client is due, on its way or waits. Uses deliveries_open, _leased and _event_waiting. */
export async function hasUnsettled(db: Queryable, clientId: string): Promise<boolean> {
  const row = await queryRow<{ has: boolean }>(
    db,
    `select exists (select from deliveries where client_id = $1 and due_at is not null and lease_until is null)
       or exists (select from deliveries where client_id = $1 and lease_until is not null)
       or exists (select from deliveries where ${waits}) as has`,
    [clientId],
  );
  return row?.has === true;
}

/** Deletes at most `limit` that wait. Returns how many they were. */
export async function deleteWaiting(
  db: Queryable,
  clientId: string,
  limit: number,
): Promise<number> {
  const { rowCount } = await db.query(
    `delete from deliveries where id in (select id from deliveries where ${waits} limit $2 for update skip locked)`,
    [clientId, limit],
  );
  return rowCount ?? 0;
}

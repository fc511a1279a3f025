import type { ClientId } from "../model/index.ts";
import { queryRows, type Queryable } from "../platform/db/index.ts";
import { lowestId, ofKind, tables, type Endpoint, type EndpointKind } from "./endpoint-store.ts";

// What is done to all pending deliveries of a client. While its address is stopped they can be millions, so it is done
// to a few at a time: no statement takes long.

const batch = 500;

/**
 * The work is done to the next few after `after`. Returns the last of them when there may be more. Uses
 * deliveries_pending_employees and deliveries_pending_events.
 */
async function workOnSome(
  db: Queryable,
  { kind, clientId, after }: { kind: EndpointKind; clientId: ClientId; after: string },
  work: (ids: readonly string[]) => Promise<unknown>,
): Promise<string | undefined> {
  const rows = await queryRows<{ id: string }>(
    db,
    `select id from deliveries where client_id = $1 and status = 'pending' and ${ofKind[kind]} and id > $2
     order by id limit $3`,
    [clientId, after, batch],
  );
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await work(ids);
  return ids[batch - 1];
}

/** Of the webhooks about employees. A connection has one at most. */
export async function deletePending(tx: Queryable, clientId: ClientId): Promise<void> {
  let after: string | undefined = lowestId;
  while (after !== undefined)
    after = await workOnSome(tx, { kind: "employees", clientId, after }, (ids) =>
      tx.query("delete from deliveries where id = any($1) and status = 'pending'", [ids]),
    );
}

/**
 * Deletes some of the events that happened until the address was removed, but those that somebody holds. Later ones are
 * for the address of now. Returns after which delivery to go on; undefined at the end.
 */
export async function deleteCleared(
  db: Queryable,
  clientId: ClientId,
  after: string,
): Promise<string | undefined> {
  return await workOnSome(db, { kind: "events", clientId, after }, (ids) =>
    db.query(
      `delete from deliveries where id in (
         select d.id from deliveries d join event_endpoints e using (client_id)
         where d.id = any($1) and d.status = 'pending' and d.created_at <= e.cleared_at
         for update of d skip locked)`,
      [ids],
    ),
  );
}

/** SQL that gives the address of now to the deliveries of $1. */
const resume: Readonly<Record<EndpointKind, string>> = {
  // Attempts under way end first.
  employees: `update deliveries d set due_at = service_now(), schedule_step = 0, is_requested = lease_until is not null,
       origin_key = e.origin_key, is_slow = e.is_slow
     from webhook_endpoints e where d.id = any($1) and d.status = 'pending' and e.client_id = d.client_id`,
  // The next one of each subject is due. The others wait as they are; `releaseHeads` gives them the address. One that
  // somebody holds is passed, so that nobody waits in a circle. Returns the first of those.
  events: `with p as materialized (
       select w.id, not exists (select from deliveries l
         where l.subject = w.subject and l.status = 'pending' and l.position < w.position) as is_head
       from deliveries w where w.id = any($1) and w.status = 'pending' for update of w skip locked
     ), resumed as (
       update deliveries d set schedule_step = 0, origin_key = e.origin_key, is_slow = e.is_slow,
         due_at = case when p.is_head then service_now() end, is_requested = p.is_head and lease_until is not null
       from event_endpoints e, p where d.id = p.id and e.client_id = d.client_id
         and (p.is_head or d.due_at is not null or d.lease_until is not null or d.schedule_step <> 0))
     select id from deliveries where id = any($1) and status = 'pending' and id not in (select id from p)
     order by id limit 1`,
};

/**
 * The same for those that are pending when the address was set or resumed, perhaps as another one. Goes no further than
 * to one that somebody holds: it would wait as long as the former address made it.
 */
export async function resumeSome(
  tx: Queryable,
  { kind, clientId }: Pick<Endpoint, "kind" | "clientId">,
  after: string,
): Promise<string | undefined> {
  let beforeHeld: string | undefined;
  const last = await workOnSome(tx, { kind, clientId, after }, async (ids) => {
    const [held] = await queryRows<{ id: string }>(tx, resume[kind], [ids]);
    if (held) beforeHeld = ids[ids.indexOf(held.id) - 1] ?? after;
  });
  return beforeHeld ?? last;
}

/**
 * While the endpoint is paused or gone, its deliveries wait. Does nothing when the address was set or resumed meanwhile.
 * What is left when the process is killed waits as soon as it is due. Uses deliveries_open.
 */
export async function suspendDeliveries(
  db: Queryable,
  { kind, clientId, generation }: Endpoint,
): Promise<void> {
  const suspend = async (): Promise<number | null> => {
    const { rowCount } = await db.query(
      `with stopped as (
         select client_id from ${tables[kind]}
         where client_id = $1 and generation = $2 and status <> 'active' for share)
       update deliveries set due_at = null where id in (
         select d.id from stopped join deliveries d using (client_id)
         where d.due_at is not null and d.lease_until is null and ${ofKind[kind]}
         limit $3 for update of d skip locked)`,
      [clientId, generation, batch],
    );
    return rowCount;
  };
  while ((await suspend()) === batch);
}

/**
 * Deliveries to an endpoint whose last attempt timed out have a share of their own. What the endpoint says counts, and
 * it cannot say something else before a batch is done: attempts that end at the same time would leave it half undone.
 * Uses deliveries_open.
 */
export async function markSlow(
  db: Queryable,
  { kind, clientId }: Pick<Endpoint, "kind" | "clientId">,
): Promise<void> {
  const mark = async (): Promise<number | null> => {
    const { rowCount } = await db.query(
      `with held as materialized (
         select client_id, is_slow from ${tables[kind]} where client_id = $1 for share)
       update deliveries set is_slow = held.is_slow from held where id in (
         select d.id from held e join deliveries d using (client_id)
         where d.due_at is not null and d.lease_until is null and ${ofKind[kind]} and d.is_slow <> e.is_slow
         limit $2 for update of d skip locked)`,
      [clientId, batch],
    );
    return rowCount;
  };
  while ((await mark()) === batch);
}

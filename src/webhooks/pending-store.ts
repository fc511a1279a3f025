import type { ClientId } from "../model/index.ts";
import { queryRows, type Queryable } from "../platform/db/index.ts";
import { ofKind, stoppedEndpoint, type Endpoint, type EndpointKind } from "./endpoint-store.ts";

// What is done to all pending deliveries of a client. While its address is stopped they can be millions, so it is done
// to a few at a time: no statement takes long.

const batch = 500;
const firstId = "00000000-0000-0000-0000-000000000000";

/** Uses deliveries_pending_of_client. */
async function forEachBatch(
  db: Queryable,
  kind: EndpointKind,
  clientId: ClientId,
  work: (ids: readonly string[]) => Promise<unknown>,
): Promise<void> {
  let after: string | undefined = firstId;
  while (after !== undefined) {
    const rows: { id: string }[] = await queryRows(
      db,
      `select id from deliveries where client_id = $1 and status = 'pending' and ${ofKind[kind]} and id > $2
       order by id limit $3`,
      [clientId, after, batch],
    );
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) await work(ids);
    after = ids[batch - 1];
  }
}

/** Of the webhooks about employees. */
export async function deletePending(tx: Queryable, clientId: ClientId): Promise<void> {
  await forEachBatch(tx, "employees", clientId, (ids) =>
    tx.query("delete from deliveries where id = any($1) and status = 'pending'", [ids]),
  );
}

/** Of the events that happened until the address was removed. Later ones are for the address of now. */
export async function deleteCleared(tx: Queryable, clientId: ClientId): Promise<void> {
  await forEachBatch(tx, "events", clientId, (ids) =>
    tx.query(
      `delete from deliveries d using event_endpoints e
       where d.id = any($1) and d.status = 'pending' and e.client_id = d.client_id
         and d.created_at <= coalesce(e.cleared_at, 'infinity')`,
      [ids],
    ),
  );
}

/** The endpoint of the webhooks about employees was resumed, perhaps with another address. Attempts under way end first. */
export async function resumeDeliveries(tx: Queryable, clientId: ClientId): Promise<void> {
  await forEachBatch(tx, "employees", clientId, (ids) =>
    tx.query(
      `update deliveries d set due_at = service_now(), schedule_step = 0, is_requested = lease_until is not null,
         origin_key = e.origin_key, is_slow = e.is_slow
       from webhook_endpoints e where d.id = any($1) and d.status = 'pending' and e.client_id = d.client_id`,
      [ids],
    ),
  );
}

/**
 * The address of events was resumed: the next one of each subject is due. The others wait as they are; `releaseHeads`
 * gives them the address.
 */
export async function resumeEvents(tx: Queryable, clientId: ClientId): Promise<void> {
  await forEachBatch(tx, "events", clientId, (ids) =>
    tx.query(
      `update deliveries d set schedule_step = 0, origin_key = e.origin_key, is_slow = e.is_slow,
         due_at = case when p.is_head then service_now() end, is_requested = p.is_head and lease_until is not null
       from event_endpoints e, (
         select w.id, not exists (select from deliveries l
           where l.subject = w.subject and l.status = 'pending' and l.position < w.position) as is_head
         from deliveries w where w.id = any($1) and w.status = 'pending') p
       where d.id = p.id and e.client_id = d.client_id
         and (p.is_head or d.due_at is not null or d.lease_until is not null or d.schedule_step <> 0)`,
      [ids],
    ),
  );
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
      `with stopped as (${stoppedEndpoint[kind]})
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

/** Deliveries to an endpoint whose last attempt timed out have a share of their own. Uses deliveries_open. */
export async function markSlow(
  db: Queryable,
  { kind, clientId }: Endpoint,
  isSlow: boolean,
): Promise<void> {
  const mark = async (): Promise<number | null> => {
    const { rowCount } = await db.query(
      `update deliveries set is_slow = $2 where id in (
         select id from deliveries
         where client_id = $1 and due_at is not null and lease_until is null and ${ofKind[kind]} and is_slow <> $2
         limit $3 for update skip locked)`,
      [clientId, isSlow, batch],
    );
    return rowCount;
  };
  while ((await mark()) === batch);
}

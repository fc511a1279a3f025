import type { ClientId } from "../model/index.ts";
import { queryRow, queryRows, type Queryable } from "../platform/db/index.ts";

export type EndpointStatus = "active" | "paused" | "gone";

/** How webhooks of a client stand. The address itself belongs to the clients room. */
export interface Endpoint {
  clientId: ClientId;
  /** Null when the client has removed its address. */
  status: EndpointStatus | null;
  /** Counts how often the address was set. Answers of an earlier address do not count for this one. */
  generation: number;
}

const columns = `client_id as "clientId", status, generation`;

/** The client set or removed its address in this transaction. The next tick does the rest. */
export async function recordAddress(
  tx: Queryable,
  clientId: ClientId,
  { isSet, originKey }: { isSet: boolean; originKey: string },
): Promise<void> {
  await tx.query(
    `insert into webhook_endpoints as e (client_id, status, has_changed, was_cleared, origin_key)
     values ($1, case when $2 then 'active' end, true, not $2, $3)
     on conflict (client_id) do update
       set status = excluded.status, generation = e.generation + 1, has_changed = true, origin_key = $3,
           was_cleared = e.was_cleared or not $2, failing_since = null, failure_counts_until = null, is_slow = false`,
    [clientId, isSet, originKey],
  );
}

/** Resumes the endpoint on request, as if its address had been set anew. */
export async function resumeEndpoint(tx: Queryable, clientId: ClientId): Promise<void> {
  await tx.query(
    `update webhook_endpoints set status = 'active', generation = generation + 1, has_changed = true,
       failing_since = null, failure_counts_until = null
     where client_id = $1 and status is not null and status <> 'active'`,
    [clientId],
  );
}

/**
 * Endpoints that were set, removed or resumed since the last call, in the order in which their polls are locked. Each
 * change is returned once. `wasCleared` stays true when the address was set again afterwards.
 */
export async function claimChangedEndpoints(
  tx: Queryable,
): Promise<{ clientId: ClientId; wasCleared: boolean; isActive: boolean }[]> {
  return await queryRows<{ clientId: ClientId; wasCleared: boolean; isActive: boolean }>(
    tx,
    `with changed as (
       select client_id, was_cleared from webhook_endpoints where has_changed for no key update skip locked),
     claimed as (
       update webhook_endpoints e set has_changed = false, was_cleared = false
       from changed c where e.client_id = c.client_id
       returning e.client_id, c.was_cleared, e.status is not distinct from 'active' as is_active)
     select client_id as "clientId", was_cleared as "wasCleared", is_active as "isActive"
     from claimed order by client_id`,
  );
}

export async function findEndpoint(
  db: Queryable,
  clientId: ClientId,
): Promise<Endpoint | undefined> {
  return await queryRow<Endpoint>(db, {
    name: "find-endpoint",
    text: `select ${columns} from webhook_endpoints where client_id = $1`,
    values: [clientId],
  });
}

/** False when the address was set in the meantime: earlier answers do not count any more. */
export async function suspendEndpoint(
  tx: Queryable,
  { clientId, generation }: Endpoint,
  status: Exclude<EndpointStatus, "active">,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update webhook_endpoints set status = $3 where client_id = $1 and generation = $2 and status is not null`,
    [clientId, generation, status],
  );
  return rowCount === 1;
}

/**
 * Records a failure. Returns for how many seconds every attempt has failed. A failure after which no attempt came for
 * `countsForSeconds` does not count. Undefined when the address was set in the meantime.
 */
export async function noteFailure(
  tx: Queryable,
  { clientId, generation }: Endpoint,
  countsForSeconds: number,
): Promise<number | undefined> {
  const row = await queryRow<{ seconds: number }>(
    tx,
    `update webhook_endpoints
       set failing_since = case when failing_since is null or failure_counts_until < service_now() then service_now()
             else failing_since end,
           failure_counts_until = greatest(failure_counts_until, service_now() + make_interval(secs => $3))
     where client_id = $1 and generation = $2
     returning extract(epoch from service_now() - failing_since)::float8 as seconds`,
    [clientId, generation, countsForSeconds],
  );
  return row?.seconds;
}

/** An attempt at this address succeeded. Writes nothing when there was no failure before it. */
export async function forgetFailures(
  db: Queryable,
  { clientId, generation }: Endpoint,
): Promise<void> {
  await db.query(
    `update webhook_endpoints set failing_since = null, failure_counts_until = null
     where client_id = $1 and generation = $2 and failing_since is not null`,
    [clientId, generation],
  );
}

/** Whether the last attempt at this address timed out. Its deliveries have a share of their own then. */
export async function setSlow(
  db: Queryable,
  { clientId, generation }: Endpoint,
  isSlow: boolean,
): Promise<void> {
  await db.query(
    `with changed as (
       update webhook_endpoints set is_slow = $3 where client_id = $1 and generation = $2 and is_slow <> $3
       returning client_id)
     update deliveries d set is_slow = $3 from changed where d.client_id = changed.client_id and d.status = 'pending'`,
    [clientId, generation, isSlow],
  );
}

import type { ClientId } from "../model/index.ts";
import { queryRow, queryRows, type Queryable } from "../platform/db/index.ts";

export type EndpointStatus = "active" | "paused" | "gone";

/** A client has an address for the webhooks about employees, and one for events. */
export type EndpointKind = "employees" | "events";

export const tables: Readonly<Record<EndpointKind, string>> = {
  employees: "webhook_endpoints",
  events: "event_endpoints",
};

/** Less than the id of any delivery. */
export const lowestId = "00000000-0000-0000-0000-000000000000";

/** Which deliveries are of the kind. */
export const ofKind: Readonly<Record<EndpointKind, string>> = {
  employees: "subject is null",
  events: "subject is not null",
};

/** How webhooks of a client stand at one of its addresses. The address itself belongs to the clients room. */
export interface Endpoint {
  kind: EndpointKind;
  clientId: ClientId;
  /** Null when the client has removed its address. */
  status: EndpointStatus | null;
  /** Counts how often the address was set. Answers of an earlier address do not count for this one. */
  generation: number;
}

/** The client set or removed its address in this transaction. The next tick does the rest. */
export async function recordAddress(
  tx: Queryable,
  kind: EndpointKind,
  { clientId, isSet, originKey }: { clientId: ClientId; isSet: boolean; originKey: string },
): Promise<void> {
  await tx.query(
    `insert into ${tables[kind]} as e (client_id, status, has_changed, was_cleared, origin_key)
     values ($1, case when $2 then 'active' end, true, not $2, $3)
     on conflict (client_id) do update
       set status = excluded.status, generation = e.generation + 1, has_changed = true, origin_key = $3,
           was_cleared = e.was_cleared or not $2, failing_since = null, failure_counts_until = null, is_slow = false`,
    [clientId, isSet, originKey],
  );
  if (kind === "events" && !isSet)
    await tx.query("update event_endpoints set cleared_at = service_now() where client_id = $1", [
      clientId,
    ]);
}

/** Resumes the endpoint on request, as if its address had been set anew. */
export async function resumeEndpoint(
  tx: Queryable,
  kind: EndpointKind,
  clientId: ClientId,
): Promise<void> {
  await tx.query(
    `update ${tables[kind]} set status = 'active', generation = generation + 1, has_changed = true,
       failing_since = null, failure_counts_until = null
     where client_id = $1 and status is not null and status <> 'active'`,
    [clientId],
  );
}

/** Clients whose endpoint was set, removed or resumed, and whose change nobody has claimed. */
export async function findChangedEndpoints(db: Queryable, kind: EndpointKind): Promise<ClientId[]> {
  const rows = await queryRows<{ clientId: ClientId }>(
    db,
    `select client_id as "clientId" from ${tables[kind]} where has_changed order by client_id`,
  );
  return rows.map(({ clientId }) => clientId);
}

/** What was pending when the address for events was removed is to be dropped. A program of before stores no moment. */
const beginDropping: Readonly<Record<EndpointKind, string>> = {
  employees: "",
  events:
    "cleared_at = case when c.was_cleared then coalesce(e.cleared_at, service_now()) else e.cleared_at end,",
};

/**
 * Each change is returned once. `wasCleared` stays true when the address was set again afterwards. Undefined when
 * somebody else has claimed the change. What is pending is left to `settle-pending.ts`.
 */
export async function claimChangedEndpoint(
  tx: Queryable,
  kind: EndpointKind,
  clientId: ClientId,
): Promise<{ wasCleared: boolean } | undefined> {
  return await queryRow(
    tx,
    `with changed as (
       select client_id, was_cleared from ${tables[kind]} where client_id = $1 and has_changed
       for no key update skip locked)
     update ${tables[kind]} e set has_changed = false, was_cleared = false, ${beginDropping[kind]}
       resumed_to = case when e.status = 'active' then '${lowestId}'::uuid end
     from changed c where e.client_id = c.client_id
     returning c.was_cleared as "wasCleared"`,
    [clientId],
  );
}

/** Whether what is pending is to be dropped, because the address of its time was removed. */
const hasCleared: Readonly<Record<EndpointKind, string>> = {
  employees: "false",
  events: "cleared_at is not null",
};

/** An endpoint whose pending deliveries are to be dropped, or to get the address that was resumed. */
export interface UnsettledEndpoint {
  kind: EndpointKind;
  clientId: ClientId;
  hasCleared: boolean;
}

/** Those whose change was claimed. Uses webhook_endpoints_resumed and event_endpoints_resumed. */
export async function findUnsettled(
  db: Queryable,
  kind: EndpointKind,
): Promise<UnsettledEndpoint[]> {
  const isCleared = hasCleared[kind];
  const rows = await queryRows<Omit<UnsettledEndpoint, "kind">>(
    db,
    `select client_id as "clientId", ${isCleared} as "hasCleared" from ${tables[kind]}
     where not has_changed and (${isCleared} or resumed_to is not null and status = 'active') order by client_id`,
  );
  return rows.map((row) => ({ kind, ...row }));
}

/** All is dropped that was pending when the address for events was removed. False when there is some left. */
export async function settleCleared(db: Queryable, clientId: ClientId): Promise<boolean> {
  const { rowCount } = await db.query(
    `update event_endpoints e set cleared_at = null
     where client_id = $1 and not exists (
       select from deliveries d where d.client_id = e.client_id and d.status = 'pending' and d.${ofKind.events}
         and d.created_at <= e.cleared_at)`,
    [clientId],
  );
  return rowCount === 1;
}

/**
 * Locks the endpoint until the transaction ends, while its address is given to what is pending. Returns the delivery
 * that got it last. Undefined when all have it, or the address was stopped or changed meanwhile.
 */
export async function lockResumed(
  tx: Queryable,
  { kind, clientId }: Pick<Endpoint, "kind" | "clientId">,
): Promise<string | undefined> {
  const row = await queryRow<{ resumedTo: string }>(
    tx,
    `select resumed_to as "resumedTo" from ${tables[kind]}
     where client_id = $1 and resumed_to is not null and status = 'active' and not has_changed
       and not ${hasCleared[kind]}
     for no key update`,
    [clientId],
  );
  return row?.resumedTo;
}

/** The caller has locked the endpoint. Null when all have the address. */
export async function saveResumed(
  tx: Queryable,
  { kind, clientId }: Pick<Endpoint, "kind" | "clientId">,
  resumedTo: string | null,
): Promise<void> {
  await tx.query(`update ${tables[kind]} set resumed_to = $2 where client_id = $1`, [
    clientId,
    resumedTo,
  ]);
}

/** Until what was pending is dropped: the moment up to which it is. */
const clearedAt: Readonly<Record<EndpointKind, string>> = {
  employees: "case when was_cleared then service_now() end",
  events: "coalesce(cleared_at, case when was_cleared then service_now() end)",
};

/** `clearedAt`: what happened until then was for an address that the client has removed, and is not sent. */
export async function findEndpoint(
  db: Queryable,
  kind: EndpointKind,
  clientId: ClientId,
): Promise<(Endpoint & { clearedAt: Date | null }) | undefined> {
  const row = await queryRow<Omit<Endpoint, "kind"> & { clearedAt: Date | null }>(db, {
    name: `find-endpoint-of-${kind}`,
    text: `select client_id as "clientId", status, generation, ${clearedAt[kind]} as "clearedAt"
       from ${tables[kind]} where client_id = $1`,
    values: [clientId],
  });
  return row && { kind, ...row };
}

/** False when the address was set in the meantime: earlier answers do not count any more. */
export async function suspendEndpoint(
  tx: Queryable,
  { kind, clientId, generation }: Endpoint,
  status: Exclude<EndpointStatus, "active">,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update ${tables[kind]} set status = $3 where client_id = $1 and generation = $2 and status is not null`,
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
  { kind, clientId, generation }: Endpoint,
  countsForSeconds: number,
): Promise<number | undefined> {
  const row = await queryRow<{ seconds: number }>(
    tx,
    `update ${tables[kind]}
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
  { kind, clientId, generation }: Endpoint,
): Promise<void> {
  await db.query(
    `update ${tables[kind]} set failing_since = null, failure_counts_until = null
     where client_id = $1 and generation = $2 and failing_since is not null`,
    [clientId, generation],
  );
}

/** Whether the last attempt at this address timed out. Changes nothing when the address was set meanwhile. */
export async function setSlow(
  db: Queryable,
  { kind, clientId, generation }: Endpoint,
  isSlow: boolean,
): Promise<void> {
  await db.query(
    `update ${tables[kind]} set is_slow = $3 where client_id = $1 and generation = $2 and is_slow <> $3`,
    [clientId, generation, isSlow],
  );
}

/** Which resources of the client's connections are polled for its events. The next tick polls them. */
export async function recordPolled(
  tx: Queryable,
  clientId: ClientId,
  polled: readonly string[] | null,
): Promise<void> {
  await tx.query(
    `insert into event_endpoints as e (client_id, has_changed, polled) values ($1, true, $2)
     on conflict (client_id) do update set polled = $2, has_changed = true where e.polled is distinct from $2`,
    [clientId, polled],
  );
}

/** Those of the clients whose events are sent, or wait until their address is resumed. */
export async function findEventEndpoints(
  db: Queryable,
  clientIds: readonly ClientId[],
): Promise<ClientId[]> {
  const rows = await queryRows<{ clientId: ClientId }>(
    db,
    `select client_id as "clientId" from event_endpoints where client_id = any($1) and status is not null`,
    [clientIds],
  );
  return rows.map(({ clientId }) => clientId);
}

/**
 * The client has ended: nothing is polled for it, and nothing is sent about employees, nor, unless it hears of its end,
 * of events. Its polls go with its connections, so none of many is touched here.
 */
export async function endEndpoints(
  tx: Queryable,
  clientId: ClientId,
  { hearsOfEnd }: { hearsOfEnd: boolean },
): Promise<void> {
  await tx.query(
    `update webhook_endpoints set status = null, generation = generation + 1, has_changed = false, was_cleared = false,
       cleans_due = 0
     where client_id = $1`,
    [clientId],
  );
  await tx.query(
    `update event_endpoints set status = case when $2 then status end, polled = '{}', has_changed = false,
       was_cleared = false
     where client_id = $1`,
    [clientId, hearsOfEnd],
  );
}

/** Whether webhooks about employees have an address, and what the client has chosen to have polled. */
export async function findWishes(
  db: Queryable,
  clientId: ClientId,
): Promise<{ hasWebhooks: boolean; polled: string[] | null }> {
  const row = await queryRow<{ hasWebhooks: boolean; polled: string[] | null }>(
    db,
    `select exists (select from webhook_endpoints where client_id = $1 and status is not null) as "hasWebhooks",
       (select polled from event_endpoints where client_id = $1) as polled`,
    [clientId],
  );
  return row ?? { hasWebhooks: false, polled: null };
}

/** How both addresses of a client stand; null for one that it does not have. */
export async function findStatuses(
  db: Queryable,
  clientId: ClientId,
): Promise<Record<EndpointKind, EndpointStatus | null>> {
  const row = await queryRow<Record<EndpointKind, EndpointStatus | null>>(db, {
    name: "find-endpoint",
    text: `select (select status from webhook_endpoints where client_id = $1) as employees,
       (select status from event_endpoints where client_id = $1) as events`,
    values: [clientId],
  });
  return row ?? { employees: null, events: null };
}

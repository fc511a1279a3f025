import type { ConnectionId } from "../model/index.ts";
import { prepared, queryRow, queryRows, type Queryable } from "../platform/db/index.ts";
import { priorities, type Priority, type Read, type ReadKey } from "./read.ts";
import { columns } from "./read-store.ts";

export interface ReadRequest extends ReadKey, Pick<Read, "id" | "clientId" | "provider" | "mode"> {
  originKey: string;
  signedInAt: Date;
  /** A read that was stored later is new enough. */
  storedAfter: Date;
  /** Whether a caller is told to wait for it. */
  isAwaited: boolean;
  /** Of the request that it is a part of. */
  traceparent: string | null;
}

interface PolledRead extends Omit<ReadRequest, "traceparent"> {
  /** A stored read is not repeated before so many seconds have passed for each of its requests. */
  secondsPerRequest: number;
}

/**
 * The most unsettled reads of one connection that are narrowed by parameters, such as a range of dates. An address has
 * no more places, so a further one would not begin sooner.
 */
const mostNarrowedPerConnection = 4;

const insertColumns = `id, connection_id, client_id, provider, mode, origin_key, resource, parameters,
  state, priority, due_at, requested_at`;

/** What a read begins with when it is requested with the priority `$1`. */
const begin = `state = 'pending', requests = r.requests + 1, priority = $1, tries = 0, waits = 0,
  requested_at = service_now(), due_at = service_now(), provider_requests = 0, pages = 0, records = 0, bytes = 0,
  outcome = null, settled_at = null, kept_until = null, refused_fields = null`;

/** Whether the row `r` is requested anew. */
function isWanted(signedInAt: string, storedAfter: string): string {
  return `r.state = 'settled' and (r.kept_until is null or r.kept_until <= service_now() or r.started_at < ${signedInAt})
    and not (r.outcome = 'stored' and r.settled_at > ${storedAfter})`;
}

const requestStatement = `insert into reads as r (${insertColumns}, is_awaited, traceparent)
  select $2, $3, $4, $5, $6, $7, $8, $9, 'pending', $1, service_now(), service_now(), $12, $13
  from (select lock_connection($3) as is_there) locked where locked.is_there
  on conflict (connection_id, resource, parameters) do update
    set ${begin}, origin_key = excluded.origin_key, is_awaited = excluded.is_awaited,
      traceparent = excluded.traceparent where ${isWanted("$10", "$11")}
  returning ${columns}`;

/**
 * Makes the read pending, unless it already is, its failure is still kept, or it was stored after `storedAfter`. One
 * of any number of callers gets the row and wakes a worker; the others get undefined, and so does everybody when the
 * connection is gone. The connection is locked against its removal first.
 */
export async function requestRead(
  db: Queryable,
  request: ReadRequest,
  priority: Priority,
): Promise<Read | undefined> {
  return await queryRow<Read>(
    db,
    prepared(requestStatement, [
      priorities[priority],
      request.id,
      request.connectionId,
      request.clientId,
      request.provider,
      request.mode,
      request.originKey,
      request.resource,
      request.parameters,
      request.signedInAt,
      request.storedAfter,
      request.isAwaited,
      request.traceparent,
    ]),
  );
}

/** Polls are none of the callers', who need not wait for them. */
const isOtherNarrowed = `connection_id = $1 and state = 'pending' and parameters <> '' and (resource, parameters) <> ($2, $3)
  and priority < ${priorities.poll}`;

/**
 * The oldest of a connection's narrowed reads when they are as many as may be. Undefined when there is room for one
 * more, and when the read need not begin.
 */
export async function findInTheWay(
  db: Queryable,
  { connectionId, resource, parameters, signedInAt, storedAfter }: ReadRequest,
): Promise<Read | undefined> {
  return await queryRow<Read>(
    db,
    `select ${columns} from reads where ${isOtherNarrowed}
       and (select count(*) from reads where ${isOtherNarrowed}) >= ${mostNarrowedPerConnection}
       and not exists (select from reads r where connection_id = $1 and resource = $2 and parameters = $3
         and not (${isWanted("$4", "$5")}))
     order by requested_at limit 1`,
    [connectionId, resource, parameters, signedInAt, storedAfter],
  );
}

const requestAllStatement = `with locked as materialized (
    select lock_connections($3::uuid[]) as connection_id
  ), wanted as materialized (
    select * from unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
        $10::timestamptz[], $11::timestamptz[], $12::float8[])
      as w (id, connection_id, client_id, provider, mode, origin_key, resource, parameters, signed_in_at, stored_after,
        seconds_per_request)
    join locked using (connection_id)
  ), free as materialized (
    select r.id from reads r join wanted w using (connection_id, resource, parameters)
    where ${isWanted("w.signed_in_at", "w.stored_after")}
      and (r.outcome is distinct from 'stored'
        or r.settled_at <= service_now() - make_interval(secs => r.provider_requests * w.seconds_per_request))
    for update of r skip locked
  ), again as (
    update reads r set ${begin}, origin_key = w.origin_key, is_awaited = false, traceparent = null from free, wanted w
    where r.id = free.id and w.connection_id = r.connection_id and w.resource = r.resource and w.parameters = r.parameters
    returning r.id, r.connection_id
  ), anew as (
    insert into reads (${insertColumns})
    select id, connection_id, client_id, provider, mode, origin_key, resource, parameters, 'pending', $1,
      service_now(), service_now()
    from wanted on conflict do nothing returning id, connection_id
  )
  select id, connection_id as "connectionId" from again
  union all select id, connection_id as "connectionId" from anew`;

/**
 * The same for many reads at once. It waits for no lock: a read that somebody else is changing is left out, as is one
 * that need not begin.
 */
export async function requestReads(
  db: Queryable,
  requests: readonly PolledRead[],
  priority: Priority,
): Promise<Pick<Read, "id" | "connectionId">[]> {
  const list = <Field extends keyof PolledRead>(field: Field): PolledRead[Field][] =>
    requests.map((request) => request[field]);
  return await queryRows<{ id: string; connectionId: ConnectionId }>(
    db,
    prepared(requestAllStatement, [
      priorities[priority],
      list("id"),
      list("connectionId"),
      list("clientId"),
      list("provider"),
      list("mode"),
      list("originKey"),
      list("resource"),
      list("parameters"),
      list("signedInAt"),
      list("storedAfter"),
      list("secondsPerRequest"),
    ]),
  );
}

/**
 * Forgets the other reads of the resource that were stored: whoever asks for one begins anew. The caller has locked the
 * connection's sign-in, as every settlement of its reads does.
 */
export async function forgetStored(
  tx: Queryable,
  { id, connectionId, resource }: Pick<Read, "id" | "connectionId" | "resource">,
): Promise<void> {
  await tx.query(
    `with locked as materialized (
       select id from reads
       where connection_id = $1 and resource = $2 and id <> $3 and state = 'settled' and outcome = 'stored'
       order by id for update)
     delete from reads r using locked l where r.id = l.id`,
    [connectionId, resource, id],
  );
}

/**
 * For reads of which nothing is stored any more: whoever asks begins anew. A pending one goes on. In the order of their
 * ids, so that nobody waits in a circle.
 */
export async function deleteSettledReads(
  tx: Queryable,
  connectionId: ConnectionId,
  keys: readonly Omit<ReadKey, "connectionId">[],
): Promise<void> {
  await tx.query(
    `with locked as materialized (
       select r.id from reads r join unnest($2::text[], $3::text[]) as k (resource, parameters) using (resource, parameters)
       where r.connection_id = $1 and r.state = 'settled' order by r.id for update of r)
     delete from reads r using locked l where r.id = l.id`,
    [connectionId, keys.map(({ resource }) => resource), keys.map(({ parameters }) => parameters)],
  );
}

/**
 * A caller joins those who wait for a pending read. Undefined when it was settled meanwhile: then nobody tells the caller
 * of its end.
 */
export async function joinRead(
  db: Queryable,
  id: string,
  {
    priority,
    isAwaited,
    traceparent,
  }: { priority: Priority; isAwaited: boolean; traceparent: string | null },
): Promise<Read | undefined> {
  return await queryRow<Read>(
    db,
    `update reads set priority = least(priority, $2), is_awaited = is_awaited or $3,
       traceparent = coalesce(traceparent, $4)
     where id = $1 and state = 'pending' returning ${columns}`,
    [id, priorities[priority], isAwaited, traceparent],
  );
}

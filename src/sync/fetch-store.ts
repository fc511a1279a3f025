import type { ConnectionId, Mode, Resource } from "../model/index.ts";
import { queryRow, queryRows, type Queryable } from "../platform/db/index.ts";

export type Outcome = "stored" | "unavailable" | "broken" | "unsupported" | "refused";

/** One fetch of a resource with its parameters for one connection: wanted now, or settled. */
export interface Fetch {
  id: string;
  connectionId: ConnectionId;
  resource: Resource;
  parameters: string;
  provider: string;
  mode: Mode;
  /** Counts requests. A settled fetch that is requested again begins a new generation. */
  generation: number;
  state: "pending" | "settled";
  /** The number of the newest run. Only that run may settle the fetch. */
  run: number;
  /** The number of runs since the fetch was requested. */
  tries: number;
  requestedAt: Date;
  nextTryAt: Date;
  outcome: Outcome | null;
  settledAt: Date | null;
  /** Every caller gets the failure until then. */
  keptUntil: Date | null;
}

const columns = `id, connection_id as "connectionId", resource, parameters, provider, mode, generation, state,
  run, tries, requested_at as "requestedAt", next_try_at as "nextTryAt", outcome,
  settled_at as "settledAt", kept_until as "keptUntil"`;

export type FetchIdentity = Pick<
  Fetch,
  "connectionId" | "resource" | "parameters" | "provider" | "mode"
>;

/**
 * Makes the fetch pending, unless it already is, its failure is still kept, or it was stored after
 * `storedAfter`. One of any number of callers gets the row and enqueues its job; the others get undefined.
 */
export async function requestFetch(
  db: Queryable,
  { connectionId, resource, parameters, provider, mode }: FetchIdentity,
  {
    id,
    now,
    storedAfter,
    signedInAt,
  }: { id: string; now: Date; storedAfter: Date; signedInAt: Date },
): Promise<Fetch | undefined> {
  return await queryRow<Fetch>(
    db,
    `insert into fetches as f (id, connection_id, resource, parameters, provider, mode, state, requested_at,
       next_try_at, enqueued_at)
     values ($1, $2, $3, $4, $5, $6, 'pending', $7, $7, $7)
     on conflict (connection_id, resource, parameters) do update
       set state = 'pending', generation = f.generation + 1, tries = 0, requested_at = $7, next_try_at = $7,
           enqueued_at = $7, outcome = null, settled_at = null, kept_until = null
       where f.state = 'settled'
         and (f.kept_until is null or f.kept_until <= $7 or f.started_at < $9)
         and not (f.outcome = 'stored' and f.settled_at > $8)
     returning ${columns}`,
    [id, connectionId, resource, parameters, provider, mode, now, storedAfter, signedInAt],
  );
}

export async function findFetch(
  db: Queryable,
  { connectionId, resource, parameters }: Pick<Fetch, "connectionId" | "resource" | "parameters">,
): Promise<Fetch | undefined> {
  return await queryRow<Fetch>(
    db,
    `select ${columns} from fetches where connection_id = $1 and resource = $2 and parameters = $3`,
    [connectionId, resource, parameters],
  );
}

export async function isPending(db: Queryable, id: string): Promise<boolean> {
  const row = await queryRow<{ pending: boolean }>(
    db,
    "select state = 'pending' as pending from fetches where id = $1",
    [id],
  );
  return row?.pending ?? false;
}

/** Starts a run. No earlier run may settle the fetch from now on. Undefined when the fetch is settled or gone. */
export async function claimFetch(db: Queryable, id: string, now: Date): Promise<Fetch | undefined> {
  return await queryRow<Fetch>(
    db,
    `update fetches set run = run + 1, tries = tries + 1, started_at = $2
     where id = $1 and state = 'pending' returning ${columns}`,
    [id, now],
  );
}

/** False when a newer run has started or the connection is gone. The result of this run is then dropped. */
export async function settleFetch(
  tx: Queryable,
  { id, run }: Fetch,
  outcome: Outcome,
  now: Date,
  keptUntil: Date | null,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update fetches set state = 'settled', outcome = $3, settled_at = $4, kept_until = $5, enqueued_at = null
     where id = $1 and run = $2 and state = 'pending'`,
    [id, run, outcome, now, keptUntil],
  );
  if (rowCount === 1) await tx.query("select pg_notify('settled', $1)", [id]);
  return rowCount === 1;
}

export async function postponeFetch(
  db: Queryable,
  { id, run }: Fetch,
  nextTryAt: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update fetches set next_try_at = $3, enqueued_at = $3
     where id = $1 and run = $2 and state = 'pending'`,
    [id, run, nextTryAt],
  );
  return rowCount === 1;
}

/** Whether a fetch found, since the last sign-in, that the account lacks the resource. */
export async function isKnownUnsupported(
  db: Queryable,
  { connectionId, resource }: Pick<Fetch, "connectionId" | "resource">,
  { now, signedInAt }: { now: Date; signedInAt: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from fetches
     where connection_id = $1 and resource = $2 and state = 'settled' and outcome = 'unsupported'
       and kept_until > $3 and started_at >= $4 limit 1`,
    [connectionId, resource, now, signedInAt],
  );
  return rowCount === 1;
}

/** Locks the row until the transaction ends: no newer run starts before that. */
export async function isNewestRun(tx: Queryable, { id, run }: Fetch): Promise<boolean> {
  const { rowCount } = await tx.query("select from fetches where id = $1 and run = $2 for share", [
    id,
    run,
  ]);
  return rowCount === 1;
}

export async function deleteFetchesSettledBefore(db: Queryable, moment: Date): Promise<void> {
  await db.query("delete from fetches where state = 'settled' and settled_at < $1", [moment]);
}

/** The sweeper enqueues it again at its next turn. */
export async function markNotEnqueued(db: Queryable, id: string): Promise<void> {
  await db.query("update fetches set enqueued_at = null where id = $1 and state = 'pending'", [id]);
}

/** Due fetches that were last enqueued before `enqueuedBefore`. Several sweepers share them. */
export async function findStale(
  db: Queryable,
  { now, enqueuedBefore, limit }: { now: Date; enqueuedBefore: Date; limit: number },
): Promise<Fetch[]> {
  return await queryRows<Fetch>(
    db,
    `update fetches set enqueued_at = $1 where id in (
       select id from fetches
       where state = 'pending' and next_try_at <= $1 and (enqueued_at is null or enqueued_at < $2)
       order by next_try_at limit $3 for update skip locked)
     returning ${columns}`,
    [now, enqueuedBefore, limit],
  );
}

/** How long fetches of this kind usually take, in milliseconds; undefined before the first one. */
export async function findUsualDuration(
  db: Queryable,
  { provider, mode, resource }: Pick<Fetch, "provider" | "mode" | "resource">,
): Promise<number | undefined> {
  const row = await queryRow<{ mean_ms: number }>(
    db,
    "select mean_ms from fetch_durations where provider = $1 and mode = $2 and resource = $3",
    [provider, mode, resource],
  );
  return row?.mean_ms;
}

/** A moving mean in which the newest fetch counts a fifth. */
export async function recordDuration(
  db: Queryable,
  { provider, mode, resource }: Pick<Fetch, "provider" | "mode" | "resource">,
  ms: number,
): Promise<void> {
  await db.query(
    `insert into fetch_durations as d (provider, mode, resource, mean_ms) values ($1, $2, $3, $4)
     on conflict (provider, mode, resource)
     do update set mean_ms = d.mean_ms * 0.8 + excluded.mean_ms * 0.2`,
    [provider, mode, resource, ms],
  );
}

import type { Mode, Resource } from "../model/index.ts";
import type { Queryable } from "../platform/db/index.ts";

export type Outcome = "stored" | "unavailable" | "broken" | "unsupported" | "refused";

/** What is owed or was done for one connection, resource and parameters. */
export interface Fetch {
  id: string;
  connectionId: string;
  resource: Resource;
  parameters: string;
  provider: string;
  mode: Mode;
  /** Counts the times it was asked for anew. */
  generation: number;
  state: "pending" | "settled";
  /** Counts runs: only the newest run may settle the fetch. */
  attempt: number;
  /** Counts the runs since it was asked for. */
  tries: number;
  requestedAt: Date;
  nextTryAt: Date;
  outcome: Outcome | null;
  settledAt: Date | null;
  /** Until then a failure is answered to every caller. */
  keptUntil: Date | null;
}

const columns = `id, connection_id as "connectionId", resource, parameters, provider, mode, generation, state, attempt, tries,
  requested_at as "requestedAt", next_try_at as "nextTryAt", outcome, settled_at as "settledAt", kept_until as "keptUntil"`;

export type FetchIdentity = Pick<
  Fetch,
  "connectionId" | "resource" | "parameters" | "provider" | "mode"
>;

/**
 * Makes the fetch pending, unless it is already, or its failure is still kept, or it was stored after `storedAfter`.
 * Of any number of callers one gets the row, and enqueues its job; the others get undefined.
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
  const { rows } = await db.query<Fetch & Record<string, unknown>>(
    `insert into fetches as f (id, connection_id, resource, parameters, provider, mode, state, requested_at, next_try_at, enqueued_at)
     values ($1, $2, $3, $4, $5, $6, 'pending', $7, $7, $7)
     on conflict (connection_id, resource, parameters) do update
       set state = 'pending', generation = f.generation + 1, tries = 0, requested_at = $7, next_try_at = $7, enqueued_at = $7,
           outcome = null, settled_at = null, kept_until = null
       where f.state = 'settled'
         and (f.kept_until is null or f.kept_until <= $7 or f.started_at < $9)
         and not (f.outcome = 'stored' and f.settled_at > $8)
     returning ${columns}`,
    [id, connectionId, resource, parameters, provider, mode, now, storedAfter, signedInAt],
  );
  return rows[0];
}

export async function findFetch(
  db: Queryable,
  { connectionId, resource, parameters }: Pick<Fetch, "connectionId" | "resource" | "parameters">,
): Promise<Fetch | undefined> {
  const { rows } = await db.query<Fetch & Record<string, unknown>>(
    `select ${columns} from fetches where connection_id = $1 and resource = $2 and parameters = $3`,
    [connectionId, resource, parameters],
  );
  return rows[0];
}

export async function isPending(db: Queryable, id: string): Promise<boolean> {
  const { rows } = await db.query<{ pending: boolean }>(
    "select state = 'pending' as pending from fetches where id = $1",
    [id],
  );
  return rows[0]?.pending ?? false;
}

/** Starts a run and takes the right to settle from every earlier one. Undefined when nothing is owed any more. */
export async function claimFetch(db: Queryable, id: string, now: Date): Promise<Fetch | undefined> {
  const { rows } = await db.query<Fetch & Record<string, unknown>>(
    `update fetches set attempt = attempt + 1, tries = tries + 1, started_at = $2 where id = $1 and state = 'pending' returning ${columns}`,
    [id, now],
  );
  return rows[0];
}

/** False when a newer run has taken over, or the connection is gone: the result of this one is refused. */
export async function settleFetch(
  tx: Queryable,
  { id, attempt }: Fetch,
  outcome: Outcome,
  now: Date,
  keptUntil: Date | null,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update fetches set state = 'settled', outcome = $3, settled_at = $4, kept_until = $5, enqueued_at = null
     where id = $1 and attempt = $2 and state = 'pending'`,
    [id, attempt, outcome, now, keptUntil],
  );
  if (rowCount === 1) await tx.query("select pg_notify('settled', $1)", [id]);
  return rowCount === 1;
}

export async function postponeFetch(
  db: Queryable,
  { id, attempt }: Fetch,
  nextTryAt: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    "update fetches set next_try_at = $3, enqueued_at = $3 where id = $1 and attempt = $2 and state = 'pending'",
    [id, attempt, nextTryAt],
  );
  return rowCount === 1;
}

/** Whether a fetch found out, since the end user signed in last, that the account lacks the resource. */
export async function isKnownUnsupported(
  db: Queryable,
  { connectionId, resource }: Pick<Fetch, "connectionId" | "resource">,
  { now, signedInAt }: { now: Date; signedInAt: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from fetches where connection_id = $1 and resource = $2 and state = 'settled' and outcome = 'unsupported' and kept_until > $3 and started_at >= $4 limit 1`,
    [connectionId, resource, now, signedInAt],
  );
  return rowCount === 1;
}

/** Holds the row until the transaction ends: while it does, no newer run takes over. */
export async function isNewestRun(tx: Queryable, { id, attempt }: Fetch): Promise<boolean> {
  const { rowCount } = await tx.query(
    "select from fetches where id = $1 and attempt = $2 for share",
    [id, attempt],
  );
  return rowCount === 1;
}

export async function deleteFetchesSettledBefore(db: Queryable, moment: Date): Promise<void> {
  await db.query("delete from fetches where state = 'settled' and settled_at < $1", [moment]);
}

/** The sweeper then enqueues it at its next turn. */
export async function markNotEnqueued(db: Queryable, id: string): Promise<void> {
  await db.query("update fetches set enqueued_at = null where id = $1 and state = 'pending'", [id]);
}

/** Fetches that are due and were last enqueued before `enqueuedBefore`; several sweepers share them. */
export async function claimStale(
  db: Queryable,
  { now, enqueuedBefore, limit }: { now: Date; enqueuedBefore: Date; limit: number },
): Promise<Fetch[]> {
  const { rows } = await db.query<Fetch & Record<string, unknown>>(
    `update fetches set enqueued_at = $1 where id in (
       select id from fetches where state = 'pending' and next_try_at <= $1 and (enqueued_at is null or enqueued_at < $2)
       order by next_try_at limit $3 for update skip locked)
     returning ${columns}`,
    [now, enqueuedBefore, limit],
  );
  return rows;
}

/** How long fetches of this kind usually take, in milliseconds; undefined before the first one. */
export async function findUsualDuration(
  db: Queryable,
  { provider, mode, resource }: Pick<Fetch, "provider" | "mode" | "resource">,
): Promise<number | undefined> {
  const { rows } = await db.query<{ mean_ms: number }>(
    "select mean_ms from fetch_durations where provider = $1 and mode = $2 and resource = $3",
    [provider, mode, resource],
  );
  return rows[0]?.mean_ms;
}

/** A moving mean in which the newest fetch counts a fifth. */
export async function recordDuration(
  db: Queryable,
  { provider, mode, resource }: Pick<Fetch, "provider" | "mode" | "resource">,
  ms: number,
): Promise<void> {
  await db.query(
    `insert into fetch_durations as d (provider, mode, resource, mean_ms) values ($1, $2, $3, $4)
     on conflict (provider, mode, resource) do update set mean_ms = d.mean_ms * 0.8 + excluded.mean_ms * 0.2`,
    [provider, mode, resource, ms],
  );
}

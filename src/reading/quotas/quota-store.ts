import {
  deleteInBatches,
  deleteOld,
  queryRow,
  queryRows,
  type Queryable,
} from "../../platform/db/index.ts";

/** One limit that a request draws on. */
export interface Draw {
  key: string;
  windows: readonly Window[];
  /** The most requests at once; undefined without such a limit. */
  atOnce: number | undefined;
}

export interface Window {
  seconds: number;
  most: number;
}

/** A window is counted in slots, so that a request leaves it at most a sixtieth too late, and never too early. */
export const slotsPerWindow = 60;

/** Until the transaction ends, nobody else draws on these limits. The keys are in order. */
export async function lockKeys(tx: Queryable, keys: readonly string[]): Promise<void> {
  await tx.query(
    "select pg_advisory_xact_lock(hashtext('quota ' || key)) from unnest($1::text[]) with ordinality as k (key, n) order by n",
    [keys],
  );
}

export interface Count {
  key: string;
  windowSeconds: number;
  slot: number;
  requests: number;
  /** How many of them are of small reads. */
  small: number;
}

export async function findCounts(tx: Queryable, keys: readonly string[]): Promise<Count[]> {
  return await queryRows<Count>(
    tx,
    `select key, window_seconds as "windowSeconds", slot::float8 as slot, requests, small from quota_counts
     where key = any($1) order by slot`,
    [keys],
  );
}

/** The time in seconds, and for how many seconds a pause still lasts; null without a pause. */
export async function findPause(
  tx: Queryable,
  keys: readonly string[],
): Promise<{ now: number; seconds: number | null }> {
  const row = await queryRow<{ now: number; seconds: number | null }>(
    tx,
    `select extract(epoch from service_now())::float8 as now,
       extract(epoch from max(until) - service_now())::float8 as seconds from quota_pauses where key = any($1)`,
    [keys],
  );
  if (!row) throw new Error("the database did not say what time it is");
  return row;
}

export async function countPlaces(
  tx: Queryable,
  keys: readonly string[],
): Promise<Map<string, number>> {
  await tx.query("delete from quota_places where key = any($1) and until <= service_now()", [keys]);
  const rows = await queryRows<{ key: string; taken: number }>(
    tx,
    "select key, count(*)::integer as taken from quota_places where key = any($1) group by key",
    [keys],
  );
  return new Map(rows.map(({ key, taken }) => [key, taken]));
}

/** Counts one request in each of these slots, and forgets the slots that no window has any more. */
export async function addToSlots(
  tx: Queryable,
  slots: readonly { key: string; windowSeconds: number; slot: number }[],
  isSmall: boolean,
): Promise<void> {
  const columns = [
    slots.map(({ key }) => key),
    slots.map(({ windowSeconds }) => windowSeconds),
    slots.map(({ slot }) => slot),
  ];
  await tx.query(
    `insert into quota_counts as c (key, window_seconds, slot, requests, small)
     select key, seconds, slot, 1, $4 from unnest($1::text[], $2::integer[], $3::bigint[]) as s (key, seconds, slot)
     on conflict (key, window_seconds, slot) do update
       set requests = c.requests + 1, small = c.small + excluded.small`,
    [...columns, isSmall ? 1 : 0],
  );
  await tx.query(
    `delete from quota_counts c using unnest($1::text[], $2::integer[], $3::bigint[]) as s (key, seconds, slot)
     where c.key = s.key and c.window_seconds = s.seconds and c.slot < s.slot - ${slotsPerWindow}`,
    columns,
  );
}

export async function insertPlaces(
  tx: Queryable,
  places: readonly { id: string; key: string }[],
  longestSeconds: number,
): Promise<void> {
  await tx.query(
    `insert into quota_places (id, key, until)
     select id, key, service_now() + make_interval(secs => $3) from unnest($1::uuid[], $2::text[]) as p (id, key)`,
    [places.map(({ id }) => id), places.map(({ key }) => key), longestSeconds],
  );
}

export async function deletePlaces(db: Queryable, ids: readonly string[]): Promise<void> {
  await db.query("delete from quota_places where id = any($1::uuid[])", [ids]);
}

/** A request that waits for one of its limits. */
export interface Waiting {
  id: string;
  key: string;
  isSmall: boolean;
  /** How many of small reads were admitted before it. */
  passed: number;
}

export async function findWaiting(tx: Queryable, keys: readonly string[]): Promise<Waiting[]> {
  return await queryRows<Waiting>(
    tx,
    `select id, key, is_small as "isSmall", passed from quota_waits
     where key = any($1) and until > service_now()`,
    [keys],
  );
}

/** The request waits for these limits, and for no other one. */
export async function saveWaiting(
  tx: Queryable,
  { id, isSmall }: Pick<Waiting, "id" | "isSmall">,
  { keys, seconds }: { keys: readonly string[]; seconds: number },
): Promise<void> {
  await tx.query("delete from quota_waits where id = $1 and key <> all($2)", [id, keys]);
  await tx.query(
    `insert into quota_waits (id, key, is_small, until)
     select $1, key, $2, service_now() + make_interval(secs => $4) from unnest($3::text[]) as k (key)
     on conflict (key, id) do update set until = excluded.until`,
    [id, isSmall, keys, seconds],
  );
}

export async function deleteWaiting(db: Queryable, id: string): Promise<void> {
  await db.query("delete from quota_waits where id = $1", [id]);
}

/** Those of large reads that wait were passed by one more, or have had their turn. */
export async function notePassed(
  tx: Queryable,
  keys: readonly string[],
  isSmall: boolean,
): Promise<void> {
  await tx.query(
    `update quota_waits set passed = case when $2 then passed + 1 else 0 end
     where key = any($1) and not is_small`,
    [keys, isSmall],
  );
}

/** A pause never gets shorter. */
export async function pauseFor(
  db: Queryable,
  keys: readonly string[],
  seconds: number,
): Promise<void> {
  await db.query(
    `insert into quota_pauses as p (key, until, refusals)
     select key, service_now() + make_interval(secs => $2), 0 from unnest($1::text[]) as k (key)
     on conflict (key) do update set until = greatest(p.until, excluded.until), refusals = 0`,
    [keys, seconds],
  );
}

/**
 * A pause for a refusal that does not say how long to wait: twice as long as the one before it, from a second to five
 * minutes. Refusals during a pause are of the same wave and count once. An hour without one begins anew.
 */
export async function pauseForRefusal(db: Queryable, keys: readonly string[]): Promise<void> {
  await db.query(
    `insert into quota_pauses as p (key, until, refusals)
     select key, service_now() + interval '1 second', 1 from unnest($1::text[]) as k (key)
     on conflict (key) do update set
       refusals = case when p.until < service_now() - interval '1 hour' then 1 else p.refusals + 1 end,
       until = service_now() + make_interval(secs => case when p.until < service_now() - interval '1 hour' then 1
         else least(300, 2 ^ least(p.refusals, 9)) end)
     where p.until <= service_now()`,
    [keys],
  );
}

/** Deletes what no longer counts. */
export async function removeOldCounts(db: Queryable, signal?: AbortSignal): Promise<void> {
  await deleteInBatches(async (limit) => {
    const { rowCount } = await db.query(
      `delete from quota_counts where ctid in (
         select ctid from quota_counts where (slot + ${slotsPerWindow + 1}) * window_seconds
           < (extract(epoch from service_now()) * ${slotsPerWindow})::bigint limit $1 for update skip locked)`,
      [limit],
    );
    return rowCount ?? 0;
  }, signal);
  const pauses = { table: "quota_pauses", key: "key", since: "until", keptSeconds: 24 * 3_600 };
  await deleteOld(db, pauses, signal);
  await deleteOld(db, { table: "quota_waits", key: "ctid", since: "until" }, signal);
  await deleteOld(db, { table: "quota_places", key: "id", since: "until" }, signal);
}

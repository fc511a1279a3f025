import { deleteOld, queryRow, queryRows, type Queryable } from "../platform/db/index.ts";

const hourSeconds = 3_600;
const knownSeconds = 90 * 24 * 60 * 60;
/** People mistype: this many refusals do not slow the next attempt. */
const freeRefusals = 3;
const maxPauseSeconds = 60;

/** An attempt that was counted at its source. The next one has to wait until then. Times are RFC 3339. */
export interface CountedAtSource {
  source: string;
  until: string;
}

/** An attempt that was counted in an hour, at this time. */
export interface CountedInHour {
  hour: string;
  at: string;
}

/** Counts an attempt of a source. When the source has to wait, returns for how many seconds, and counts nothing. */
export async function countAtSource(
  db: Queryable,
  source: string,
): Promise<CountedAtSource | { afterSeconds: number }> {
  const counted = await queryRow<{ until: Date }>(
    db,
    `insert into sign_in_throttle as t (digest, refusals, next_attempt_at, forget_at)
     values ($1, 1, service_now(), service_now() + make_interval(secs => $2))
     on conflict (digest) do update
       set refusals = case when t.forget_at <= service_now() then 1 else t.refusals + 1 end,
           forget_at = excluded.forget_at,
           next_attempt_at = service_now() + make_interval(secs => case
             when t.forget_at <= service_now() or t.refusals + 1 <= $3 then 0
             else least($4, power(2, least(t.refusals + 1 - $3, 16)))
           end)
       where t.next_attempt_at <= service_now()
     returning next_attempt_at as until`,
    [bytesOf(source), hourSeconds, freeRefusals, maxPauseSeconds],
  );
  if (counted) return { source, until: counted.until.toISOString() };
  const row = await queryRow<{ seconds: number }>(
    db,
    `select extract(epoch from next_attempt_at - service_now())::float8 as seconds from sign_in_throttle
     where digest = $1`,
    [bytesOf(source)],
  );
  return { afterSeconds: Math.max(0, row?.seconds ?? 0) };
}

/** Ends the pause after the attempt, but not that of a later one. */
export async function uncountAtSource(
  db: Queryable,
  { source, until }: CountedAtSource,
): Promise<void> {
  await db.query(
    `update sign_in_throttle set refusals = refusals - 1,
       next_attempt_at = case when next_attempt_at = $2 then service_now() else next_attempt_at end
     where digest = $1 and refusals > 0`,
    [bytesOf(source), until],
  );
}

export async function forgetSources(db: Queryable, sources: readonly string[]): Promise<void> {
  await db.query("delete from sign_in_throttle where digest = any($1::bytea[])", [
    sources.map(bytesOf),
  ]);
}

/**
 * Counts an attempt among those of the last hour, unless they are `most` already. Returns how many there are with it;
 * undefined when there is no room. However many processes count at once, no hour has more.
 */
export async function countInHour(
  db: Queryable,
  hour: string,
  most: number,
): Promise<(CountedInHour & { attempts: number }) | undefined> {
  const row = await queryRow<{ at: Date; attempts: number }>(
    db,
    `insert into sign_in_hours as h (digest, attempts, forget_at)
     values ($1, array[service_now()], service_now() + make_interval(secs => $2))
     on conflict (digest) do update
       set attempts = ${attemptsOfHour} || service_now(), forget_at = greatest(h.forget_at, excluded.forget_at)
       where cardinality(${attemptsOfHour}) < $3
     returning attempts[cardinality(attempts)] as at, cardinality(attempts) as attempts`,
    [bytesOf(hour), hourSeconds, most],
  );
  return row && { hour, at: row.at.toISOString(), attempts: row.attempts };
}

const attemptsOfHour = `array(
  select at from unnest(h.attempts) as at where at > service_now() - make_interval(secs => $2))`;

/** Takes back one of the attempts that were counted at this time, in each of the hours. */
export async function uncountInHours(
  db: Queryable,
  counted: readonly CountedInHour[] = [],
): Promise<void> {
  for (const { hour, at } of counted)
    await db.query(
      `update sign_in_hours
       set attempts = attempts[:array_position(attempts, $2::timestamptz) - 1] || attempts[array_position(attempts, $2::timestamptz) + 1:]
       where digest = $1 and $2::timestamptz = any(attempts)`,
      [bytesOf(hour), at],
    );
}

/** True once an hour: the caller is the one that tells the operator. */
export async function noteTold(db: Queryable, hour: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `update sign_in_hours
     set told_at = service_now(), forget_at = greatest(forget_at, service_now() + make_interval(secs => $2))
     where digest = $1 and (told_at is null or told_at <= service_now() - make_interval(secs => $2))`,
    [bytesOf(hour), hourSeconds],
  );
  return rowCount === 1;
}

/** Which of the sources have signed in to the account within 90 days. */
export async function findKnownSources(
  db: Queryable,
  sources: readonly string[],
): Promise<Set<string>> {
  const rows = await queryRows<{ digest: Buffer }>(
    db,
    "select digest from known_sources where digest = any($1::bytea[]) and forget_at > service_now()",
    [sources.map(bytesOf)],
  );
  return new Set(rows.map(({ digest }) => digest.toString("base64url")));
}

export async function rememberSources(db: Queryable, sources: readonly string[]): Promise<void> {
  await db.query(
    `insert into known_sources (digest, forget_at)
     select digest, service_now() + make_interval(secs => $2) from unnest($1::bytea[]) as digest
     on conflict (digest) do update set forget_at = excluded.forget_at`,
    [sources.toSorted().map(bytesOf), knownSeconds],
  );
}

/** Uses the indexes on forget_at. */
export async function removeForgotten(
  db: Queryable,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const table of ["sign_in_throttle", "sign_in_hours", "known_sources"])
    await deleteOld(db, { table, key: "digest", since: "forget_at" }, signal);
}

function bytesOf(digest: string): Buffer {
  return Buffer.from(digest, "base64url");
}

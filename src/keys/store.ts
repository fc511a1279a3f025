import type { Sealed } from "../platform/crypto/index.ts";
import { queryRow, queryRows, type Queryable } from "../platform/db/index.ts";

export interface KnownKey {
  id: string;
  canary: Buffer;
  addedAt: Date;
  /** Null for a key that has never been the active one: nothing was sealed under it. */
  activatedAt: Date | null;
  retiredAt: Date | null;
}

/** A process that has told lately that it runs. */
export interface RunningProcess {
  role: string;
  keyIds: string[];
  activeKey: string;
  /** Null for a process of an earlier version. */
  version: string | null;
  startedAt: Date | null;
  schedules: readonly ScheduleReport[];
}

/** Work that a process repeats, and when it last succeeded there. */
export interface ScheduleReport {
  schedule: string;
  everySeconds: number;
  /** ISO 8601; null before the first time. */
  succeededAt: string | null;
}

const keyColumns = `id, canary, added_at as "addedAt", activated_at as "activatedAt", retired_at as "retiredAt"`;

export async function listKeys(db: Queryable): Promise<KnownKey[]> {
  return await queryRows<KnownKey>(
    db,
    `select ${keyColumns} from master_keys order by added_at, id`,
  );
}

/** Nothing can be sealed under the key until the transaction ends. */
export async function lockKey(tx: Queryable, id: string): Promise<KnownKey | undefined> {
  return await queryRow<KnownKey>(
    tx,
    `select ${keyColumns} from master_keys where id = $1 for update`,
    [id],
  );
}

export async function insertKey(
  tx: Queryable,
  { id, canary, addedAt, activatedAt }: Omit<KnownKey, "retiredAt">,
): Promise<void> {
  await tx.query(
    "insert into master_keys (id, canary, added_at, activated_at) values ($1, $2, $3, $4)",
    [id, canary, addedAt, activatedAt],
  );
}

export async function setActivated(tx: Queryable, id: string, at: Date): Promise<void> {
  await tx.query("update master_keys set activated_at = $2 where id = $1", [id, at]);
}

export async function setRetired(tx: Queryable, id: string, at: Date): Promise<void> {
  await tx.query("update master_keys set retired_at = $2 where id = $1", [id, at]);
}

/** The subkeys for digests of accounts that are kept of keys, and what each is sealed under. */
export async function listKeptAccountKeys(db: Queryable): Promise<(Sealed & { id: string })[]> {
  return await queryRows(
    db,
    `select id, kept_under as "keyId", kept_account_key as bytes from master_keys where kept_under is not null`,
  );
}

/** Stores that the process runs, and returns which of its keys are retired. */
export async function renewProcess(
  db: Queryable,
  { id, role, keyIds, activeKey, version, startedAt, schedules }: RunningProcess & { id: string },
  { forgottenSeconds, clockAheadSeconds }: { forgottenSeconds: number; clockAheadSeconds: number },
): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    db,
    `with mine as (
       insert into running_processes (id, role, key_ids, active_key, seen_at, version, started_at, schedules, signs_audit,
         clock_ahead_seconds)
       values ($1, $2, $3, $4, service_now(), $6, $7, $8, true, $9)
       on conflict (id) do update set key_ids = excluded.key_ids, seen_at = excluded.seen_at,
         schedules = excluded.schedules, clock_ahead_seconds = excluded.clock_ahead_seconds),
     ended as (delete from running_processes where seen_at < service_now() - make_interval(secs => $5))
     select id from master_keys where retired_at is not null and id = any($3)`,
    [
      id,
      role,
      keyIds,
      activeKey,
      forgottenSeconds,
      version,
      startedAt,
      JSON.stringify(schedules),
      clockAheadSeconds,
    ],
  );
  return rows.map((row) => row.id);
}

export async function deleteProcess(db: Queryable, id: string): Promise<void> {
  await db.query("delete from running_processes where id = $1", [id]);
}

/** A process as the database has it. */
export interface ListedProcess extends RunningProcess {
  /** That of its log line "started". */
  id: string;
  seenAt: Date;
  /** Negative for a clock that is behind the database's. Null for a process of an earlier version. */
  clockAheadSeconds: number | null;
}

const listedColumns = `id, role, key_ids as "keyIds", active_key as "activeKey", version, started_at as "startedAt",
  schedules, seen_at as "seenAt", clock_ahead_seconds as "clockAheadSeconds"`;

export async function listProcesses(db: Queryable, seenSeconds: number): Promise<ListedProcess[]> {
  return await queryRows<ListedProcess>(
    db,
    `select ${listedColumns} from running_processes
     where seen_at > service_now() - make_interval(secs => $1) order by role, id`,
    [seenSeconds],
  );
}

/** Those that ran when a process told last, up to so many seconds before. */
export async function listLastProcesses(
  db: Queryable,
  seenSeconds: number,
): Promise<ListedProcess[]> {
  return await queryRows<ListedProcess>(
    db,
    `select ${listedColumns} from running_processes
     where seen_at > (select max(seen_at) from running_processes) - make_interval(secs => $1) order by role, id`,
    [seenSeconds],
  );
}

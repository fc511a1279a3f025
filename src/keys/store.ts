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
  { now, forgetBefore }: { now: Date; forgetBefore: Date },
): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    db,
    `with mine as (
       insert into running_processes (id, role, key_ids, active_key, seen_at, version, started_at, schedules, signs_audit)
       values ($1, $2, $3, $4, $5, $7, $8, $9, true)
       on conflict (id) do update set key_ids = excluded.key_ids, seen_at = excluded.seen_at,
         schedules = excluded.schedules),
     ended as (delete from running_processes where seen_at < $6)
     select id from master_keys where retired_at is not null and id = any($3)`,
    [id, role, keyIds, activeKey, now, forgetBefore, version, startedAt, JSON.stringify(schedules)],
  );
  return rows.map((row) => row.id);
}

export async function deleteProcess(db: Queryable, id: string): Promise<void> {
  await db.query("delete from running_processes where id = $1", [id]);
}

export async function listProcesses(
  db: Queryable,
  seenAfter: Date,
): Promise<(RunningProcess & { seenAt: Date })[]> {
  return await queryRows<RunningProcess & { seenAt: Date }>(
    db,
    `select role, key_ids as "keyIds", active_key as "activeKey", version, started_at as "startedAt", schedules,
       seen_at as "seenAt" from running_processes
     where seen_at > $1 order by role, id`,
    [seenAfter],
  );
}

/** When a process told last that it runs. */
export async function findNewestSign(db: Queryable): Promise<Date | undefined> {
  const row = await queryRow<{ seenAt: Date | null }>(
    db,
    `select max(seen_at) as "seenAt" from running_processes`,
  );
  return row?.seenAt ?? undefined;
}

/** Whether a process of an earlier version, whose audit entries have no MAC, has told lately that it runs. */
export async function hasUnsigningProcess(db: Queryable, seenAfter: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    "select 1 from running_processes where seen_at > $1 and not signs_audit limit 1",
    [seenAfter],
  );
  return rowCount === 1;
}

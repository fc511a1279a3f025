import { queryRow, queryRows, type Queryable } from "../platform/db/index.ts";
import type { Read } from "./read.ts";

interface Kept {
  sealedCursor: Buffer | null;
  basis: string;
  parts: Buffer[];
}

/** What keeping pages changes of a read. */
export type AfterKeeping = Pick<Read, "tries" | "waits" | "keptPages" | "retrySince">;

export async function findKept(db: Queryable, { id }: Pick<Read, "id">): Promise<Kept | undefined> {
  const row = await queryRow<Omit<Kept, "parts">>(
    db,
    `select sealed_cursor as "sealedCursor", kept_basis as basis from reads where id = $1`,
    [id],
  );
  const parts = await queryRows<{ sealed: Buffer }>(
    db,
    "select sealed_records as sealed from read_parts where read_id = $1 order by part",
    [id],
  );
  return row && { ...row, parts: parts.map(({ sealed }) => sealed) };
}

/**
 * Adds a part: the tries and the waits begin anew, and the time for them. Returns what the read has of them then;
 * undefined when the lease has ended.
 */
export async function appendKept(
  tx: Queryable,
  { id, run }: Pick<Read, "id" | "run">,
  kept: { sealedCursor: Buffer; sealedRecords: Buffer; pages: number; basis: string },
): Promise<AfterKeeping | undefined> {
  const row = await queryRow<AfterKeeping>(
    tx,
    `update reads set sealed_cursor = $3, kept_basis = $4, kept_pages = kept_pages + $5, waits = 0, tries = 0,
       retry_since = service_now()
     where id = $1 and run = $2 and state = 'pending' and lease_until is not null
     returning tries, waits, kept_pages as "keptPages", retry_since as "retrySince"`,
    [id, run, kept.sealedCursor, kept.basis, kept.pages],
  );
  if (!row) return undefined;
  await tx.query(
    `insert into read_parts (read_id, part, sealed_records)
     values ($1, (select coalesce(max(part), 0) + 1 from read_parts where read_id = $1), $2)`,
    [id, kept.sealedRecords],
  );
  return row;
}

/** Does nothing when the lease has ended. */
export async function dropKept(
  db: Queryable,
  { id, run }: Pick<Read, "id" | "run">,
): Promise<void> {
  await db.query(
    `with mine as (
       update reads set sealed_cursor = null, kept_pages = 0 where id = $1 and run = $2 returning id
     )
     delete from read_parts p using mine where p.read_id = mine.id`,
    [id, run],
  );
}

import { z } from "zod";
import type { Connection } from "../connections/index.ts";
import { sealedBytes, sealedJson } from "../platform/crypto/index.ts";
import {
  queryRow,
  queryRows,
  transaction,
  type Pool,
  type Queryable,
} from "../platform/db/index.ts";
import type { KeptPages } from "./call-services.ts";
import type { Read } from "./read.ts";
import type { KeptReading } from "./records/read-whole.ts";
import { longestReadSeconds } from "./retry-policy.ts";
import { RunOvertaken } from "./run-session.ts";

const owner = ["connectionId", "readId"] as const;
const cursor = z.record(z.string(), z.unknown());
const sealedRecords = sealedBytes({ name: "read-records", owner });
const sealedCursor = sealedJson({
  name: "read-cursor",
  owner,
  schema: z.object({ cursor, since: cursor.optional(), limited: z.array(z.string()) }),
});

/**
 * What the earlier runs of a read kept. Undefined for a first run, and when the code, the sign-in or what the person
 * chose is another one now, or no worker went on with it for longer than a read may take: then the read begins anew.
 * `onChanged` hears what that changes of it.
 */
export async function openKeptPages(
  pool: Pool,
  read: Read,
  connection: Connection,
  { codeDigest, onChanged }: { codeDigest: string; onChanged: (changed: ChangeOfPages) => void },
): Promise<KeptReading | undefined> {
  if (read.keptPages === 0) return undefined;
  const kept = await findKept(pool, read);
  if (!kept?.sealedCursor || kept.isTooOld || kept.basis !== basisOf(connection, codeDigest)) {
    const changed = await dropKept(pool, read, { isTooOld: kept?.isTooOld ?? false });
    if (changed) onChanged(changed);
    return undefined;
  }
  const { dataKey } = connection;
  const own = { connectionId: read.connectionId, readId: read.id };
  return {
    ...sealedCursor.open(dataKey, own, kept.sealedCursor),
    parts: kept.parts.map((part) => sealedRecords.open(dataKey, own, part)),
    pages: read.keptPages,
  };
}

/** Keeps more pages for the next run. Returns what changes of the read. Throws RunOvertaken when the lease has ended. */
export async function keepPages(
  pool: Pool,
  read: Read,
  connection: Connection,
  { codeDigest, pages }: { codeDigest: string; pages: KeptPages },
): Promise<ChangeOfPages> {
  const { dataKey } = connection;
  const own = { connectionId: read.connectionId, readId: read.id };
  const kept = {
    sealedCursor: sealedCursor.seal(dataKey, own, {
      cursor: { ...pages.cursor },
      since: pages.since && { ...pages.since },
      limited: [...pages.limited],
    }),
    sealedRecords: sealedRecords.seal(dataKey, own, Buffer.from(pages.records)),
    pages: pages.pages,
    basis: basisOf(connection, codeDigest),
  };
  const changed = await transaction(pool, (tx) => appendKept(tx, read, kept));
  if (!changed) throw new RunOvertaken();
  return changed;
}

/** What all pages of a list have in common. The settings can name the person's place, so their MAC tells them apart. */
function basisOf({ signInCount, settings, dataKey }: Connection, codeDigest: string): string {
  const mac = dataKey.mac("digest", "settings of kept pages\n", JSON.stringify(settings));
  return `${codeDigest} ${signInCount} ${mac.toString("base64url")}`;
}

interface Kept {
  sealedCursor: Buffer | null;
  basis: string;
  isTooOld: boolean;
  parts: Buffer[];
}

/** What keeping pages, or dropping them, changes of a read. */
export type ChangeOfPages = Partial<
  Pick<Read, "tries" | "waits" | "keptPages" | "retrySince" | "requestedAt">
>;

async function findKept(db: Queryable, { id }: Pick<Read, "id">): Promise<Kept | undefined> {
  const row = await queryRow<Omit<Kept, "parts">>(
    db,
    `select sealed_cursor as "sealedCursor", kept_basis as basis,
       due_at < service_now() - make_interval(secs => $2) as "isTooOld" from reads where id = $1`,
    [id, longestReadSeconds],
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
async function appendKept(
  tx: Queryable,
  { id, run }: Pick<Read, "id" | "run">,
  kept: { sealedCursor: Buffer; sealedRecords: Buffer; pages: number; basis: string },
): Promise<ChangeOfPages | undefined> {
  const row = await queryRow<ChangeOfPages>(
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

/** The time of a read that is too old counts from now on. Does nothing when the lease has ended. */
async function dropKept(
  db: Queryable,
  { id, run }: Pick<Read, "id" | "run">,
  { isTooOld }: Pick<Kept, "isTooOld">,
): Promise<ChangeOfPages | undefined> {
  return await queryRow(
    db,
    `with mine as (
       update reads set sealed_cursor = null, kept_pages = 0,
         requested_at = case when $3 then service_now() else requested_at end,
         retry_since = case when $3 then service_now() else retry_since end
       where id = $1 and run = $2
       returning id, kept_pages as "keptPages", requested_at as "requestedAt", retry_since as "retrySince"
     ), deleted as (delete from read_parts p using mine where p.read_id = mine.id)
     select "keptPages", "requestedAt", "retrySince" from mine`,
    [id, run, isTooOld],
  );
}

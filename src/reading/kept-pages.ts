import { z } from "zod";
import type { Connection } from "../connections/index.ts";
import { sealedBytes, sealedJson } from "../platform/crypto/index.ts";
import { transaction, type Pool } from "../platform/db/index.ts";
import type { KeptPages } from "./call-services.ts";
import * as store from "./kept-pages-store.ts";
import type { Read } from "./read.ts";
import type { KeptReading } from "./records/read-whole.ts";
import { RunOvertaken } from "./run-overtaken.ts";

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
 * chose is another one now: then the read begins anew.
 */
export async function openKeptPages(
  pool: Pool,
  read: Read,
  connection: Connection,
  codeDigest: string,
): Promise<KeptReading | undefined> {
  if (read.keptPages === 0) return undefined;
  const kept = await store.findKept(pool, read);
  if (!kept?.sealedCursor || kept.basis !== basisOf(connection, codeDigest)) {
    await store.dropKept(pool, read);
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
): Promise<store.AfterKeeping> {
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
  const changed = await transaction(pool, (tx) => store.appendKept(tx, read, kept));
  if (!changed) throw new RunOvertaken();
  return changed;
}

/** What all pages of a list have in common. The settings can name the person's place, so their MAC tells them apart. */
function basisOf({ signInCount, settings, dataKey }: Connection, codeDigest: string): string {
  const mac = dataKey.mac("digest", "settings of kept pages\n", JSON.stringify(settings));
  return `${codeDigest} ${signInCount} ${mac.toString("base64url")}`;
}

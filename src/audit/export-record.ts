import { ConflictingUpdate } from "../model/index.ts";
import type { Pool } from "../platform/db/index.ts";
import type { AuditChain } from "./audit-chain.ts";
import type { Checkpoint } from "./audit-key.ts";
import { listLinked, type LinkedEntry } from "./store.ts";

const batch = 1_000;

/**
 * The record behind a position as lines of JSON, each with its end: linked entries with what proves them, the oldest
 * first, and then a checkpoint. Throws ConflictingUpdate when there is a record whose end somebody else has written.
 */
export async function exportLines(
  { pool, auditChain }: { pool: Pool; auditChain: AuditChain },
  { after = 0, hasEntries = true }: { after?: number; hasEntries?: boolean } = {},
): Promise<AsyncGenerator<string>> {
  const checkpoint = await auditChain.makeCheckpoint();
  if (!checkpoint && (await auditChain.length()) > 0)
    throw new ConflictingUpdate(
      "The end of the audit record was changed in the database by somebody else. Verify the record.",
    );
  const until = hasEntries ? (checkpoint?.position ?? 0) : after;
  return printLines(pool, { after, until, checkpoint });
}

async function* printLines(
  pool: Pool,
  {
    after,
    until,
    checkpoint,
  }: { after: number; until: number; checkpoint: Checkpoint | undefined },
): AsyncGenerator<string> {
  for await (const line of exportRecord(pool, { after, until })) yield `${JSON.stringify(line)}\n`;
  if (checkpoint) yield `${JSON.stringify({ checkpoint })}\n`;
}

/** The linked entries of these positions, with their links. */
async function* exportRecord(
  pool: Pool,
  { after, until }: { after: number; until: number },
): AsyncGenerator<Record<string, unknown>> {
  let position = after;
  while (position < until) {
    const rows = await listLinked(pool, {
      after: position,
      limit: Math.min(batch, until - position),
    });
    const last = rows.at(-1);
    if (!last) return;
    for (const row of rows) if (row.position <= until) yield formatLine(row);
    position = last.position;
  }
}

function formatLine({ position, entryId, chain, entry }: LinkedEntry): Record<string, unknown> {
  const link = { position, chain: chain.toString("hex"), id: entryId };
  if (!entry) return { ...link, is_missing: true };
  const { atMicros, action, clientId, tokenId, connectionId, detail, nonce, mac } = entry;
  return {
    ...link,
    at_micros: atMicros,
    action,
    client_id: clientId,
    token: tokenId,
    connection: connectionId,
    detail,
    nonce: nonce?.toString("hex") ?? null,
    mac: mac?.toString("hex") ?? null,
  };
}

import { SnapshotDestination } from "../../src/sync/index.ts";
import { createReadTable } from "../../src/reading/read-store.ts";
import { runRead } from "../../src/reading/run-read.ts";
import type { Harness } from "./harness.ts";

const bounds = {
  maxBytes: 1_000_000_000,
  maxListBytes: 1_000_000_000,
  maxRecords: 1_000_000,
  maxPageMs: 60_000,
};

/** One run of this connection's read, as a worker makes it. The lease of an earlier run counts as expired. */
export async function runOnce(
  { services }: Harness,
  tokenId: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const { pool } = services;
  await pool.query(
    `update reads set lease_until = null where state = 'pending'
       and connection_id = (select id from connections where token_id = $1)`,
    [tokenId],
  );
  const read = await createReadTable(pool, []).claim();
  if (!read) throw new Error("there is no read to run");
  const dependencies = {
    ...services,
    destination: new SnapshotDestination(services),
    findFieldsOff: (clientId: string) => services.clients.fieldsOff(clientId),
    observers: [],
    wake: async () => undefined,
    bounds,
  };
  await runRead(dependencies, read, {
    signal,
    onProgress: () => undefined,
    onMeasured: () => undefined,
  });
}

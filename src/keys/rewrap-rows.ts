import type { Clock } from "../platform/clock.ts";
import type { Keyring } from "../platform/crypto/index.ts";
import { allowLongStatements, transaction, type Pool } from "../platform/db/index.ts";
import type { KeyedRows } from "../platform/keyed-rows.ts";

export interface Progress {
  table: string;
  rewrapped: number;
}

export interface Rewrapped {
  rewrapped: number;
  byTable: Record<string, number>;
  /** Rows that do not open under the key that they name, as `table id`. */
  unopened: string[];
}

interface RewrapDependencies {
  pool: Pool;
  keyring: Keyring;
  clock: Clock;
  keyedRows: readonly KeyedRows[];
}

const mostAtOnce = 500;
/** Rows that somebody is changing are tried again after this. */
const busyDelayMs = 100;
/** While processes still seal under an earlier key, a round always finds some. */
const mostRounds = 20;

/**
 * Each batch is a transaction that changes the rows which are still as they were read, so a kill leaves whole rows. Of
 * most tables it is one statement at the end; whoever changes a client waits for the batch. A round goes through all
 * tables: a code that is exchanged meanwhile hands its MAC to a token, so there are rounds until one finds nothing.
 */
export async function rewrapRows(
  { pool, keyring, clock, keyedRows }: RewrapDependencies,
  onProgress: (progress: Progress) => void,
): Promise<Rewrapped> {
  const byTable: Record<string, number> = {};
  let unopened = new Set<string>();
  for (let round = 1, left = 1; left > 0 && round <= mostRounds; round += 1) {
    left = 0;
    unopened = new Set();
    for (const { table, rewrap } of keyedRows) {
      let next: string | undefined;
      do {
        const wanted = { after: next, most: mostAtOnce };
        const batch = await transaction(pool, async (tx) =>
          rewrap(await allowLongStatements(tx), keyring, wanted),
        );
        next = batch.next;
        left += batch.rewrapped + batch.busy;
        byTable[table] = (byTable[table] ?? 0) + batch.rewrapped;
        for (const id of batch.unopened) unopened.add(`${table} ${id}`);
        if (batch.rewrapped > 0) onProgress({ table, rewrapped: byTable[table] });
        if (batch.busy > 0) await clock.sleep(busyDelayMs);
      } while (next !== undefined);
    }
  }
  const rewrapped = Object.values(byTable).reduce((sum, rows) => sum + rows, 0);
  return { rewrapped, byTable, unopened: [...unopened] };
}

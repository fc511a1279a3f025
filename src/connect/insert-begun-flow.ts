import { RateLimited } from "../errors.ts";
import { secondsBetween, type Clock } from "../platform/clock.ts";
import type { Keyring } from "../platform/crypto/index.ts";
import { transaction, type Pool } from "../platform/db/index.ts";
import { findTimeOfRoom, insertFlow, type NewFlow } from "./flow-store.ts";

interface InsertBegunFlowDependencies {
  pool: Pool;
  clock: Clock;
  keyring: Keyring;
}

/** An office behind one address has enough of them. Who opens more has to wait until one of them ends. */
const mostOpenFlows = 200;

/** Inserts a flow that a browser has begun. Throws RateLimited when the opener's network has too many open. */
export async function insertBegunFlow(
  { pool, clock, keyring }: InsertBegunFlowDependencies,
  flow: Omit<NewFlow, "openerKey">,
  opener: string,
): Promise<void> {
  const openerKey = keyring.pseudonym(`opener ${opener}`);
  await transaction(
    pool,
    async (tx) => {
      const now = clock.now();
      const roomAt = await findTimeOfRoom(tx, { openerKey, now, mostOpenFlows });
      if (roomAt) throw new RateLimited(secondsBetween(now, roomAt));
      await insertFlow(tx, { ...flow, openerKey });
    },
    { lock: `open flows ${openerKey}` },
  );
}

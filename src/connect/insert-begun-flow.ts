import { RateLimited } from "../model/index.ts";
import type { Keyring } from "../platform/crypto/index.ts";
import { transaction, type Pool } from "../platform/db/index.ts";
import { findWaitForRoom, insertFlow, type NewFlow } from "./flow-store.ts";

interface InsertBegunFlowDependencies {
  pool: Pool;
  keyring: Keyring;
}

/** Enough for an office behind one address. Whoever opens more waits until one of them ends. */
const mostOpenFlows = 200;

/** Inserts a flow that a browser has begun. Throws RateLimited when the opener's network has too many open. */
export async function insertBegunFlow(
  { pool, keyring }: InsertBegunFlowDependencies,
  flow: Omit<NewFlow, "openerKey">,
  opener: string,
): Promise<void> {
  const openerKey = keyring.pseudonym(`opener ${opener}`);
  await transaction(
    pool,
    async (tx) => {
      const waitSeconds = await findWaitForRoom(tx, { openerKey, mostOpenFlows });
      if (waitSeconds !== undefined) throw new RateLimited(waitSeconds);
      await insertFlow(tx, { ...flow, openerKey });
    },
    { lock: `open flows ${openerKey}` },
  );
}

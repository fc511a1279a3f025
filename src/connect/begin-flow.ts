import { RateLimited } from "../errors.ts";
import { secondsBetween } from "../platform/clock.ts";
import { transaction } from "../platform/db/index.ts";
import { createFlow, type CreateFlowDependencies } from "./create-flow.ts";
import type { Flow } from "./flow.ts";
import { findFlow, findTimeOfRoom, insertFlow } from "./flow-store.ts";
import type { OpenedLink } from "./opened-link.ts";

/** An office behind one address has enough of them. Who opens more has to wait until one of them ends. */
const mostOpenFlows = 200;

/**
 * The flow of a client's own link, made by the first form that the browser sends. However often that form comes,
 * there is one. Throws RateLimited when the opener's network has too many open.
 */
export async function beginFlow(
  dependencies: CreateFlowDependencies,
  { flowId, request }: OpenedLink,
  { browser, opener }: { browser: string; opener: string },
): Promise<Flow> {
  const { pool, clock, keyring } = dependencies;
  const openerKey = keyring.pseudonym(`opener ${opener}`);
  const begun = createFlow(dependencies, request, {
    id: flowId,
    origin: { kind: "browser", browser, openerKey },
  });
  await transaction(
    pool,
    async (tx) => {
      const now = clock.now();
      const roomAt = await findTimeOfRoom(tx, { openerKey, now, mostOpenFlows });
      if (roomAt) throw new RateLimited(secondsBetween(now, roomAt));
      await insertFlow(tx, begun);
    },
    { lock: `open flows ${openerKey}` },
  );
  const flow = await findFlow(pool, flowId);
  if (!flow) throw new Error("the flow that was begun is gone");
  return flow;
}

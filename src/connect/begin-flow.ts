import { RateLimited, Unavailable } from "../model/index.ts";
import { queryRow, transaction, type Queryable, type Transaction } from "../platform/db/index.ts";
import { Turns } from "../platform/turns.ts";
import { createFlow, type FlowDraft } from "./create-flow.ts";
import { findFlow, type FlowSource } from "./find-flow.ts";
import type { Flow } from "./flow.ts";
import { insertFlow, type OpenerKeys } from "./flow-store.ts";

/** Whose browser begins a flow: its IPv4 address or the /64 of its IPv6 address, and the /24 or the /48 around it. */
export interface Opener {
  address: string;
  site: string;
}

/**
 * Enough for an office behind one address, and for an organisation with many. Whoever opens more waits until one of them
 * ends, or the oldest of a site.
 */
const mostOpenFlows = { ofAddress: 200, ofSite: 20 * 200 };

/** Those of one site wait here for their lock, and not each with a database client that others need. */
const turns = new Turns({ places: Infinity, placesOfOne: 1 });
const longestTurnMs = 10_000;

/**
 * Makes the flow of a browser at the first form that it sends. However often that form comes, there is one flow. Throws
 * RateLimited when the opener's network has too many open, and Unavailable when it begins more than the database takes.
 */
export async function beginFlow(
  dependencies: FlowSource,
  draft: FlowDraft,
  { address, site }: Opener,
): Promise<Flow> {
  const { pool, keyring } = dependencies;
  const opener = {
    address: keyring.pseudonym(`opener ${address}`),
    site: keyring.pseudonym(`opener's site ${site}`),
  };
  const created = createFlow(dependencies, draft);
  const begin = async (tx: Transaction): Promise<void> => {
    const waitSeconds = await findWaitForRoom(tx, opener, mostOpenFlows);
    if (waitSeconds !== undefined) throw new RateLimited(waitSeconds);
    await insertFlow(tx, { ...created, opener });
  };
  const lock = `open flows ${opener.site}`;
  const giveBack = await takeTurn(opener);
  await transaction(pool, begin, { lock }).finally(giveBack);
  const flow = await findFlow(dependencies, draft.id);
  if (!flow) throw new Error("the flow that was begun is gone");
  return flow;
}

async function takeTurn({ site }: OpenerKeys): Promise<() => void> {
  const signal = AbortSignal.timeout(longestTurnMs);
  return await turns.take({ client: site, signal }).catch(() => {
    throw new Unavailable("Too many sign-ins begin at once.", 1);
  });
}

/**
 * Seconds until an opener may begin another flow; undefined when it may at once. Of its address, the open ones count that
 * did not lead to a connection; of its site, all that were begun since the oldest of those. The indexes
 * connect_flows_opener and connect_flows_opener_site serve this.
 */
async function findWaitForRoom(
  db: Queryable,
  opener: OpenerKeys,
  most: { ofAddress: number; ofSite: number },
): Promise<number | undefined> {
  const row = await queryRow<{ seconds: number | null }>(
    db,
    `select extract(epoch from greatest(
       (${openFlows} and opener_key = $1 order by expires_at desc offset $2 - 1 limit 1),
       (${openFlows} and opener_site_key = $3 and opener_site_number = (
         select max(opener_site_number) from connect_flows where opener_site_key = $3) - $4 + 1 limit 1)
     ) - service_now())::float8 as seconds`,
    [opener.address, most.ofAddress, opener.site, most.ofSite],
  );
  return row?.seconds ?? undefined;
}

const openFlows = `select expires_at from connect_flows where expires_at > service_now() and phase <> 'finished'`;

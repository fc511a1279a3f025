import { transaction, type Pool } from "../platform/db/index.ts";
import type { WebhookDependencies } from "./dependencies.ts";
import {
  lowestId,
  findUnsettled,
  lockResumed,
  saveResumed,
  settleCleared,
  type Endpoint,
  type UnsettledEndpoint,
} from "./endpoint-store.ts";
import { deleteCleared, resumeSome } from "./pending-store.ts";

type SettleDependencies = Pick<WebhookDependencies, "pool" | "clock" | "log">;

/** The schedule is not late when all turns take this long. */
const longestMs = 45_000;

interface Unsettled extends UnsettledEndpoint {
  /** What was to be dropped up to this delivery is gone. */
  droppedTo: string;
}

/**
 * What was pending when an address was removed is dropped, and what is pending for one that was set or resumed gets it:
 * a few deliveries of each client in turn, which are committed before the next. So they can be millions, and neither
 * other clients nor new events wait for them, nor a process that stops. Several workers share them, and the next turn
 * goes on where one was left.
 */
export async function settlePending(
  { pool, clock, log }: SettleDependencies,
  signal?: AbortSignal,
): Promise<void> {
  const endMs = clock.elapsedMs() + longestMs;
  let left = await findAll(pool);
  while (left.length > 0) {
    const unsettled: Unsettled[] = [];
    for (const endpoint of left) {
      if (signal?.aborted === true || clock.elapsedMs() >= endMs) return;
      const { kind, clientId } = endpoint;
      const next = await settleSome(pool, endpoint).catch((error: unknown) => {
        log.error({ err: error, clientId, kind }, "what is pending does not yet have its address");
      });
      if (next) unsettled.push(next);
    }
    left = unsettled;
  }
}

async function findAll(pool: Pool): Promise<Unsettled[]> {
  const found = [
    ...(await findUnsettled(pool, "employees")),
    ...(await findUnsettled(pool, "events")),
  ];
  return found.map((endpoint) => ({ ...endpoint, droppedTo: lowestId }));
}

/** Undefined when this turn has nothing more to do. What was held meanwhile is dropped by the next one. */
async function settleSome(pool: Pool, endpoint: Unsettled): Promise<Unsettled | undefined> {
  const { clientId, hasCleared, droppedTo } = endpoint;
  if (!hasCleared) return (await resumeNext(pool, endpoint)) ? endpoint : undefined;
  const after = await deleteCleared(pool, clientId, droppedTo);
  if (after !== undefined) return { ...endpoint, droppedTo: after };
  return (await settleCleared(pool, clientId)) ? { ...endpoint, hasCleared: false } : undefined;
}

/** False when all have the address, when it was stopped or changed meanwhile, and when the next one is held. */
async function resumeNext(
  pool: Pool,
  endpoint: Pick<Endpoint, "kind" | "clientId">,
): Promise<boolean> {
  return await transaction(pool, async (tx) => {
    const after = await lockResumed(tx, endpoint);
    if (after === undefined) return false;
    const last = await resumeSome(tx, endpoint, after);
    await saveResumed(tx, endpoint, last ?? null);
    return last !== undefined && last !== after;
  });
}

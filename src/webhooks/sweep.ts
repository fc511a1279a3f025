import type { ConnectionId } from "../model/index.ts";
import { deleteInBatches, deleteOld } from "../platform/db/index.ts";
import { cleanStored } from "./clean-stored.ts";
import type { WebhookDependencies } from "./dependencies.ts";
import { enqueueDelivery } from "./enqueue-delivery.ts";
import { releaseForgotten } from "./event-delivery-store.ts";
import { firstPlaces, type Places } from "./looks.ts";
import { deliverPendingChanges } from "./make-delivery.ts";
import { claimStalePolls } from "./poll-store.ts";
import { runPoll } from "./run-poll.ts";
import { deleteOldStates, findWithoutDelivery } from "./state-store.ts";

const lookedAtOnce = 1_000;
/** Of bodies and of events each. The next sweep goes on where this one ends. */
const looksOfSweep = 10;
/** Few, because those that are still claimed when a sweep ends wait until they are stale again. */
const pollsClaimed = { clients: 4, ofEach: 12 };
const atOnce = 8;
const staleSeconds = 60;
/** The schedule of the sweeps is not late when all take this long. */
const longestSweepMs = 45_000;
const deliveriesKeptSeconds = 14 * 24 * 3600;
/** As long as events are kept: there is nothing to send of one that is gone. */
const pendingEventsKeptSeconds = 30 * 24 * 3600;
const statesKeptSeconds = 90 * 24 * 3600;

/** One sweep: until when it goes on, where its looks begin, and what failed in it. */
interface Sweep {
  isOver(): boolean;
  places: Places;
  failures: unknown[];
}

/**
 * Makes the bodies that a killed worker did not make, runs stale polls, and removes what clients have switched off. When
 * the time is over or the signal fires, the rest is left to the next sweep. What clients have switched off has the whole
 * time: it has to go however many polls are stale. A failure of one part or for one connection does not stop the others;
 * the sweep throws it at its end.
 */
export async function sweepWebhooks(
  dependencies: WebhookDependencies,
  { signal, places = firstPlaces() }: { signal?: AbortSignal | undefined; places?: Places } = {},
): Promise<void> {
  const { clock } = dependencies;
  const endMs = clock.elapsedMs() + longestSweepMs;
  const failures: unknown[] = [];
  const isOver = (): boolean => signal?.aborted === true || clock.elapsedMs() >= endMs;
  const sweep = { isOver, places, failures };
  const attempt = async (part: (...of: [WebhookDependencies, Sweep]) => Promise<void>) =>
    void (await part(dependencies, sweep).catch((error: unknown) => failures.push(error)));
  const sweepInOrder = async (): Promise<void> => {
    for (const part of [sweepBodies, sweepPolls, sweepEvents]) await attempt(part);
  };
  await Promise.all([sweepInOrder(), attempt(cleanStored)]);
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} connections could not be swept`);
}

async function sweepBodies(dependencies: WebhookDependencies, sweep: Sweep): Promise<void> {
  await lookOn(sweep, "bodies", async (after) => {
    const looked = { after, limit: lookedAtOnce };
    const { ids, next } = await findWithoutDelivery(dependencies.pool, looked);
    await forEach(sweep, ids, (connectionId) => deliverPendingChanges(dependencies, connectionId));
    return next;
  });
}

async function sweepEvents({ pool, queue }: WebhookDependencies, sweep: Sweep): Promise<void> {
  await lookOn(sweep, "events", async (after) => {
    const { ids, next } = await releaseForgotten(pool, { after, limit: lookedAtOnce });
    for (const id of ids) await enqueueDelivery(queue, { id });
    return next;
  });
}

/** Looks at a few parts, from the place of the last sweep to the end. */
async function lookOn(
  { isOver, places }: Sweep,
  what: "bodies" | "events",
  look: (after: string) => Promise<string | undefined>,
): Promise<void> {
  for (let looks = 0; looks < looksOfSweep && !isOver(); looks += 1) {
    const next = await look(places[what]);
    if (isOver()) return;
    places[what] = next ?? firstPlaces()[what];
    if (next === undefined) return;
  }
}

/** Clients take turns, as long as one of them has a stale poll. */
async function sweepPolls(dependencies: WebhookDependencies, sweep: Sweep): Promise<void> {
  const { isOver, places } = sweep;
  let isAnyStale = true;
  while (!isOver()) {
    if (places.polls === firstPlaces().polls) isAnyStale = false;
    const wanted = { after: places.polls, staleSeconds, ...pollsClaimed };
    const { ids, next } = await claimStalePolls(dependencies.pool, wanted);
    places.polls = next ?? firstPlaces().polls;
    isAnyStale ||= ids.length > 0;
    await forEach(sweep, ids, (connectionId) => runPoll(dependencies, connectionId));
    if (next === undefined && !isAnyStale) return;
  }
}

/** Does the work for some connections at once. */
async function forEach(
  { isOver, failures }: Sweep,
  connectionIds: readonly ConnectionId[],
  work: (connectionId: ConnectionId) => Promise<void>,
): Promise<void> {
  const waiting = connectionIds.values();
  const workOn = async (): Promise<void> => {
    for (const connectionId of waiting) {
      if (isOver()) return;
      await work(connectionId).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, workOn));
}

/**
 * Deletes bodies two weeks after they were settled, those that wait with their events, and states of connections not
 * polled for ninety days.
 */
export async function removeOld(
  { pool }: Pick<WebhookDependencies, "pool">,
  signal?: AbortSignal,
): Promise<void> {
  const deliveries = { table: "deliveries", key: "id" };
  const settled = { since: "settled_at", keptSeconds: deliveriesKeptSeconds };
  await deleteOld(pool, { ...deliveries, ...settled }, signal);
  const pending = {
    since: "created_at",
    where: "status = 'pending' and subject is not null",
    keptSeconds: pendingEventsKeptSeconds,
  };
  await deleteOld(pool, { ...deliveries, ...pending }, signal);
  await deleteInBatches((limit) => deleteOldStates(pool, statesKeptSeconds, limit), signal);
}

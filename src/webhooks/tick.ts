import type { Clients } from "../clients/index.ts";
import type { Connections } from "../connections/index.ts";
import type { Clock } from "../platform/clock.ts";
import { transaction, type Pool, type Transaction } from "../platform/db/index.ts";
import type { JobQueue } from "../platform/queue/index.ts";
import * as deliveries from "./delivery-store.ts";
import { deleteWatches, owePolls, type OwedPoll } from "./watch-store.ts";

export interface TickDependencies {
  pool: Pool;
  clock: Clock;
  queue: JobQueue;
  clients: Clients;
  connections: Connections;
}

const batch = 500;

/** A queue for each provider, so that one that is slow or down holds up nobody else. */
export function pollQueue(provider: string): string {
  return `poll-${provider}`;
}

/** Claims the polls that are due and enqueues them. Any number of schedulers may do it at once: each poll is claimed once in its slot. */
export async function schedulePolls(dependencies: TickDependencies): Promise<number> {
  await applyWebhookChanges(dependencies);
  let total = 0;
  for (;;) {
    const taken = await takeDuePolls(dependencies);
    total += taken;
    if (taken < batch) return total;
  }
}

async function takeDuePolls({
  pool,
  clock,
  queue,
  clients,
  connections,
}: TickDependencies): Promise<number> {
  return await transaction(pool, async (tx) => {
    const now = clock.now();
    const due = await connections.takeDuePolls(tx, batch);
    const listening = await clients.listeningOf(tx, [
      ...new Set(due.map(({ clientId }) => clientId)),
    ]);
    for (const { connectionId, clientId } of due)
      if (!listening.has(clientId)) await connections.stopPolls(tx, connectionId);
    const polls = due.filter(({ clientId }) => listening.has(clientId));
    await owePolls(tx, polls, now);
    tx.afterCommit(async () => {
      for (const poll of polls) await enqueuePoll(queue, poll);
    });
    return due.length;
  });
}

export async function enqueuePoll(
  queue: JobQueue,
  { provider, connectionId, slot }: OwedPoll,
): Promise<void> {
  await queue.enqueue(pollQueue(provider), `${connectionId}-${slot.getTime()}`, { connectionId });
}

/** A client that set its address is polled for at once, and gets what it is owed; one that took it away begins anew some day. */
async function applyWebhookChanges(dependencies: TickDependencies): Promise<void> {
  await transaction(dependencies.pool, async (tx) => {
    for (const {
      clientId,
      isCleared,
      isListening,
    } of await dependencies.clients.takeWebhookChanges(tx)) {
      if (isCleared) await switchOff(tx, clientId);
      if (isListening) await resume(dependencies, tx, clientId);
    }
  });
}

async function resume(
  { clock, connections }: TickDependencies,
  tx: Transaction,
  clientId: string,
): Promise<void> {
  await deliveries.forgetFailures(tx, clientId);
  await connections.startPolls(tx, clientId);
  await deliveries.resumeDeliveries(tx, clientId, clock.now());
}

async function switchOff(tx: Transaction, clientId: string): Promise<void> {
  await deliveries.forgetFailures(tx, clientId);
  await deleteWatches(tx, clientId);
  await deliveries.deletePending(tx, clientId);
}

import type { ClientId } from "../model/index.ts";
import { transaction, type Transaction } from "../platform/db/index.ts";
import { deletePending, resumeDeliveries } from "./delivery-store.ts";
import type { WebhookDependencies } from "./dependencies.ts";
import { claimChangedEndpoints } from "./endpoint-store.ts";
import { enqueueUntilAway, type EnqueuePolls } from "./enqueue-poll.ts";
import { claimDuePolls, makePollsDue, stopPolls } from "./poll-store.ts";
import { deleteStates } from "./state-store.ts";

type ScheduleDependencies = Pick<WebhookDependencies, "pool" | "queue" | "employees">;

const batch = 500;

/** Claims the due polls and asks for their employees. Of any number of schedulers, one claims each poll in its slot. */
export async function schedulePolls(dependencies: ScheduleDependencies): Promise<number> {
  await applyEndpointChanges(dependencies);
  const enqueue = enqueueUntilAway(dependencies.queue);
  let total = 0;
  for (;;) {
    const claimed = await beginDuePolls(dependencies, enqueue);
    total += claimed;
    if (claimed < batch) return total;
  }
}

/**
 * The end of a read runs its poll. A poll for which no read begins now is enqueued, to find out why; one that a killed
 * scheduler leaves behind, or that the queue cannot take, is for the sweeper.
 */
async function beginDuePolls(
  { pool, employees }: ScheduleDependencies,
  enqueue: EnqueuePolls,
): Promise<number> {
  const { claimed, polled } = await claimDuePolls(pool, batch);
  const asked = await employees.askAll(
    polled.map(({ connectionId, slot }) => ({ connectionId, notBefore: slot })),
  );
  await enqueue(
    polled.flatMap(({ connectionId }) => (asked.has(connectionId) ? [] : [connectionId])),
  );
  return claimed;
}

/**
 * The connections of a client that set its address are polled at once, and its pending changes are delivered. A
 * client that removed its address begins with a new baseline later.
 */
async function applyEndpointChanges({ pool }: ScheduleDependencies): Promise<void> {
  await transaction(pool, async (tx) => {
    for (const { clientId, wasCleared, isActive } of await claimChangedEndpoints(tx)) {
      if (wasCleared) await switchOff(tx, clientId);
      if (isActive) {
        await makePollsDue(tx, { clientId });
        await resumeDeliveries(tx, clientId);
      }
    }
  });
}

async function switchOff(tx: Transaction, clientId: ClientId): Promise<void> {
  await stopPolls(tx, clientId);
  await deleteStates(tx, clientId);
  await deletePending(tx, clientId);
}

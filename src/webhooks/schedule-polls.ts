import type { ClientId } from "../model/index.ts";
import { transaction, type Transaction } from "../platform/db/index.ts";
import { deletePending, resumeDeliveries } from "./delivery-store.ts";
import type { WebhookDependencies } from "./dependencies.ts";
import { claimChangedEndpoints } from "./endpoint-store.ts";
import { enqueuePoll } from "./enqueue-poll.ts";
import { claimDuePolls, makePollsDue, stopPolls } from "./poll-store.ts";
import { deleteStates } from "./state-store.ts";

type ScheduleDependencies = Pick<WebhookDependencies, "pool" | "clock" | "queue">;

const batch = 500;

/** Claims the due polls and enqueues them. Of any number of schedulers, one claims each poll in its slot. */
export async function schedulePolls(dependencies: ScheduleDependencies): Promise<number> {
  await applyEndpointChanges(dependencies);
  let total = 0;
  for (;;) {
    const claimed = await enqueueDuePolls(dependencies);
    total += claimed;
    if (claimed < batch) return total;
  }
}

async function enqueueDuePolls({ pool, clock, queue }: ScheduleDependencies): Promise<number> {
  const { claimed, polled } = await claimDuePolls(pool, clock.now(), batch);
  for (const connectionId of polled) await enqueuePoll(queue, connectionId);
  return claimed;
}

/**
 * The connections of a client that set its address are polled at once, and its pending changes are delivered. A
 * client that removed its address begins with a new baseline later.
 */
async function applyEndpointChanges({ pool, clock }: ScheduleDependencies): Promise<void> {
  await transaction(pool, async (tx) => {
    for (const { clientId, wasCleared, isActive } of await claimChangedEndpoints(tx)) {
      if (wasCleared) await switchOff(tx, clientId);
      if (isActive) {
        await makePollsDue(tx, { clientId }, clock.now());
        await resumeDeliveries(tx, clientId, clock.now());
      }
    }
  });
}

async function switchOff(tx: Transaction, clientId: ClientId): Promise<void> {
  await stopPolls(tx, clientId);
  await deleteStates(tx, clientId);
  await deletePending(tx, clientId);
}

import type { ClientId, ConnectionId } from "../model/index.ts";
import { transaction, type Transaction } from "../platform/db/index.ts";
import { deletePending, resumeDeliveries } from "./delivery-store.ts";
import type { WebhookDependencies } from "./dependencies.ts";
import { claimChangedEndpoints } from "./endpoint-store.ts";
import { claimDuePolls, makePollsDue, stopPolls } from "./poll-store.ts";
import { deleteStates } from "./state-store.ts";

type ScheduleDependencies = Pick<WebhookDependencies, "pool" | "employees">;

const batch = 500;

/**
 * Claims the due polls and asks for their employees; the end of a read runs its poll. `begin` is called with each poll
 * for which no read begins now: its run finds out why. Of any number of schedulers, one claims each poll in its slot.
 */
export async function schedulePolls(
  dependencies: ScheduleDependencies,
  begin: (connectionId: ConnectionId) => void,
): Promise<number> {
  await applyEndpointChanges(dependencies);
  let total = 0;
  for (;;) {
    const claimed = await beginDuePolls(dependencies, begin);
    total += claimed;
    if (claimed < batch) return total;
  }
}

/** A poll that a killed scheduler leaves behind is for the sweeper. */
async function beginDuePolls(
  { pool, employees }: ScheduleDependencies,
  begin: (connectionId: ConnectionId) => void,
): Promise<number> {
  const { claimed, polled } = await claimDuePolls(pool, batch);
  const asked = await employees.askAll(
    polled.map(({ connectionId, slot }) => ({ connectionId, notBefore: slot })),
  );
  for (const { connectionId } of polled) if (!asked.has(connectionId)) begin(connectionId);
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

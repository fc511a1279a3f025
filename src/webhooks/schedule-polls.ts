import { pollableResource, type ClientId, type ConnectionId } from "../model/index.ts";
import { transaction, type Transaction } from "../platform/db/index.ts";
import type { WebhookDependencies } from "./dependencies.ts";
import {
  claimChangedEndpoint,
  findChangedEndpoints,
  findWishes,
  settleCleared,
} from "./endpoint-store.ts";
import { deleteCleared, deletePending, resumeDeliveries, resumeEvents } from "./pending-store.ts";
import { deleteUnwantedLists } from "./polled-list-store.ts";
import { addMissingPolls, claimDuePolls, makePollsDue, stopPolls } from "./poll-store.ts";
import { acknowledgeStates, deleteStates } from "./state-store.ts";

type ScheduleDependencies = Pick<WebhookDependencies, "pool" | "log" | "pollSource">;

const batch = 500;

/**
 * Claims the due polls and asks for what they want. The end of a read of employees runs its poll. Where no such read
 * begins now, because one runs already or none may be made, `begin` runs the poll at once, which finds out what it is.
 * Of any number of schedulers, one claims each poll in its slot.
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

/** A poll of employees that a killed scheduler leaves behind is for the sweeper, other resources for the next hour. */
async function beginDuePolls(
  { pool, pollSource }: ScheduleDependencies,
  begin: (connectionId: ConnectionId) => void,
): Promise<number> {
  const { claimed, polled } = await claimDuePolls(pool, batch);
  for (const resource of pollableResource.options) {
    const wanted = polled.filter((poll) => poll.wanted.includes(resource));
    if (wanted.length === 0) continue;
    const asked = await pollSource.askAll(
      resource,
      wanted.map(({ connectionId, slot }) => ({ connectionId, notBefore: slot })),
    );
    if (resource !== "employees") continue;
    for (const { connectionId } of wanted) if (!asked.has(connectionId)) begin(connectionId);
  }
  return claimed;
}

/**
 * The connections of a client that set its address are polled at once, and its pending changes are delivered. A
 * client that removed its address begins with a new baseline later, and from the last poll where its events have the
 * employees polled. A change that cannot be applied is tried again at the next tick, and stops nobody else.
 */
async function applyEndpointChanges({ pool, log }: ScheduleDependencies): Promise<void> {
  const apply = { employees: applyEmployeesChange, events: applyEventsChange };
  for (const kind of ["employees", "events"] as const)
    for (const clientId of await findChangedEndpoints(pool, kind))
      try {
        await transaction(pool, (tx) => apply[kind](tx, clientId));
      } catch (error) {
        log.error(
          { err: error, clientId, kind },
          "an address is not yet used as its client set it",
        );
      }
}

async function applyEmployeesChange(tx: Transaction, clientId: ClientId): Promise<void> {
  const change = await claimChangedEndpoint(tx, "employees", clientId);
  if (!change) return;
  if (change.wasCleared) await switchOff(tx, clientId);
  await makePollsDue(tx, { clientId });
  if (change.isActive) await resumeDeliveries(tx, clientId);
}

async function applyEventsChange(tx: Transaction, clientId: ClientId): Promise<void> {
  const change = await claimChangedEndpoint(tx, "events", clientId);
  if (!change) return;
  if (change.wasCleared) {
    await deleteCleared(tx, clientId);
    await settleCleared(tx, clientId);
  }
  if (!(await wantsEmployees(tx, clientId))) await forgetEmployees(tx, clientId);
  await deleteUnwantedLists(tx, clientId);
  await addMissingPolls(tx, clientId);
  await makePollsDue(tx, { clientId });
  if (change.isActive) await resumeEvents(tx, clientId);
}

/** The client has removed its address for the webhooks about employees. Its events may tell of employees still. */
async function switchOff(tx: Transaction, clientId: ClientId): Promise<void> {
  if ((await findWishes(tx, clientId)).polled?.includes("employees"))
    await acknowledgeStates(tx, clientId);
  else await forgetEmployees(tx, clientId);
  await deletePending(tx, clientId);
}

async function wantsEmployees(tx: Transaction, clientId: ClientId): Promise<boolean> {
  const { hasWebhooks, polled } = await findWishes(tx, clientId);
  return hasWebhooks || polled?.includes("employees") === true;
}

/** Of a client that wants to hear of no employees. When it does, it begins with a new baseline. */
async function forgetEmployees(tx: Transaction, clientId: ClientId): Promise<void> {
  await stopPolls(tx, clientId);
  await deleteStates(tx, clientId);
}

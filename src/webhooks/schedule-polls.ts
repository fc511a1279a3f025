import { pollableResource, type ClientId, type ConnectionId } from "../model/index.ts";
import { transaction, type Queryable } from "../platform/db/index.ts";
import type { WebhookDependencies } from "./dependencies.ts";
import { claimChangedEndpoint, findChangedEndpoints, findWishes } from "./endpoint-store.ts";
import { deletePending } from "./pending-store.ts";
import { deleteUnwantedLists } from "./compare-lists.ts";
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
  signal?: AbortSignal,
): Promise<number> {
  await applyEndpointChanges(dependencies, signal);
  let total = 0;
  for (;;) {
    const claimed = await beginDuePolls(dependencies, begin);
    total += claimed;
    if (claimed < batch || signal?.aborted === true) return total;
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
 * The connections of a client that set its address are polled at once; `settlePending` delivers what is pending. A
 * client that removed its address begins with a new baseline later, and from the last poll where its events have the
 * employees polled. A change that cannot be applied is tried again at the next tick, and stops nobody else.
 */
async function applyEndpointChanges(
  { pool, log }: ScheduleDependencies,
  signal: AbortSignal | undefined,
): Promise<void> {
  const apply = { employees: applyEmployeesChange, events: applyEventsChange };
  for (const kind of ["employees", "events"] as const)
    for (const clientId of await findChangedEndpoints(pool, kind))
      try {
        await transaction(pool, (tx) => apply[kind](untilAborted(tx, signal), clientId));
      } catch (error) {
        if (signal?.aborted === true) return;
        log.error(
          { err: error, clientId, kind },
          "an address is not yet used as its client set it",
        );
      }
}

/** A process that stops waits for one statement at most: the transaction ends before the next one. */
function untilAborted(tx: Queryable, signal: AbortSignal | undefined): Queryable {
  return {
    query: async (query, values) => {
      signal?.throwIfAborted();
      return await tx.query(query, values);
    },
  };
}

async function applyEmployeesChange(tx: Queryable, clientId: ClientId): Promise<void> {
  const change = await claimChangedEndpoint(tx, "employees", clientId);
  if (!change) return;
  if (change.wasCleared) return await switchOff(tx, clientId);
  await makePollsDue(tx, { clientId });
}

async function applyEventsChange(tx: Queryable, clientId: ClientId): Promise<void> {
  if (!(await claimChangedEndpoint(tx, "events", clientId))) return;
  if (!(await wantsEmployees(tx, clientId))) await forgetEmployees(tx, clientId);
  await deleteUnwantedLists(tx, clientId);
  await addMissingPolls(tx, clientId);
  await makePollsDue(tx, { clientId });
}

/**
 * The client has removed its address for the webhooks about employees. Its events may tell of employees still. The
 * polls are locked before the states, as by a poll that runs.
 */
async function switchOff(tx: Queryable, clientId: ClientId): Promise<void> {
  const { polled } = await findWishes(tx, clientId);
  if (polled?.includes("employees")) {
    await makePollsDue(tx, { clientId });
    await acknowledgeStates(tx, clientId);
  } else {
    await forgetEmployees(tx, clientId);
    await makePollsDue(tx, { clientId });
  }
  await deletePending(tx, clientId);
}

async function wantsEmployees(tx: Queryable, clientId: ClientId): Promise<boolean> {
  const { hasWebhooks, polled } = await findWishes(tx, clientId);
  return hasWebhooks || polled?.includes("employees") === true;
}

/** Of a client that wants to hear of no employees. When it does, it begins with a new baseline. */
async function forgetEmployees(tx: Queryable, clientId: ClientId): Promise<void> {
  await stopPolls(tx, clientId);
  await deleteStates(tx, clientId);
}

import { v7 as uuidv7 } from "uuid";
import type { ConnectionId } from "../model/index.ts";
import type { Clock } from "../platform/clock.ts";
import type { DataKey } from "../platform/crypto/index.ts";
import { transaction, type Transaction } from "../platform/db/index.ts";
import { sealBody } from "./delivery-body.ts";
import { findInFlight, findNewestMoment, insertDelivery } from "./delivery-store.ts";
import { enqueueDelivery } from "./enqueue-delivery.ts";
import type { WebhookDependencies } from "./dependencies.ts";
import { openPolledEmployees } from "./employee-list.ts";
import { withoutTold } from "./earlier-lists.ts";
import { currentTraceparent } from "../platform/tracing/index.ts";
import { changedIds, type ListChange, type PackedId } from "../platform/packed-list.ts";
import { openPolled, type PolledConnection } from "./open-polled.ts";
import { cutEmployees } from "../sync/index.ts";
import { hasPendingChanges, nextBody } from "./receiver-state.ts";
import { lockStoredState, saveEarlierLists, type StoredState } from "./state-store.ts";
import { openTombstones, type Tombstones } from "./tombstones.ts";

type MakeDependencies = Pick<WebhookDependencies, "pool" | "clock" | "queue" | "connections">;

const noTombstones: Tombstones = new Map();

/**
 * Makes a body of the connection's pending changes and enqueues its delivery, unless one is in flight. Changes
 * that come while one is in flight are part of the next one.
 */
export async function deliverPendingChanges(
  dependencies: MakeDependencies,
  connectionId: ConnectionId,
): Promise<void> {
  const { pool, clock, queue, connections } = dependencies;
  const polled = await openPolled(connections, connectionId);
  if (!polled) return;
  await transaction(pool, async (tx) => {
    if (!(await connections.lockAgainstRemoval(tx, connectionId))) return;
    const stored = await lockStoredState(tx, connectionId);
    if (!stored || !hasPendingChanges(stored.state)) return;
    if (await findInFlight(tx, connectionId)) return;
    await sendPendingChanges(tx, { clock, queue, polled, stored });
  });
}

/** The same in the caller's transaction. The caller has locked the state, and no body is in flight. */
export async function sendPendingChanges(
  tx: Transaction,
  {
    queue,
    ...pending
  }: Pick<MakeDependencies, "clock" | "queue"> & { polled: PolledConnection; stored: StoredState },
): Promise<void> {
  const id = await freezeDelivery(tx, pending);
  if (id !== undefined) tx.afterCommit(() => enqueueDelivery(queue, { id }));
}

/**
 * Freezes the pending changes, and the employees to be sent again, as one body with an id of its own. `resent`
 * holds their records as an earlier body had them. Undefined when the body would be empty, or another one is in
 * flight. The caller has locked the state.
 */
export async function freezeDelivery(
  tx: Transaction,
  {
    clock,
    polled,
    stored,
    resent = noTombstones,
  }: { clock: Clock; polled: PolledConnection; stored: StoredState; resent?: Tombstones },
): Promise<string | undefined> {
  const { connectionId, state } = stored;
  const { dataKey, clientId, tokenId } = polled;
  const { change, listAfter } = nextBody(state, new Set(resent.keys()));
  const counts = {
    added: change.added.length,
    removed: change.removed.length,
    updated: change.updated.length,
  };
  if (counts.added + counts.removed + counts.updated === 0) return undefined;
  const createdAt = await nextMoment(tx, clock, connectionId);
  const id = uuidv7({ msecs: createdAt.getTime() });
  const body = await renderBody(dataKey, stored, change, resent);
  const isMade = await insertDelivery(tx, {
    ...counts,
    id,
    connectionId,
    clientId,
    tokenId,
    createdAt,
    sealedBody: sealBody(dataKey, id, body),
    listAfter,
    traceparent: currentTraceparent(),
  });
  if (!isMade) return undefined;
  if (state.earlier.length > 0)
    await saveEarlierLists(tx, connectionId, withoutTold(state.earlier, changedIds(change)));
  return id;
}

/** The ids of a connection's deliveries sort in the order of their bodies, even when workers' clocks differ. */
async function nextMoment(
  tx: Transaction,
  clock: Clock,
  connectionId: ConnectionId,
): Promise<Date> {
  const newest = await findNewestMoment(tx, connectionId);
  return new Date(Math.max(clock.now().getTime(), newest ? newest.getTime() + 1 : 0));
}

/** `{added, removed, updated}` of Employee objects. Each is its stored JSON; a removed one is its tombstone. */
async function renderBody(
  key: DataKey,
  { connectionId, employees, sealedTombstones }: StoredState,
  change: ListChange,
  resent: Tombstones,
): Promise<Buffer> {
  const { added, removed, updated } = change;
  const told = new Set(changedIds(change));
  const tombstones = await openTombstones(key, connectionId, sealedTombstones, told);
  const list = openPolledEmployees(key, connectionId, employees);
  const present = await cutEmployees(list, new Set([...added, ...updated]));
  const find = (id: PackedId): string => {
    const json = present.get(id) ?? tombstones.get(id) ?? resent.get(id);
    if (json === undefined) throw new Error("an employee of the difference is in no list");
    return json;
  };
  const render = (ids: readonly PackedId[]): string => `[${ids.map(find).sort().join(",")}]`;
  return Buffer.from(
    `{"added":${render(added)},"removed":${render(removed)},"updated":${render(updated)}}`,
  );
}

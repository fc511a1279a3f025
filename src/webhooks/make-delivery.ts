import { v7 as uuidv7 } from "uuid";
import type { Connections } from "../connections/index.ts";
import type { Clock } from "../platform/clock.ts";
import type { DataKey } from "../platform/crypto/index.ts";
import { transaction, type Pool, type Transaction } from "../platform/db/index.ts";
import { findInFlight, findNewestMoment, insertDelivery } from "./delivery-store.ts";
import { openKept, unpackIds } from "./kept-records.ts";
import {
  difference,
  isEmptyChange,
  withToldAnew,
  type ListChange,
  type PackedId,
} from "./packed-list.ts";
import { cutEmployees, openEmployees } from "./watched-list.ts";
import { clearOwed, lockWatch, type Watch } from "./watch-store.ts";

export interface MakeDeliveryDependencies {
  pool: Pool;
  clock: Clock;
  connections: Connections;
}

/** Employees that an earlier body told of, as it told of them. */
export type ToldEmployees = ReadonlyMap<PackedId, string>;

const nobody: ToldEmployees = new Map();

/**
 * Freezes what turns the receiver's list into ours, when nothing is in flight for the connection. Changes that come while a body is
 * in flight wait and are part of the next one. Gives the new delivery's id.
 */
export async function makeDelivery(
  { pool, clock, connections }: MakeDeliveryDependencies,
  connectionId: string,
): Promise<string | undefined> {
  const key = await connections.dataKey(connectionId);
  if (!key) return undefined;
  return await transaction(pool, async (tx) => {
    if (!(await connections.hold(tx, connectionId))) return undefined;
    const watch = await lockWatch(tx, connectionId);
    return watch && !(await findInFlight(tx, connectionId))
      ? await freezeDelivery(tx, { clock, key, watch })
      : undefined;
  });
}

/** What the receiver is owed, and those who are to be told anew, as one body. Undefined when that is nothing, or nothing was seen yet. */
export async function freezeDelivery(
  tx: Transaction,
  {
    clock,
    key,
    watch,
    told = nobody,
  }: { clock: Clock; key: DataKey; watch: Watch; told?: ToldEmployees },
): Promise<string | undefined> {
  const { connectionId, clientId, tokenId, acked, seen, doubtful } = watch;
  if (!seen || !acked) return undefined;
  const change = withToldAnew(
    difference(acked, seen),
    [...unpackIds(doubtful), ...told.keys()],
    seen,
  );
  if (isEmptyChange(change)) {
    await clearOwed(tx, connectionId);
    return undefined;
  }
  const createdAt = await nextMoment(tx, clock, connectionId);
  const id = uuidv7({ msecs: createdAt.getTime() });
  const sealedBody = key.seal(await renderBody(key, watch, change, told), ["delivery", id]);
  const counts = {
    added: change.added.length,
    removed: change.removed.length,
    updated: change.updated.length,
  };
  const isMade = await insertDelivery(tx, {
    id,
    connectionId,
    clientId,
    tokenId,
    ...counts,
    createdAt,
    dueAt: clock.now(),
    sealedBody,
    ackedAfter: seen,
  });
  return isMade ? id : undefined;
}

/** The order of a connection's ids is the order of its bodies, whatever the clocks of the workers say. */
async function nextMoment(tx: Transaction, clock: Clock, connectionId: string): Promise<Date> {
  const newest = await findNewestMoment(tx, connectionId);
  return new Date(Math.max(clock.now().getTime(), newest ? newest.getTime() + 1 : 0));
}

export function openBody(key: DataKey, deliveryId: string, sealed: Buffer): Buffer {
  return key.open(sealed, ["delivery", deliveryId]);
}

/** `{added, removed, updated}` of Employee objects: the stored JSON of each as it is, removed ones as they were last seen. */
async function renderBody(
  key: DataKey,
  watch: Watch,
  { added, removed, updated }: ListChange,
  told: ToldEmployees,
): Promise<Buffer> {
  const { connectionId, sealedList, sealedIndex, sealedKept } = watch;
  if (!sealedList || !sealedIndex) throw new Error("a watch that has seen a list keeps it");
  const kept = openKept(key, connectionId, sealedKept);
  const present = cutEmployees(
    await openEmployees(key, connectionId, sealedList, sealedIndex),
    new Set([...added, ...updated]),
  );
  const find = (id: string): string => {
    const json = present.get(id) ?? kept.get(id) ?? told.get(id);
    if (json === undefined) throw new Error("an employee of the difference is in no list");
    return json;
  };
  const list = (ids: readonly string[]): string => `[${ids.map(find).sort().join(",")}]`;
  return Buffer.from(
    `{"added":${list(added)},"removed":${list(removed)},"updated":${list(updated)}}`,
  );
}

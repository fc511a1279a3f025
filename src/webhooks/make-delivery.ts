import { v7 as uuidv7 } from "uuid";
import type { Connections } from "../connections/index.ts";
import type { Clock } from "../platform/clock.ts";
import type { DataKey } from "../platform/crypto/index.ts";
import { transaction, type Pool } from "../platform/db/index.ts";
import { findInFlight, insertDelivery, type NewDelivery } from "./delivery-store.ts";
import { openKept } from "./kept-records.ts";
import { difference, isEmptyChange, type ListChange } from "./packed-list.ts";
import { cutEmployees, openEmployees } from "./watched-list.ts";
import { clearOwed, lockWatch, type Watch } from "./watch-store.ts";

export interface MakeDeliveryDependencies {
  pool: Pool;
  clock: Clock;
  connections: Connections;
}

/**
 * Freezes what turns the receiver's list into ours, when nothing is in flight for the connection. Changes that come while a body is
 * in flight wait and are part of the next one. Gives the new delivery's id.
 */
export async function makeDelivery({ pool, clock, connections }: MakeDeliveryDependencies, connectionId: string): Promise<string | undefined> {
  const key = await connections.dataKey(connectionId);
  if (!key) return undefined;
  return await transaction(pool, async (tx) => {
    const watch = await lockWatch(tx, connectionId);
    if (!watch?.seen || !watch.acked || (await findInFlight(tx, connectionId))) return undefined;
    const change = difference(watch.acked, watch.seen);
    if (isEmptyChange(change)) {
      await clearOwed(tx, connectionId);
      return undefined;
    }
    const id = uuidv7({ msecs: clock.now().getTime() });
    const body = await renderBody(key, watch, change);
    const isMade = await insertDelivery(tx, { ...describe(watch, change), id, createdAt: clock.now(), sealedBody: sealBody(key, id, body), ackedAfter: watch.seen });
    return isMade ? id : undefined;
  });
}

export function sealBody(key: DataKey, deliveryId: string, body: Buffer): Buffer {
  return key.seal(body, ["delivery", deliveryId]);
}

export function openBody(key: DataKey, deliveryId: string, sealed: Buffer): Buffer {
  return key.open(sealed, ["delivery", deliveryId]);
}

/** `{added, removed, updated}` of Employee objects: the stored JSON of each as it is, removed ones as they were last seen. */
export async function renderBody(key: DataKey, watch: Watch, { added, removed, updated }: ListChange): Promise<Buffer> {
  const { connectionId, sealedList, sealedIndex, sealedKept } = watch;
  if (!sealedList || !sealedIndex) throw new Error("a watch that has seen a list keeps it");
  const kept = openKept(key, connectionId, sealedKept);
  const present = cutEmployees(await openEmployees(key, connectionId, sealedList, sealedIndex), new Set([...added, ...updated]));
  const find = (id: string): string => {
    const json = present.get(id) ?? kept.get(id);
    if (json === undefined) throw new Error("an employee of the difference is in no list");
    return json;
  };
  const list = (ids: readonly string[]): string => `[${ids.map(find).sort().join(",")}]`;
  return Buffer.from(`{"added":${list(added)},"removed":${list(removed)},"updated":${list(updated)}}`);
}

export function describe({ connectionId, clientId, tokenId }: Watch, change: ListChange): Pick<NewDelivery, "connectionId" | "clientId" | "tokenId" | "added" | "removed" | "updated"> {
  return { connectionId, clientId, tokenId, added: change.added.length, removed: change.removed.length, updated: change.updated.length };
}

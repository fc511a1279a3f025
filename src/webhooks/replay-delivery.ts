import { NotFound, type ConnectionId } from "../model/index.ts";
import type { DataKey } from "../platform/crypto/index.ts";
import { transaction, type Transaction } from "../platform/db/index.ts";
import * as store from "./delivery-store.ts";
import type { WebhookDependencies } from "./dependencies.ts";
import { resumeEndpoint } from "./endpoint-store.ts";
import { enqueueDelivery } from "./enqueue-delivery.ts";
import { openBody } from "./delivery-body.ts";
import { freezeDelivery } from "./make-delivery.ts";
import { openPolled, type PolledConnection } from "./open-polled.ts";
import { packedId } from "../platform/packed-list.ts";
import { lockStoredState } from "./state-store.ts";
import type { Tombstones } from "./tombstones.ts";

type ReplayDependencies = Pick<
  WebhookDependencies,
  "pool" | "clock" | "queue" | "clients" | "connections"
>;

type Body = Record<"added" | "removed" | "updated", { id: string }[]>;

const notReadYet =
  "A later webhook was acknowledged, and the employees have not been read since the webhook address was set. " +
  "Try again after the next poll.";

/**
 * Sends the same bytes again, unless the receiver has acknowledged a later body of the connection, which older
 * news would undo. Then a new body, with a new id, has the delivery's employees as they are now and all other
 * pending changes. A body in flight is tried at once. Resumes an endpoint that was paused or gone. Returns the
 * delivery that will be sent. Throws NotFound when there is nothing to send.
 */
export async function replayDelivery(
  dependencies: ReplayDependencies,
  delivery: store.Delivery,
): Promise<store.Delivery> {
  const { pool, queue, clients, connections } = dependencies;
  const { connectionId } = delivery;
  if (connectionId === null) return await replayEvent(dependencies, delivery);
  const polled = await openPolled(connections, connectionId);
  const client = polled && (await clients.find(polled.clientId));
  if (!polled || !client?.webhookUri) throw cannotBeSent(delivery);
  const sent = await transaction(pool, (tx) =>
    prepareReplay(dependencies, tx, polled, { ...delivery, connectionId }),
  );
  await enqueueDelivery(queue, sent);
  return sent;
}

async function prepareReplay(
  { clock, connections }: ReplayDependencies,
  tx: Transaction,
  polled: PolledConnection,
  delivery: store.Delivery & { connectionId: ConnectionId },
): Promise<store.Delivery> {
  const { id, connectionId } = delivery;
  await resumeEndpoint(tx, "employees", polled.clientId);
  if (!(await connections.lockAgainstRemoval(tx, connectionId))) throw cannotBeSent(delivery);
  const stored = await lockStoredState(tx, connectionId);
  const inFlight = await store.findInFlight(tx, connectionId);
  if (inFlight) return (await store.sendAgain(tx, inFlight.id)) ?? inFlight;
  if (!(await store.hasLaterAcknowledged(tx, delivery)))
    return (await store.sendAgain(tx, id)) ?? delivery;
  const resent = await readBody(tx, polled.dataKey, id);
  const freshId = stored && (await freezeDelivery(tx, { clock, polled, stored, resent }));
  const fresh = freshId && (await store.findDelivery(tx, freshId));
  if (!fresh) throw new NotFound(id, notReadYet);
  return fresh;
}

/** An event has no later one that it would undo: it says when it happened. */
async function replayEvent(
  { pool, queue, clients }: ReplayDependencies,
  delivery: store.Delivery,
): Promise<store.Delivery> {
  const { id, clientId } = delivery;
  const client = await clients.find(clientId);
  if (!client?.eventUri) throw new NotFound(id, "The client has no event_uri.");
  const sent = await transaction(pool, async (tx) => {
    await resumeEndpoint(tx, "events", clientId);
    return await store.sendAgain(tx, id);
  });
  if (!sent) throw new NotFound(id, "The delivery is not known.");
  await enqueueDelivery(queue, sent);
  return sent;
}

function cannotBeSent({ id }: store.Delivery): NotFound {
  return new NotFound(id, "The client has no webhook address, or the token was disconnected.");
}

/** The employees of a body, with their records in that body. */
async function readBody(tx: Transaction, key: DataKey, deliveryId: string): Promise<Tombstones> {
  const sealed = await store.findSealed(tx, deliveryId, "sealed_body");
  if (!sealed) return new Map();
  const text = openBody(key, deliveryId, sealed).toString();
  const { added, removed, updated } = JSON.parse(text) as Body;
  return new Map(
    [...removed, ...added, ...updated].map((employee) => [
      packedId(Buffer.from(employee.id, "base64url")),
      JSON.stringify(employee),
    ]),
  );
}

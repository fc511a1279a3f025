import type { Client, Clients } from "../clients/index.ts";
import type { Connections } from "../connections/index.ts";
import { addSeconds, secondsBetween, type Clock } from "../platform/clock.ts";
import { transaction, type Pool, type Transaction } from "../platform/db/index.ts";
import type { Log } from "../platform/log.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { Random } from "../platform/random.ts";
import type { createGuardedAgent } from "../platform/outbound/index.ts";
import type { JobOutcome } from "../platform/queue/index.ts";
import * as store from "./delivery-store.ts";
import { packIds, unpackIds } from "./kept-records.ts";
import { openBody } from "./make-delivery.ts";
import { changedIds, difference } from "./packed-list.ts";
import { postWebhook, type PostResult } from "./post-webhook.ts";
import { nextAttempt, pausedAfterSeconds } from "./schedule.ts";
import { signedHeaders } from "./sign.ts";
import { lockLists, setAcked, setDoubtful } from "./watch-store.ts";

export interface DeliveryDependencies {
  pool: Pool;
  clock: Clock;
  random: Random;
  log: Log;
  metrics: Metrics;
  clients: Clients;
  connections: Connections;
  agent: ReturnType<typeof createGuardedAgent>;
  /** Makes the next delivery when something is owed beyond this one. */
  deliverOwed: (connectionId: string) => Promise<void>;
}

/** Longer than an attempt can take. */
const leaseSeconds = 60;
/** So long after the next attempt was due, one that failed says nothing any more of how the endpoint is. */
const lateSeconds = 24 * 60 * 60;
const soonSeconds = 5;

/** One attempt: prepare, post, settle. Killed anywhere between, it is made again with the same id and bytes. */
export async function runDelivery(
  dependencies: DeliveryDependencies,
  deliveryId: string,
): Promise<JobOutcome> {
  const { pool, clock, clients, connections, agent } = dependencies;
  const waiting = await store.findDelivery(pool, deliveryId);
  if (waiting?.status !== "pending" || !waiting.nextAttemptAt) return "done";
  if (waiting.nextAttemptAt > clock.now()) return { retryAt: waiting.nextAttemptAt };
  if (await parkUnlessListening(dependencies, waiting)) return "done";
  const delivery = await store.claimDelivery(pool, deliveryId, {
    now: clock.now(),
    leaseEnd: addSeconds(clock.now(), leaseSeconds),
  });
  const client = delivery && (await clients.find(delivery.clientId));
  const key = delivery && (await connections.dataKey(delivery.connectionId));
  if (!delivery || !client?.webhookUri || !key) return "done";

  const at = clock.now();
  const body = openBody(key, delivery.id, delivery.sealedBody);
  const headers = signedHeaders({
    id: delivery.id,
    tokenId: delivery.tokenId,
    body,
    secrets: clients.revealSecrets(client),
    at,
  });
  const result = await postWebhook(agent, client.webhookUri, headers, body, () => clock.now());
  const attempt = {
    number: delivery.attempts,
    at,
    durationMs: secondsBetween(at, clock.now()) * 1000,
    status: result.status,
    reason: result.reason,
  };
  return await settle(dependencies, { delivery, client, attempt, result });
}

/** An attempt that was made, at the address that the client had then. */
interface Attempted {
  delivery: store.Delivery;
  client: Client;
  attempt: store.Attempt;
  result: PostResult;
}

/** True for a body whose endpoint was paused or gone before: it is not asked again, and the body waits for it to be resumed. */
async function parkUnlessListening(
  { pool, clients }: DeliveryDependencies,
  { id, clientId }: store.Delivery,
): Promise<boolean> {
  const isListening = async (): Promise<boolean> =>
    (await clients.find(clientId))?.webhookStatus === "active";
  if (await isListening()) return false;
  return await transaction(pool, async (tx) => {
    // Whoever resumes does it after the status is active, and waits for the row.
    if (!(await store.lockPending(tx, id)) || (await isListening())) return false;
    await store.parkDelivery(tx, id);
    return true;
  });
}

/**
 * What happened is written down by itself. What it changes is changed in one transaction, which takes its locks in the order that all of the room keeps to:
 * the client, its failures, the connection, its watch, its deliveries.
 */
async function settle(
  dependencies: DeliveryDependencies,
  attempted: Attempted,
): Promise<JobOutcome> {
  const { delivery, attempt, result } = attempted;
  const { pool, clock, log, metrics, deliverOwed } = dependencies;
  const now = clock.now();
  await store.insertAttempt(pool, delivery.id, attempt);
  const settled =
    result.reason === "ok"
      ? await acknowledge(dependencies, attempted, now)
      : await fail(dependencies, attempted, now);
  const { id, connectionId, clientId, tokenId } = delivery;
  log.info(
    {
      deliveryId: id,
      connectionId,
      clientId,
      tokenId,
      attempt: attempt.number,
      status: result.status,
      reason: result.reason,
      outcome: settled.outcome,
    },
    "webhook attempted",
  );
  metrics.deliveries.inc({ outcome: settled.outcome });
  if (settled.retryAt) return { retryAt: settled.retryAt };
  if (settled.outcome === "delivered" || settled.outcome === "failed")
    await deliverOwed(connectionId);
  return "done";
}

interface Settled {
  outcome: "delivered" | "failed" | "postponed" | "parked" | "superseded";
  retryAt?: Date;
}

async function acknowledge(
  { pool }: DeliveryDependencies,
  { delivery, result: { status } }: Attempted,
  now: Date,
): Promise<Settled> {
  await store.forgetFailures(pool, delivery.clientId);
  return await transaction(pool, async (tx) => {
    await lockLists(tx, delivery.connectionId);
    const ackedAfter = await store.settleDelivery(tx, delivery, {
      status: "delivered",
      lastStatus: status,
      now,
    });
    if (ackedAfter === undefined) return { outcome: "superseded" };
    if (ackedAfter) await setAcked(tx, delivery.connectionId, ackedAfter);
    return { outcome: "delivered" };
  });
}

/** Every attempt failed, but any of them may have been taken in: those whom the body was about are told anew with the next one. */
async function giveUp(
  tx: Transaction,
  delivery: store.Delivery,
  { status }: PostResult,
  now: Date,
): Promise<Settled> {
  const lists = await lockLists(tx, delivery.connectionId);
  const ackedAfter = await store.settleDelivery(tx, delivery, {
    status: "failed",
    lastStatus: status,
    now,
  });
  if (ackedAfter === undefined) return { outcome: "superseded" };
  if (ackedAfter && lists?.acked) {
    const doubtful = new Set([
      ...unpackIds(lists.doubtful),
      ...changedIds(difference(lists.acked, ackedAfter)),
    ]);
    await setDoubtful(tx, delivery.connectionId, packIds(doubtful));
  }
  return { outcome: "failed" };
}

async function fail(
  dependencies: DeliveryDependencies,
  attempted: Attempted,
  now: Date,
): Promise<Settled> {
  const { pool, clients, random } = dependencies;
  const { delivery, client, result } = attempted;
  const { status, reason, retryAfterSeconds } = result;
  if ((await clients.find(client.clientId))?.webhookUri !== client.webhookUri)
    return await beginAgain(dependencies, delivery, now);
  const retryAt = nextAttempt({ step: delivery.scheduleStep, now, random, retryAfterSeconds });
  const failingSince = await store.noteFailure(pool, client.clientId, {
    now,
    countsUntil: addSeconds(retryAt ?? now, lateSeconds),
  });
  if (reason === "gone") return await park(dependencies, attempted, "gone", now);
  if (now >= addSeconds(failingSince, pausedAfterSeconds))
    return await park(dependencies, attempted, "paused", now);
  if (!retryAt) return await transaction(pool, (tx) => giveUp(tx, delivery, result, now));
  const postponedTo = await store.postponeDelivery(pool, delivery, {
    at: retryAt,
    lastStatus: status,
  });
  return postponedTo ? { outcome: "postponed", retryAt: postponedTo } : { outcome: "superseded" };
}

/** What one address answered says nothing of the next one. */
async function beginAgain(
  { pool }: DeliveryDependencies,
  delivery: store.Delivery,
  now: Date,
): Promise<Settled> {
  const retryAt = addSeconds(now, soonSeconds);
  return (await store.beginAgain(pool, delivery, retryAt))
    ? { outcome: "postponed", retryAt }
    : { outcome: "superseded" };
}

/** A newer attempt, or a newer address, has taken over; whatever this one began to say of the endpoint is rolled back. */
class Superseded extends Error {}

async function park(
  dependencies: DeliveryDependencies,
  { delivery, client, result: { status } }: Attempted,
  endpoint: "gone" | "paused",
  now: Date,
): Promise<Settled> {
  const { pool, clients } = dependencies;
  try {
    return await transaction(pool, async (tx) => {
      if (!(await clients.stopWebhooks(tx, client, endpoint))) throw new Superseded();
      if (
        (await store.postponeDelivery(tx, delivery, { at: null, lastStatus: status })) === undefined
      )
        throw new Superseded();
      await store.parkDeliveries(tx, delivery.clientId);
      return { outcome: "parked" };
    });
  } catch (error) {
    if (error instanceof Superseded) return await beginAgain(dependencies, delivery, now);
    throw error;
  }
}

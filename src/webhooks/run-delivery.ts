import type { Client } from "../clients/index.ts";
import { addSeconds, secondsBetween } from "../platform/clock.ts";
import { transaction, type Transaction } from "../platform/db/index.ts";
import type { JobOutcome } from "../platform/queue/index.ts";
import { insertAttempt, type DeliveryAttempt } from "./attempt-store.ts";
import * as store from "./delivery-store.ts";
import type { WebhookDependencies } from "./dependencies.ts";
import * as endpoints from "./endpoint-store.ts";
import { deliverPendingChanges, openBody } from "./make-delivery.ts";
import { postWebhook, type PostResult } from "./post-webhook.ts";
import { acknowledge, giveUp } from "./receiver-state.ts";
import { nextAttempt, pausedAfterSeconds } from "./retry-schedule.ts";
import { signedHeaders } from "./sign.ts";
import { lockState, saveOutcome } from "./state-store.ts";

/** Longer than an attempt can take. */
const leaseSeconds = 60;
/** A failure stops counting this long after the next attempt was due. */
const lateSeconds = 24 * 60 * 60;
const soonSeconds = 5;

/** One attempt: prepare, post, settle. After a kill at any point it is made again with the same id and bytes. */
export async function runDelivery(
  dependencies: WebhookDependencies,
  deliveryId: string,
): Promise<JobOutcome> {
  const { pool, clock, clients, connections, agent } = dependencies;
  const waiting = await store.findDelivery(pool, deliveryId);
  if (waiting?.status !== "pending" || !waiting.nextAttemptAt) return "done";
  if (waiting.nextAttemptAt > clock.now()) return { retryAt: waiting.nextAttemptAt };
  const endpoint = await findActiveEndpoint(dependencies, waiting);
  if (!endpoint) return "done";
  const leaseEnd = addSeconds(clock.now(), leaseSeconds);
  const delivery = await store.claimDelivery(pool, deliveryId, { now: clock.now(), leaseEnd });
  const client = delivery && (await clients.find(delivery.clientId));
  const key = delivery && (await connections.dataKey(delivery.connectionId));
  if (!delivery || !client?.webhookUri || !key) return "done";

  const at = clock.now();
  const body = openBody(key, delivery.id, delivery.sealedBody);
  const headers = signDelivery(dependencies, client, delivery, { body, at });
  const result = await postWebhook(agent, client.webhookUri, headers, body, () => clock.now());
  const attempt = {
    number: delivery.attempts,
    at,
    durationMs: secondsBetween(at, clock.now()) * 1000,
    status: result.status,
    reason: result.reason,
  };
  return await recordAttempt(dependencies, { delivery, endpoint, attempt, result });
}

function signDelivery(
  { clients }: WebhookDependencies,
  client: Client,
  { id, tokenId }: store.Delivery,
  { body, at }: { body: Buffer; at: Date },
): Record<string, string> {
  return signedHeaders({ id, tokenId, body, secrets: clients.revealSecrets(client), at });
}

/** An attempt, and the endpoint as it was before it. */
interface Attempted {
  delivery: store.Delivery;
  endpoint: endpoints.Endpoint;
  attempt: DeliveryAttempt;
  result: PostResult;
}

/** Undefined for an endpoint that is paused or gone. The delivery waits until it is resumed. */
async function findActiveEndpoint(
  { pool }: WebhookDependencies,
  { id, clientId }: store.Delivery,
): Promise<endpoints.Endpoint | undefined> {
  const endpoint = await endpoints.findEndpoint(pool, clientId);
  if (endpoint?.status === "active") return endpoint;
  return await transaction(pool, async (tx) => {
    // Under the lock, so that a simultaneous resume finds this delivery and enqueues it.
    const current = await endpoints.lockEndpoint(tx, clientId);
    if (current?.status === "active") return current;
    await store.suspendDelivery(tx, id);
    return undefined;
  });
}

/**
 * Records the attempt, then what it changes. A transaction of this room takes its locks in this order: the
 * endpoint, the connection, its poll, the receiver's state, the deliveries.
 */
async function recordAttempt(
  dependencies: WebhookDependencies,
  attempted: Attempted,
): Promise<JobOutcome> {
  const { delivery, attempt, result } = attempted;
  const { pool, clock, log, metrics } = dependencies;
  const now = clock.now();
  await insertAttempt(pool, delivery.id, attempt);
  const settled =
    result.reason === "ok"
      ? await settleAcknowledged(dependencies, attempted, now)
      : await settleFailed(dependencies, attempted, now);
  const { id: deliveryId, connectionId, clientId, tokenId } = delivery;
  const { status, reason } = result;
  const { outcome } = settled;
  const ids = { deliveryId, connectionId, clientId, tokenId, attempt: attempt.number };
  log.info({ ...ids, status, reason, outcome }, "a webhook was attempted");
  metrics.deliveries.inc({ outcome });
  if (settled.retryAt) return { retryAt: settled.retryAt };
  if (outcome === "delivered" || outcome === "failed")
    await deliverPendingChanges(dependencies, connectionId);
  return "done";
}

interface Settled {
  outcome: "delivered" | "failed" | "postponed" | "suspended" | "superseded";
  retryAt?: Date;
}

async function settleAcknowledged(
  { pool }: WebhookDependencies,
  { delivery, endpoint, result }: Attempted,
  now: Date,
): Promise<Settled> {
  await endpoints.forgetFailures(pool, endpoint);
  return await transaction(pool, async (tx) => {
    const state = await lockState(tx, delivery.connectionId);
    const settled = { status: "delivered", lastStatus: result.status, now } as const;
    const after = await store.settleDelivery(tx, delivery, settled);
    if (!after) return { outcome: "superseded" };
    if (state && after.list)
      await saveOutcome(tx, delivery.connectionId, acknowledge(state, after.list));
    return { outcome: "delivered" };
  });
}

async function settleGivenUp(
  tx: Transaction,
  { delivery, result }: Attempted,
  now: Date,
): Promise<Settled> {
  const state = await lockState(tx, delivery.connectionId);
  const settled = { status: "failed", lastStatus: result.status, now } as const;
  const after = await store.settleDelivery(tx, delivery, settled);
  if (!after) return { outcome: "superseded" };
  if (state && after.list) await saveOutcome(tx, delivery.connectionId, giveUp(state, after.list));
  return { outcome: "failed" };
}

async function settleFailed(
  dependencies: WebhookDependencies,
  attempted: Attempted,
  now: Date,
): Promise<Settled> {
  const { pool, random } = dependencies;
  const { delivery, endpoint, result } = attempted;
  const { status: lastStatus, reason, retryAfterSeconds } = result;
  const retryAt = nextAttempt({ step: delivery.scheduleStep, now, random, retryAfterSeconds });
  const countsUntil = addSeconds(retryAt ?? now, lateSeconds);
  const failingSince = await endpoints.noteFailure(pool, endpoint, { now, countsUntil });
  if (!failingSince) return await beginAgain(dependencies, delivery, now);
  if (reason === "gone") return await suspend(dependencies, attempted, "gone", now);
  if (now >= addSeconds(failingSince, pausedAfterSeconds))
    return await suspend(dependencies, attempted, "paused", now);
  if (!retryAt) return await transaction(pool, (tx) => settleGivenUp(tx, attempted, now));
  const postponedTo = await store.postponeDelivery(pool, delivery, { at: retryAt, lastStatus });
  return postponedTo ? { outcome: "postponed", retryAt: postponedTo } : { outcome: "superseded" };
}

/** Answers of an earlier address do not count for the next one. */
async function beginAgain(
  { pool }: WebhookDependencies,
  delivery: store.Delivery,
  now: Date,
): Promise<Settled> {
  const retryAt = addSeconds(now, soonSeconds);
  const hasBegun = await store.beginAgain(pool, delivery, retryAt);
  return hasBegun ? { outcome: "postponed", retryAt } : { outcome: "superseded" };
}

/** A newer attempt or address replaces this one. Its changes are rolled back. */
class Superseded extends Error {}

async function suspend(
  dependencies: WebhookDependencies,
  { delivery, endpoint, result }: Attempted,
  status: "gone" | "paused",
  now: Date,
): Promise<Settled> {
  const { pool, audit } = dependencies;
  const { clientId } = delivery;
  try {
    return await transaction(pool, async (tx) => {
      if (!(await endpoints.suspendEndpoint(tx, endpoint, status))) throw new Superseded();
      const postponed = { at: null, lastStatus: result.status };
      if ((await store.postponeDelivery(tx, delivery, postponed)) === undefined)
        throw new Superseded();
      await store.suspendDeliveries(tx, clientId);
      await audit.record(tx, "client.webhook-stopped", { clientId, detail: { status } });
      return { outcome: "suspended" };
    });
  } catch (error) {
    if (error instanceof Superseded) return await beginAgain(dependencies, delivery, now);
    throw error;
  }
}

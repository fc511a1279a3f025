import type { Client } from "../clients/index.ts";
import { addSeconds, secondsBetween } from "../platform/clock.ts";
import type { DataKey } from "../platform/crypto/index.ts";
import { transaction, type Transaction } from "../platform/db/index.ts";
import { insertAttempt, type DeliveryAttempt } from "./attempt-store.ts";
import * as store from "./delivery-store.ts";
import type { ClaimedDelivery, LastAttempt } from "./delivery-store.ts";
import type { WebhookDependencies } from "./dependencies.ts";
import * as endpoints from "./endpoint-store.ts";
import { enqueueDelivery } from "./enqueue-delivery.ts";
import { deliverPendingChanges, openBody } from "./make-delivery.ts";
import type { PostResult } from "./post-webhook.ts";
import { sendWebhook } from "./send-webhook.ts";
import { sealLastReply } from "./last-reply.ts";
import { acknowledge, giveUp } from "./receiver-state.ts";
import { nextAttempt, pausedAfterSeconds } from "./retry-schedule.ts";
import { signedHeaders } from "./sign.ts";
import { lockState, saveOutcome } from "./state-store.ts";

/** A failure stops counting this long after the next attempt was due. */
const lateSeconds = 24 * 60 * 60;
const soonSeconds = 5;

/**
 * One attempt: prepare, post, settle. After a kill at any point it is made again with the same id and bytes, when its
 * lease has ended. Every write depends on the attempt's number, so one whose lease has ended changes nothing.
 */
export async function runDelivery(
  dependencies: WebhookDependencies,
  delivery: ClaimedDelivery,
  signal: AbortSignal,
): Promise<void> {
  const { pool, clock, clients, connections, ways } = dependencies;
  const { id, clientId, connectionId, sealedBody } = delivery;
  // Before its address: what an earlier address answers does not count for a later one.
  const endpoint = await endpoints.findEndpoint(pool, clientId);
  const client = await clients.find(clientId);
  const key = await connections.dataKey(connectionId);
  if (endpoint?.status !== "active" || !client?.webhookUri || !key)
    return await store.suspendUnattempted(pool, delivery);

  const at = clock.now();
  const body = openBody(key, id, sealedBody);
  const headers = signDelivery(dependencies, client, delivery, { body, at });
  const request = { url: client.webhookUri, headers, body, signal };
  const result = await sendWebhook(ways, client.clientId, request, () => clock.now());
  const attempt = {
    number: delivery.run,
    at,
    durationMs: secondsBetween(at, clock.now()) * 1000,
    status: result.status,
    reason: result.reason,
  };
  await recordAttempt(dependencies, {
    delivery,
    endpoint,
    attempt,
    result,
    last: describeLast(key, id, result),
  });
}

/** What the client is told of the attempt, until the next one. */
function describeLast(
  key: DataKey,
  id: string,
  { status, reason, reply }: PostResult,
): LastAttempt {
  return {
    lastStatus: status,
    lastError: reason === "ok" ? null : reason === "gone" ? "status" : reason,
    sealedReply: reply ? sealLastReply(key, id, reply) : null,
  };
}

function isSlow({ reason }: PostResult): boolean {
  return reason === "timeout";
}

function signDelivery(
  { clients }: WebhookDependencies,
  client: Client,
  { id, tokenId }: ClaimedDelivery,
  { body, at }: { body: Buffer; at: Date },
): Record<string, string> {
  return signedHeaders({ id, tokenId, body, secrets: clients.revealSecrets(client), at });
}

/** An attempt, and the endpoint as it was before it. */
interface Attempted {
  delivery: ClaimedDelivery;
  endpoint: endpoints.Endpoint;
  attempt: DeliveryAttempt;
  result: PostResult;
  last: LastAttempt;
}

/**
 * Records the attempt, then what it changes. A transaction of this room takes its locks in this order: the
 * endpoint, the connection, its poll, the receiver's state, the deliveries.
 */
async function recordAttempt(
  dependencies: WebhookDependencies,
  attempted: Attempted,
): Promise<void> {
  const { delivery, endpoint, attempt, result } = attempted;
  const { pool, clock, log, metrics, queue } = dependencies;
  const now = clock.now();
  await insertAttempt(pool, delivery.id, attempt);
  if (isSlow(result) !== delivery.isSlow) await endpoints.setSlow(pool, endpoint, isSlow(result));
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
  if (settled.retryAt) await enqueueDelivery(queue, delivery, settled.retryAt);
  if (outcome === "delivered" || outcome === "failed")
    await deliverPendingChanges(dependencies, connectionId);
}

interface Settled {
  outcome: "delivered" | "failed" | "postponed" | "suspended" | "superseded";
  retryAt?: Date;
}

async function settleAcknowledged(
  { pool }: WebhookDependencies,
  { delivery, endpoint, last }: Attempted,
  now: Date,
): Promise<Settled> {
  await endpoints.forgetFailures(pool, endpoint);
  return await transaction(pool, async (tx) => {
    const state = await lockState(tx, delivery.connectionId);
    const settled = { status: "delivered", last, now } as const;
    const after = await store.settleDelivery(tx, delivery, settled);
    if (!after) return { outcome: "superseded" };
    if (state && after.list)
      await saveOutcome(tx, delivery.connectionId, acknowledge(state, after.list));
    return { outcome: "delivered" };
  });
}

/** Undefined when another attempt was requested meanwhile, or a newer one has started. */
async function settleGivenUp(
  tx: Transaction,
  { delivery, last }: Attempted,
  now: Date,
): Promise<Settled | undefined> {
  const state = await lockState(tx, delivery.connectionId);
  const settled = { status: "failed", last, now } as const;
  const after = await store.settleDelivery(tx, delivery, settled);
  if (!after) return undefined;
  if (state && after.list) await saveOutcome(tx, delivery.connectionId, giveUp(state, after.list));
  return { outcome: "failed" };
}

async function settleFailed(
  dependencies: WebhookDependencies,
  attempted: Attempted,
  now: Date,
): Promise<Settled> {
  const { pool, random } = dependencies;
  const { delivery, endpoint, result, last } = attempted;
  const { reason, retryAfterSeconds } = result;
  const retryAt = nextAttempt({ step: delivery.scheduleStep, now, random, retryAfterSeconds });
  const countsUntil = addSeconds(retryAt ?? now, lateSeconds);
  const failingSince = await endpoints.noteFailure(pool, endpoint, { now, countsUntil });
  if (!failingSince) return await beginAgain(dependencies, delivery, now);
  if (reason === "gone") return await suspend(dependencies, attempted, "gone", now);
  if (now >= addSeconds(failingSince, pausedAfterSeconds))
    return await suspend(dependencies, attempted, "paused", now);
  const givenUp = retryAt
    ? undefined
    : await transaction(pool, (tx) => settleGivenUp(tx, attempted, now));
  if (givenUp) return givenUp;
  const postponed = { at: retryAt ?? now, last, isSlow: isSlow(result) };
  const postponedTo = await store.postponeDelivery(pool, delivery, postponed);
  return postponedTo ? { outcome: "postponed", retryAt: postponedTo } : { outcome: "superseded" };
}

/** Answers of an earlier address do not count for the next one. */
async function beginAgain(
  { pool }: WebhookDependencies,
  delivery: ClaimedDelivery,
  now: Date,
): Promise<Settled> {
  const retryAt = await store.beginAgain(pool, delivery, addSeconds(now, soonSeconds));
  return retryAt ? { outcome: "postponed", retryAt } : { outcome: "superseded" };
}

/** A newer attempt or address replaces this one. Its changes are rolled back. */
class Superseded extends Error {}

async function suspend(
  dependencies: WebhookDependencies,
  { delivery, endpoint, result, last }: Attempted,
  status: "gone" | "paused",
  now: Date,
): Promise<Settled> {
  const { pool, audit } = dependencies;
  const { clientId } = delivery;
  try {
    return await transaction(pool, async (tx) => {
      if (!(await endpoints.suspendEndpoint(tx, endpoint, status))) throw new Superseded();
      const postponed = { at: null, last, isSlow: isSlow(result) };
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

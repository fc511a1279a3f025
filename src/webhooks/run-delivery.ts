import type { DataKey } from "../platform/crypto/index.ts";
import { transaction, type Transaction } from "../platform/db/index.ts";
import { insertAttempt, type DeliveryAttempt } from "./attempt-store.ts";
import * as store from "./delivery-store.ts";
import type { ClaimedDelivery, LastAttempt } from "./delivery-store.ts";
import type { WebhookDependencies } from "./dependencies.ts";
import * as endpoints from "./endpoint-store.ts";
import { enqueueDelivery } from "./enqueue-delivery.ts";
import { deliverPendingChanges, openBody } from "./make-delivery.ts";
import { openPolled } from "./open-polled.ts";
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
/** A client that somebody else changed in the database is looked at again. When it is confirmed, its webhooks are due. */
const unusedAgainSeconds = 60 * 60;

/**
 * One attempt: prepare, post, settle. After a kill at any point it is made again with the same id and bytes, when its
 * lease has ended. What settles the delivery depends on the attempt's number, so one whose lease has ended settles
 * nothing.
 */
export async function runDelivery(
  dependencies: WebhookDependencies,
  delivery: ClaimedDelivery,
  signal: AbortSignal,
): Promise<void> {
  const { pool, clock, clients, connections, ways } = dependencies;
  const { id, connectionId, sealedBody } = delivery;
  const polled = await openPolled(connections, connectionId);
  if (!polled) return await store.leaveUnattempted(pool, delivery, null);
  const { dataKey, clientId, tokenId } = polled;
  // Read before the address: what an earlier address answers does not count for a later one.
  const endpoint = await endpoints.findEndpoint(pool, clientId);
  const client = await clients.find(clientId);
  if (endpoint?.status !== "active" || client?.webhookUri === null)
    return await store.leaveUnattempted(pool, delivery, null);
  const secrets = client ? clients.revealSecrets(client) : [];
  if (!client || secrets.length === 0)
    return await store.leaveUnattempted(pool, delivery, unusedAgainSeconds);

  const at = clock.now();
  const startedMs = clock.elapsedMs();
  const body = openBody(dataKey, id, sealedBody);
  const headers = signedHeaders({ id, tokenId, body, secrets, at });
  const request = { url: client.webhookUri, headers, body, signal };
  const result = await sendWebhook(ways, client.clientId, request, () => clock.now());
  const attempt = {
    number: delivery.run,
    at,
    durationMs: clock.elapsedMs() - startedMs,
    status: result.status,
    reason: result.reason,
  };
  await recordAttempt(dependencies, {
    delivery: { ...delivery, clientId, tokenId },
    endpoint,
    attempt,
    result,
    last: describeLast(dataKey, id, result),
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
  const { pool, log, metrics, queue } = dependencies;
  await insertAttempt(pool, delivery.id, attempt);
  if (isSlow(result) !== delivery.isSlow) await endpoints.setSlow(pool, endpoint, isSlow(result));
  const settled =
    result.reason === "ok"
      ? await settleAcknowledged(dependencies, attempted)
      : await settleFailed(dependencies, attempted);
  const { id: deliveryId, connectionId, clientId, tokenId } = delivery;
  const { status, reason } = result;
  const { outcome } = settled;
  const ids = { deliveryId, connectionId, clientId, tokenId, attempt: attempt.number };
  log.info({ ...ids, status, reason, outcome }, "a webhook was attempted");
  metrics.deliveries.inc({ outcome });
  if (settled.afterSeconds !== undefined)
    await enqueueDelivery(queue, delivery, settled.afterSeconds);
  if (outcome === "delivered" || outcome === "failed")
    await deliverPendingChanges(dependencies, connectionId);
}

interface Settled {
  outcome: "delivered" | "failed" | "postponed" | "suspended" | "superseded";
  /** Seconds until the next attempt. */
  afterSeconds?: number;
}

async function settleAcknowledged(
  { pool }: WebhookDependencies,
  { delivery, endpoint, last }: Attempted,
): Promise<Settled> {
  await endpoints.forgetFailures(pool, endpoint);
  return await transaction(pool, async (tx) => {
    const state = await lockState(tx, delivery.connectionId);
    const settled = { status: "delivered", last } as const;
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
): Promise<Settled | undefined> {
  const state = await lockState(tx, delivery.connectionId);
  const settled = { status: "failed", last } as const;
  const after = await store.settleDelivery(tx, delivery, settled);
  if (!after) return undefined;
  if (state && after.list) await saveOutcome(tx, delivery.connectionId, giveUp(state, after.list));
  return { outcome: "failed" };
}

async function settleFailed(
  dependencies: WebhookDependencies,
  attempted: Attempted,
): Promise<Settled> {
  const { pool, random } = dependencies;
  const { delivery, endpoint, result, last } = attempted;
  const { reason, retryAfterSeconds } = result;
  const next = nextAttempt({ step: delivery.scheduleStep, random, retryAfterSeconds });
  const failingSeconds = await endpoints.noteFailure(pool, endpoint, (next ?? 0) + lateSeconds);
  if (failingSeconds === undefined) return await beginAgain(dependencies, delivery);
  if (reason === "gone") return await suspend(dependencies, attempted, "gone");
  if (failingSeconds >= pausedAfterSeconds) return await suspend(dependencies, attempted, "paused");
  const givenUp =
    next === undefined ? await transaction(pool, (tx) => settleGivenUp(tx, attempted)) : undefined;
  if (givenUp) return givenUp;
  const postponed = { afterSeconds: next ?? 0, last, isSlow: isSlow(result) };
  return describePostponed(await store.postponeDelivery(pool, delivery, postponed));
}

/** Answers of an earlier address do not count for the next one. */
async function beginAgain(
  { pool }: WebhookDependencies,
  delivery: ClaimedDelivery,
): Promise<Settled> {
  return describePostponed(await store.beginAgain(pool, delivery, soonSeconds));
}

function describePostponed(afterSeconds: number | null | undefined): Settled {
  return typeof afterSeconds === "number"
    ? { outcome: "postponed", afterSeconds }
    : { outcome: "superseded" };
}

/** A newer attempt or address replaces this one. Its changes are rolled back. */
class Superseded extends Error {}

async function suspend(
  dependencies: WebhookDependencies,
  { delivery, endpoint, result, last }: Attempted,
  status: "gone" | "paused",
): Promise<Settled> {
  const { pool, audit } = dependencies;
  const { clientId } = delivery;
  try {
    return await transaction(pool, async (tx) => {
      if (!(await endpoints.suspendEndpoint(tx, endpoint, status))) throw new Superseded();
      const postponed = { afterSeconds: null, last, isSlow: isSlow(result) };
      if ((await store.postponeDelivery(tx, delivery, postponed)) === undefined)
        throw new Superseded();
      await store.suspendDeliveries(tx, clientId);
      await audit.record(tx, "client.webhook-stopped", { clientId, detail: { status } });
      return { outcome: "suspended" };
    });
  } catch (error) {
    if (error instanceof Superseded) return await beginAgain(dependencies, delivery);
    throw error;
  }
}

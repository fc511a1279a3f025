import type { DataKey } from "../platform/crypto/index.ts";
import { setOnCurrentSpan } from "../platform/tracing/index.ts";
import { transaction, type Transaction } from "../platform/db/index.ts";
import type { JobQueue } from "../platform/queue/index.ts";
import * as store from "./delivery-store.ts";
import type { ClaimedDelivery, DeliveryAttempt, LastAttempt } from "./delivery-store.ts";
import type { WebhookDependencies } from "./dependencies.ts";
import * as endpoints from "./endpoint-store.ts";
import { enqueueDelivery } from "./enqueue-delivery.ts";
import { deleteUnwanted, releaseHeads } from "./event-delivery-store.ts";
import { deliverPendingChanges } from "./make-delivery.ts";
import { addressOf, openSending } from "./open-sending.ts";
import { sendWebhook, type PostResult } from "./post-webhook.ts";
import { sealLastReply } from "./delivery-body.ts";
import { markSlow, suspendDeliveries } from "./pending-store.ts";
import { acknowledge, giveUp, hasPendingChanges } from "./receiver-state.ts";
import { nextAttempt, pausedAfterSeconds } from "./retry-schedule.ts";
import { signedEventHeaders, signedHeaders } from "./sign.ts";
import { lockState, saveOutcome } from "./state-store.ts";

/** A failure stops counting this long after the next attempt was due. */
const lateSeconds = 24 * 60 * 60;
const soonSeconds = 5;
/** A client that somebody else changed in the database is looked at again. When it is confirmed, its webhooks are due. */
const unusedAgainSeconds = 60 * 60;

/**
 * One attempt: prepare, post, settle. After a kill at any point it is made again when its lease has ended, with the same
 * id. A webhook about employees has the same bytes then, unless a field was switched off since; an event is written anew.
 * What settles the delivery depends on the attempt's number, so an attempt settles nothing once a later one has begun.
 */
export async function runDelivery(
  dependencies: WebhookDependencies,
  delivery: ClaimedDelivery,
  signal: AbortSignal,
): Promise<void> {
  const { pool, clock, clients, ways } = dependencies;
  const sending = await openSending(dependencies, delivery);
  if (!sending) return await leaveAlone(dependencies, delivery);
  const { kind, clientId, tokenId, body } = sending;
  // Read before the address: a failure of an earlier address does not count for a later one.
  const endpoint = await endpoints.findEndpoint(pool, kind, clientId);
  if (endpoint?.clearedAt && delivery.createdAt <= endpoint.clearedAt)
    return await leaveAlone(dependencies, delivery);
  const client = await clients.findAlsoEnded(clientId);
  const url = client && addressOf(client, sending);
  if (endpoint?.status !== "active" || url === null)
    return await store.leaveUnattempted(pool, delivery, null);
  const secrets = client ? clients.revealSecrets(client) : [];
  if (url === undefined || secrets.length === 0)
    return await store.leaveUnattempted(pool, delivery, unusedAgainSeconds);

  const at = clock.now();
  const startedMs = clock.elapsedMs();
  const signed = { id: delivery.id, ...sending, secrets, at };
  const headers = kind === "events" ? signedEventHeaders(signed) : signedHeaders(signed);
  const request = { url, headers, body, signal };
  const result = await sendWebhook(ways, clientId, request, () => clock.now());
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
    last: describeLast(sending.dataKey, delivery.id, result),
  });
}

/** An event that is not sent any more makes room for the next. A webhook waits: its connection may be written back. */
async function leaveAlone(
  { pool, queue }: WebhookDependencies,
  delivery: ClaimedDelivery,
): Promise<void> {
  const { subject } = delivery;
  if (subject === null) return await store.leaveUnattempted(pool, delivery, null);
  await transaction(pool, async (tx) => {
    await deleteUnwanted(tx, delivery);
    await releaseNext(tx, queue, subject);
  });
}

async function releaseNext(tx: Transaction, queue: JobQueue, subject: string): Promise<void> {
  for (const id of await releaseHeads(tx, [subject]))
    tx.afterCommit(() => enqueueDelivery(queue, { id }));
}

/** What the client is told of the attempt, until the next one. */
function describeLast(
  key: DataKey | undefined,
  id: string,
  { status, reason, reply }: PostResult,
): LastAttempt {
  return {
    lastStatus: status,
    lastError: reason === "ok" ? null : reason === "gone" ? "status" : reason,
    sealedReply: key && reply ? sealLastReply(key, id, reply) : null,
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
  await store.insertAttempt(pool, delivery.id, attempt);
  if (isSlow(result) !== delivery.isSlow) await noteSpeed(dependencies, endpoint, isSlow(result));
  const settled =
    result.reason === "ok"
      ? await settleAcknowledged(dependencies, attempted)
      : await settleFailed(dependencies, attempted);
  const { id: deliveryId, connectionId, clientId, tokenId, eventType } = delivery;
  const { status, reason } = result;
  const { outcome } = settled;
  const ids = { deliveryId, connectionId, clientId, tokenId, eventType, attempt: attempt.number };
  log.info({ ...ids, status, reason, outcome }, "a webhook was attempted");
  metrics.countDelivery(delivery, outcome);
  setOnCurrentSpan({ "rollcall.outcome": outcome });
  if (settled.afterSeconds !== undefined)
    await enqueueDelivery(queue, delivery, settled.afterSeconds);
  if (connectionId !== null && settled.isMoreToTell)
    await deliverPendingChanges(dependencies, connectionId);
}

/** Also when the endpoint is known to be so: a process that was killed has not told all of its deliveries. */
async function noteSpeed(
  { pool }: WebhookDependencies,
  endpoint: endpoints.Endpoint,
  isSlowNow: boolean,
): Promise<void> {
  await endpoints.setSlow(pool, endpoint, isSlowNow);
  await markSlow(pool, endpoint);
}

interface Settled {
  outcome: "delivered" | "failed" | "postponed" | "suspended" | "superseded";
  /** Seconds until the next attempt. */
  afterSeconds?: number;
  /** Whether changes came while the body was on its way. */
  isMoreToTell?: boolean;
}

async function settleAcknowledged(
  dependencies: WebhookDependencies,
  attempted: Attempted,
): Promise<Settled> {
  const { pool } = dependencies;
  await endpoints.forgetFailures(pool, attempted.endpoint);
  const settled = await transaction(pool, (tx) =>
    settle(dependencies, tx, attempted, { status: "delivered", next: acknowledge }),
  );
  return settled ?? { outcome: "superseded" };
}

/** Undefined when another attempt was requested meanwhile, or a newer one has started. */
async function settleGivenUp(
  dependencies: WebhookDependencies,
  attempted: Attempted,
): Promise<Settled | undefined> {
  return await transaction(dependencies.pool, (tx) =>
    settle(dependencies, tx, attempted, { status: "failed", next: giveUp }),
  );
}

/** Ends the delivery, and moves the state of its receiver, or makes the next event due. Undefined for a newer attempt. */
async function settle(
  { queue }: WebhookDependencies,
  tx: Transaction,
  { delivery, last }: Attempted,
  { status, next }: { status: "delivered" | "failed"; next: typeof acknowledge },
): Promise<Settled | undefined> {
  const { connectionId, subject } = delivery;
  const before = connectionId === null ? undefined : await lockState(tx, connectionId);
  const after = await store.settleDelivery(tx, delivery, { status, last });
  if (!after) return undefined;
  const state = before && after.list ? next(before, after.list) : before;
  if (connectionId !== null && state && state !== before)
    await saveOutcome(tx, connectionId, state);
  if (subject !== null) await releaseNext(tx, queue, subject);
  return { outcome: status, isMoreToTell: state !== undefined && hasPendingChanges(state) };
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
  const givenUp = next === undefined ? await settleGivenUp(dependencies, attempted) : undefined;
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
    await transaction(pool, async (tx) => {
      if (!(await endpoints.suspendEndpoint(tx, endpoint, status))) throw new Superseded();
      const postponed = { afterSeconds: null, last, isSlow: isSlow(result) };
      if ((await store.postponeDelivery(tx, delivery, postponed)) === undefined)
        throw new Superseded();
      await audit.record(tx, "client.webhook-stopped", {
        clientId,
        detail: { status, ...(endpoint.kind === "events" && { address: "event_uri" }) },
      });
    });
  } catch (error) {
    if (error instanceof Superseded) return await beginAgain(dependencies, delivery);
    throw error;
  }
  await suspendDeliveries(pool, endpoint);
  return { outcome: "suspended" };
}

import type { Clients } from "../clients/index.ts";
import type { Connections } from "../connections/index.ts";
import { addSeconds, secondsBetween, type Clock } from "../platform/clock.ts";
import { transaction, type Pool, type Transaction } from "../platform/db/index.ts";
import type { Log } from "../platform/log.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { createGuardedAgent } from "../platform/outbound/index.ts";
import type { JobOutcome } from "../platform/queue/index.ts";
import * as store from "./delivery-store.ts";
import { openBody } from "./make-delivery.ts";
import { postWebhook, type PostResult } from "./post-webhook.ts";
import { nextAttempt, pausedAfterSeconds } from "./schedule.ts";
import { signedHeaders } from "./sign.ts";
import { setAcked } from "./watch-store.ts";

export interface DeliveryDependencies {
  pool: Pool;
  clock: Clock;
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

/** One attempt: prepare, post, settle. Killed anywhere between, it is made again with the same id and bytes. */
export async function runDelivery(dependencies: DeliveryDependencies, deliveryId: string): Promise<JobOutcome> {
  const { pool, clock, clients, connections, agent } = dependencies;
  const waiting = await store.findDelivery(pool, deliveryId);
  if (waiting?.status !== "pending" || !waiting.nextAttemptAt) return "done";
  if (waiting.nextAttemptAt > clock.now()) return { retryAt: waiting.nextAttemptAt };
  const delivery = await store.claimDelivery(pool, deliveryId, { now: clock.now(), leaseEnd: addSeconds(clock.now(), leaseSeconds) });
  const client = delivery && (await clients.find(delivery.clientId));
  const key = delivery && (await connections.dataKey(delivery.connectionId));
  if (!delivery || !client?.webhookUri || !key) return "done";

  const at = clock.now();
  const body = openBody(key, delivery.id, delivery.sealedBody);
  const headers = signedHeaders({ id: delivery.id, tokenId: delivery.tokenId, body, secrets: clients.revealSecrets(client), at });
  const result = await postWebhook(agent, client.webhookUri, headers, body, () => clock.now());
  const attempt = { number: delivery.attempts, at, durationMs: secondsBetween(at, clock.now()) * 1000, status: result.status, reason: result.reason };
  return await settle(dependencies, delivery, attempt, result);
}

async function settle(dependencies: DeliveryDependencies, delivery: store.Delivery, attempt: store.Attempt, result: PostResult): Promise<JobOutcome> {
  const { pool, clock, log, metrics, deliverOwed } = dependencies;
  const now = clock.now();
  const settled = await transaction(pool, async (tx) => {
    await store.insertAttempt(tx, delivery.id, attempt);
    return result.reason === "ok" ? await acknowledge(tx, delivery, result, now) : await fail(dependencies, tx, delivery, result, now);
  });
  const { id, connectionId, clientId, tokenId } = delivery;
  log.info({ deliveryId: id, connectionId, clientId, tokenId, attempt: attempt.number, status: result.status, reason: result.reason, outcome: settled.outcome }, "webhook attempted");
  metrics.deliveries.inc({ outcome: settled.outcome });
  if (settled.retryAt) return { retryAt: settled.retryAt };
  if (settled.outcome === "delivered") await deliverOwed(connectionId);
  return "done";
}

interface Settled {
  outcome: "delivered" | "failed" | "postponed" | "parked" | "superseded";
  retryAt?: Date;
}

async function acknowledge(tx: Transaction, delivery: store.Delivery, { status }: PostResult, now: Date): Promise<Settled> {
  const ackedAfter = await store.settleDelivery(tx, delivery, { status: "delivered", lastStatus: status, now });
  if (!ackedAfter) return { outcome: "superseded" };
  await setAcked(tx, delivery.connectionId, ackedAfter);
  await store.forgetFailures(tx, delivery.clientId);
  return { outcome: "delivered" };
}

async function fail({ clients }: DeliveryDependencies, tx: Transaction, delivery: store.Delivery, { status, reason, retryAfterSeconds }: PostResult, now: Date): Promise<Settled> {
  const failingSince = await store.noteFailure(tx, delivery.clientId, now);
  const endpoint = reason === "gone" ? "gone" : now >= addSeconds(failingSince, pausedAfterSeconds) ? "paused" : "active";
  if (endpoint !== "active") {
    if (!(await store.postponeDelivery(tx, delivery, { at: null, lastStatus: status }))) return { outcome: "superseded" };
    await clients.setWebhookStatus(tx, delivery.clientId, endpoint);
    await store.parkDeliveries(tx, delivery.clientId);
    return { outcome: "parked" };
  }
  const retryAt = nextAttempt({ step: delivery.scheduleStep, now, retryAfterSeconds });
  if (!retryAt) return (await store.settleDelivery(tx, delivery, { status: "failed", lastStatus: status, now })) ? { outcome: "failed" } : { outcome: "superseded" };
  return (await store.postponeDelivery(tx, delivery, { at: retryAt, lastStatus: status })) ? { outcome: "postponed", retryAt } : { outcome: "superseded" };
}

import { NotFound } from "../errors.ts";
import { transaction, type Pool, type Transaction } from "../platform/db/index.ts";
import type { Clients } from "../clients/index.ts";
import type { Connections } from "../connections/index.ts";
import type { Clock } from "../platform/clock.ts";
import type { DataKey } from "../platform/crypto/index.ts";
import type { JobQueue } from "../platform/queue/index.ts";
import * as store from "./delivery-store.ts";
import { freezeDelivery, makeDelivery, openBody, type ToldEmployees } from "./make-delivery.ts";
import { packedId } from "./packed-list.ts";
import { schedulePolls } from "./tick.ts";
import { findWatch, lockWatch, type Watch } from "./watch-store.ts";

export interface WebhooksDependencies {
  pool: Pool;
  clock: Clock;
  queue: JobQueue;
  clients: Clients;
  connections: Connections;
}

export const deliveryQueue = "deliver";

type Body = Record<"added" | "removed" | "updated", { id: string }[]>;

/** Webhooks as clients and operators see them: what was sent, what is owed, and sending it again. */
export class Webhooks {
  readonly #dependencies: WebhooksDependencies;

  constructor(dependencies: WebhooksDependencies) {
    this.#dependencies = dependencies;
  }

  /** Newest first. */
  async list(
    clientId: string,
    { after, limit }: { after: string | undefined; limit: number },
  ): Promise<store.Delivery[]> {
    return await store.listDeliveries(this.#dependencies.pool, { clientId, after, limit });
  }

  /** Throws NotFound also for another client's. */
  async find(id: string, clientId?: string): Promise<store.Delivery> {
    const delivery = await store.findDelivery(this.#dependencies.pool, id);
    if (!delivery || (clientId !== undefined && delivery.clientId !== clientId))
      throw new NotFound(id, "The delivery is not known.");
    return delivery;
  }

  async attempts(id: string): Promise<store.Attempt[]> {
    return await store.listAttempts(this.#dependencies.pool, id);
  }

  /**
   * Sends the same bytes again, unless a later body of the connection was acknowledged: older news would then undo it, so those whom the
   * delivery was about are told of as they are now, with whatever else is owed, under a new id. A body that is in flight is tried at once
   * instead. Resumes an endpoint that was paused or gone. Gives the delivery that will be sent.
   */
  async replay(delivery: store.Delivery): Promise<store.Delivery> {
    const { pool, clock, clients, connections } = this.#dependencies;
    const client = await clients.find(delivery.clientId);
    const key = await connections.dataKey(delivery.connectionId);
    if (!client?.webhookUri || !key) throw unsendable(delivery);
    const sent = await transaction(pool, async (tx) => {
      if (client.webhookStatus !== "active") {
        await clients.resumeWebhooks(tx, client.clientId);
        await store.forgetFailures(tx, client.clientId);
      }
      if (!(await connections.hold(tx, delivery.connectionId))) throw unsendable(delivery);
      const watch = await lockWatch(tx, delivery.connectionId);
      const inFlight = await store.findInFlight(tx, delivery.connectionId);
      if (inFlight) return await store.sendAgain(tx, inFlight.id, clock.now());
      if (!(await store.hasLaterAcknowledged(tx, delivery)))
        return await store.sendAgain(tx, delivery.id, clock.now());
      const fresh =
        watch &&
        (await freezeDelivery(tx, {
          clock,
          key,
          watch,
          told: await readTold(tx, key, delivery.id),
        }));
      if (fresh === undefined)
        throw new NotFound(
          delivery.id,
          "A later webhook was acknowledged, and the employees have not been read since the webhook address was set. Try again after the next poll.",
        );
      return await store.findDelivery(tx, fresh);
    });
    const found = sent ?? delivery;
    await this.enqueue(found);
    return found;
  }

  /** Makes a delivery and enqueues it, when there are pending changes. */
  async deliverOwed(connectionId: string): Promise<void> {
    const id = await makeDelivery(this.#dependencies, connectionId);
    const made = id && (await store.findDelivery(this.#dependencies.pool, id));
    if (made) await this.enqueue(made);
  }

  async enqueue({ id, attempts }: store.Delivery): Promise<void> {
    await this.#dependencies.queue.enqueue(deliveryQueue, `${id}-${attempts}`, { deliveryId: id });
  }

  /** Makes polls due and schedules them: of one token, or of all that are polled. Gives the connections. */
  async pollNow(tokenId: string | undefined): Promise<string[]> {
    const { pool, connections } = this.#dependencies;
    const ids = await connections.pollNow(pool, tokenId);
    await schedulePolls(this.#dependencies);
    return ids;
  }

  async findWatch(connectionId: string): Promise<Watch | undefined> {
    return await findWatch(this.#dependencies.pool, connectionId);
  }
}

function unsendable({ id }: store.Delivery): NotFound {
  return new NotFound(id, "The client has no webhook address, or the token was disconnected.");
}

async function readTold(tx: Transaction, key: DataKey, deliveryId: string): Promise<ToldEmployees> {
  const sealed = await store.findSealedBody(tx, deliveryId);
  if (!sealed) return new Map();
  const { added, removed, updated } = JSON.parse(
    openBody(key, deliveryId, sealed).toString(),
  ) as Body;
  return new Map(
    [...removed, ...added, ...updated].map((employee) => [
      packedId(Buffer.from(employee.id, "base64url")),
      JSON.stringify(employee),
    ]),
  );
}

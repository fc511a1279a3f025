import type { Connections } from "../connections/index.ts";
import type { Clients } from "../clients/index.ts";
import { NotFound, type ClientId, type ConnectionId, type TokenId } from "../model/index.ts";
import type { LeasedWork } from "../platform/leases/index.ts";
import type { JobDefinition } from "../platform/queue/index.ts";
import { listAttempts, type DeliveryAttempt } from "./attempt-store.ts";
import * as deliveries from "./delivery-store.ts";
import type { WebhookDependencies } from "./dependencies.ts";
import { findEndpoint, recordAddress, type EndpointStatus } from "./endpoint-store.ts";
import { createDeliveryWork, deliveryJob } from "./jobs.ts";
import {
  countPolls,
  findPoll,
  insertPoll,
  makePollsDue,
  setReadable,
  type Poll,
  type PollCounts,
} from "./poll-store.ts";
import { openLastReply } from "./last-reply.ts";
import { openBody } from "./make-delivery.ts";
import { isPolled } from "./open-polled.ts";
import { replayDelivery } from "./replay-delivery.ts";
import { PollRuns } from "./poll-runs.ts";
import { continuePoll } from "./run-poll.ts";
import { schedulePolls } from "./schedule-polls.ts";
import { removeOld, sweepWebhooks, undeliveredAge } from "./sweep.ts";

/** This process's part of the deliveries, and the job that wakes it. */
export interface DeliveryWork {
  work: LeasedWork<deliveries.ClaimedDelivery>;
  job: JobDefinition<{ deliveryId: string }>;
}

/** The room as the rest of the program sees it. */
export class Webhooks {
  readonly polls: PollRuns;
  readonly #dependencies: WebhookDependencies;

  /** Observes clients, connections and the reads of employees. */
  constructor(dependencies: WebhookDependencies) {
    this.#dependencies = dependencies;
    this.polls = new PollRuns(dependencies);
    this.#follow(dependencies.clients, dependencies.connections);
    dependencies.employees.observe(async (connectionId, answer) => {
      if (await continuePoll(dependencies, connectionId, answer)) this.polls.begin(connectionId);
    });
  }

  /** Newest first. */
  async list(
    clientId: ClientId,
    { after, limit }: { after: string | undefined; limit: number },
  ): Promise<deliveries.Delivery[]> {
    const { pool, connections } = this.#dependencies;
    const listed = await deliveries.listDeliveries(pool, { clientId, after, limit });
    const found = await connections.findAll(listed.map(({ connectionId }) => connectionId));
    const byId = new Map(found.map((connection) => [connection.id, connection]));
    return listed.flatMap((delivery) => {
      const connection = byId.get(delivery.connectionId);
      return connection?.clientId === clientId
        ? [{ ...delivery, clientId, tokenId: connection.tokenId }]
        : [];
    });
  }

  /** Throws NotFound, also for a delivery of another client. */
  async find(id: string, clientId?: ClientId): Promise<deliveries.Delivery> {
    const { pool, connections } = this.#dependencies;
    const delivery = await deliveries.findDelivery(pool, id);
    const opened = delivery && (await connections.openKey(delivery.connectionId));
    if (!delivery || !opened || (clientId !== undefined && opened.grant.clientId !== clientId))
      throw new NotFound(id, "The delivery is not known.");
    const { clientId: owner, tokenId } = opened.grant;
    return { ...delivery, clientId: owner, tokenId };
  }

  /** The body as it is signed. Null unless the connection is of the sandbox: personal data stays where it was sent. */
  async sandboxBody({ id, connectionId }: deliveries.Delivery): Promise<Buffer | null> {
    const { pool, connections } = this.#dependencies;
    const opened = await connections.openKey(connectionId);
    if (opened?.grant.provider !== "sandbox") return null;
    const sealed = await deliveries.findSealedBody(pool, id);
    return sealed ? openBody(opened.dataKey, id, sealed) : null;
  }

  /** The beginning of the last attempt's reply, when it was a refusal. Null without one. */
  async lastReply({ id, connectionId }: deliveries.Delivery): Promise<string | null> {
    const { pool, connections } = this.#dependencies;
    const sealed = await deliveries.findSealedReply(pool, id);
    const key = sealed && (await connections.dataKey(connectionId));
    return key ? openLastReply(key, id, sealed) : null;
  }

  async attempts(id: string): Promise<DeliveryAttempt[]> {
    return await listAttempts(this.#dependencies.pool, id);
  }

  async replay(delivery: deliveries.Delivery): Promise<deliveries.Delivery> {
    const { clientId, tokenId } = delivery;
    return { ...(await replayDelivery(this.#dependencies, delivery)), clientId, tokenId };
  }

  /** Null for a client without a webhook address. */
  async statusOf(clientId: ClientId): Promise<EndpointStatus | null> {
    return (await findEndpoint(this.#dependencies.pool, clientId))?.status ?? null;
  }

  /** Begins polls that are not due: of one token, or all. The workers do the rest. Returns the connections. */
  async pollNow(tokenId: TokenId | undefined): Promise<string[]> {
    const ids = await makePollsDue(this.#dependencies.pool, { tokenId });
    await schedulePolls(this.#dependencies, () => undefined);
    return ids;
  }

  async findPoll(connectionId: ConnectionId): Promise<Poll | undefined> {
    return await findPoll(this.#dependencies.pool, connectionId);
  }

  /** Begins to work on deliveries in this process. */
  workOnDeliveries(): DeliveryWork {
    const work = createDeliveryWork(this.#dependencies);
    work.start();
    return { work, job: deliveryJob(work) };
  }

  async schedulePolls(): Promise<number> {
    return await schedulePolls(this.#dependencies, (connectionId) =>
      this.polls.begin(connectionId),
    );
  }

  async sweep(signal?: AbortSignal): Promise<void> {
    await sweepWebhooks(this.#dependencies, signal);
  }

  async removeOld(signal?: AbortSignal): Promise<void> {
    await removeOld(this.#dependencies, signal);
  }

  async pollCounts(): Promise<PollCounts> {
    return await countPolls(this.#dependencies.pool);
  }

  async deliveryCounts(): Promise<deliveries.DeliveryCount[]> {
    return await deliveries.countDeliveries(this.#dependencies.pool);
  }

  async undeliveredAge(): Promise<number> {
    return await undeliveredAge(this.#dependencies);
  }

  #follow(clients: Clients, connections: Connections): void {
    clients.observe({
      onWebhookUriSet: (tx, { clientId, webhookUri }) =>
        recordAddress(tx, clientId, {
          isSet: webhookUri !== null,
          originKey: this.#originKey(webhookUri),
        }),
    });
    connections.observe({
      onClaimed: async (tx, connection) => {
        if (isPolled(connection)) await insertPoll(tx, connection);
      },
      onRefused: (tx, { id }) => setReadable(tx, id, false),
      onReauthenticated: (tx, { id }) => setReadable(tx, id, true),
    });
  }

  #originKey(webhookUri: string | null): string {
    if (webhookUri === null) return "";
    return this.#dependencies.keyring.pseudonym(`origin ${new URL(webhookUri).origin}`);
  }
}

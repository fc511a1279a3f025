import { z } from "zod";
import type { Connections } from "../connections/index.ts";
import type { Clients } from "../clients/index.ts";
import {
  NotFound,
  usualPollResources,
  type ClientId,
  type ConnectionId,
  type TokenId,
} from "../model/index.ts";
import { deleteInBatches, type Transaction } from "../platform/db/index.ts";
import type { LeasedWork } from "../platform/leases/index.ts";
import type { JobDefinition } from "../platform/queue/index.ts";
import { askToClean } from "./clean-stored.ts";
import * as deliveries from "./delivery-store.ts";
import type { WebhookDependencies } from "./dependencies.ts";
import {
  endEndpoints,
  findStatuses,
  recordAddress,
  recordPolled,
  type EndpointKind,
} from "./endpoint-store.ts";
import { deliveryQueue } from "./enqueue-delivery.ts";
import { createDeliveryWork } from "./jobs.ts";
import { findPoll, insertPoll, makePollsDue, setReadable, type Poll } from "./poll-store.ts";
import { firstPlaces } from "./looks.ts";
import { openBody, openLastReply, withoutFieldsOff } from "./delivery-body.ts";
import { compareLists } from "./compare-lists.ts";
import { deleteWaiting, hasUnsettled } from "./event-delivery-store.ts";
import { coversEmployees } from "./open-polled.ts";
import { findOwnEvents, listOwnDeliveries, type ListedDeliveries } from "./list-deliveries.ts";
import { placeDeliveries } from "./place-deliveries.ts";
import { ReceiverLists } from "./receiver-lists.ts";
import { replayDelivery } from "./replay-delivery.ts";
import { PollRuns } from "./poll-runs.ts";
import { continuePoll } from "./run-poll.ts";
import { schedulePolls } from "./schedule-polls.ts";
import { settlePending } from "./settle-pending.ts";
import { removeOld, sweepWebhooks } from "./sweep.ts";

/** This process's part of the deliveries, and the job that wakes it. */
export interface DeliveryWork {
  work: LeasedWork<deliveries.ClaimedDelivery>;
  job: JobDefinition<{ deliveryId: string }>;
}

/** The room as the rest of the program sees it. */
export class Webhooks {
  readonly polls: PollRuns;
  readonly lists: ReceiverLists;
  readonly #dependencies: WebhookDependencies;
  readonly #places = firstPlaces();

  /** Observes clients, connections and the reads of employees. */
  constructor(dependencies: WebhookDependencies) {
    this.#dependencies = dependencies;
    this.polls = new PollRuns(dependencies);
    this.lists = new ReceiverLists(dependencies.pool);
    this.#follow(dependencies.clients, dependencies.connections);
    dependencies.events.onPlaced((tx, events) => placeDeliveries(dependencies, tx, events));
    dependencies.pollSource.compareWith(compareLists(dependencies.pool));
    dependencies.pollSource.observe(async (connectionId, answer) => {
      if (await continuePoll(dependencies, connectionId, answer)) this.polls.begin(connectionId);
    });
  }

  /** Newest first. */
  async list(filter: ListedDeliveries): Promise<deliveries.Delivery[]> {
    return await listOwnDeliveries(this.#dependencies, filter);
  }

  /** Throws NotFound, also for a delivery of another client. */
  async find(id: string, clientId?: ClientId): Promise<deliveries.Delivery> {
    const { pool } = this.#dependencies;
    const delivery = await deliveries.findDelivery(pool, id);
    const owner = delivery && (await this.#findOwner(delivery));
    if (!owner || (clientId !== undefined && owner.clientId !== clientId))
      throw new NotFound(id, "The delivery is not known.");
    return { ...delivery, ...owner };
  }

  /** Whose it is, as the bound token says. */
  async #findOwner(
    delivery: deliveries.Delivery,
  ): Promise<Pick<deliveries.Delivery, "clientId" | "tokenId"> | undefined> {
    const { connections } = this.#dependencies;
    const { connectionId, clientId, tokenId } = delivery;
    if (connectionId === null) {
      const own = await findOwnEvents(this.#dependencies, [delivery]);
      return own.has(delivery.id) ? { clientId, tokenId } : undefined;
    }
    const grant = (await connections.openKey(connectionId))?.grant;
    return grant && { clientId: grant.clientId, tokenId: grant.tokenId };
  }

  /** The body as it is signed. Null unless the connection is of the sandbox: personal data stays where it was sent. */
  async sandboxBody({
    id,
    connectionId,
    ...delivery
  }: deliveries.Delivery): Promise<Buffer | null> {
    const { pool, clients, connections, events } = this.#dependencies;
    if (connectionId === null) {
      const [event] = await events.render(delivery.clientId, await events.find([id]));
      if (event?.data["provider"] !== "sandbox") return null;
      const { id: _id, ...content } = event;
      return Buffer.from(JSON.stringify(content));
    }
    const opened = await connections.openKey(connectionId);
    if (opened?.grant.provider !== "sandbox") return null;
    const sealed = await deliveries.findSealed(pool, id, "sealed_body");
    if (!sealed) return null;
    const { clientId } = opened.grant;
    return await withoutFieldsOff(openBody(opened.dataKey, id, sealed), clients, clientId);
  }

  /** The beginning of the last attempt's reply, when it was a refusal. Null without one. */
  async lastReply({ id, connectionId }: deliveries.Delivery): Promise<string | null> {
    const { pool, connections } = this.#dependencies;
    const sealed = await deliveries.findSealed(pool, id, "sealed_public_reply");
    const key = sealed && connectionId && (await connections.dataKey(connectionId));
    return key ? openLastReply(key, id, sealed) : null;
  }

  async replay(delivery: deliveries.Delivery): Promise<deliveries.Delivery> {
    const { clientId, tokenId } = delivery;
    return { ...(await replayDelivery(this.#dependencies, delivery)), clientId, tokenId };
  }

  /** Null where the client has no such address. */
  async statusesOf(clientId: ClientId): ReturnType<typeof findStatuses> {
    return await findStatuses(this.#dependencies.pool, clientId);
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
    return { work, job: work.job(deliveryQueue, z.object({ deliveryId: z.uuid() })) };
  }

  async schedulePolls(signal?: AbortSignal): Promise<number> {
    return await schedulePolls(
      this.#dependencies,
      (connectionId) => this.polls.begin(connectionId),
      signal,
    );
  }

  /** What is pending for addresses that were removed, set or resumed. */
  async settlePending(signal?: AbortSignal): Promise<void> {
    await settlePending(this.#dependencies, signal);
  }

  async sweep(signal?: AbortSignal): Promise<void> {
    await sweepWebhooks(this.#dependencies, { signal, places: this.#places });
  }

  async removeOld(signal?: AbortSignal): Promise<void> {
    await removeOld(this.#dependencies, signal);
  }

  /**
   * Whether the last webhooks of a client that has ended have arrived or were given up. Those for an address that is
   * stopped are given up now.
   */
  async hasToldLast(clientId: ClientId): Promise<boolean> {
    const { pool } = this.#dependencies;
    if ((await this.statusesOf(clientId)).events !== "active")
      await deleteInBatches((limit) => deleteWaiting(pool, clientId, limit));
    return !(await hasUnsettled(pool, clientId));
  }

  #follow(clients: Clients, connections: Connections): void {
    clients.observe({
      onWebhookUriSet: (tx, { clientId, webhookUri }) =>
        this.#recordAddress(tx, "employees", clientId, webhookUri),
      onEventsSet: async (tx, { clientId, eventUri, pollResources }, hasSetAddress) => {
        if (hasSetAddress) await this.#recordAddress(tx, "events", clientId, eventUri);
        const usual = eventUri === null ? null : usualPollResources;
        await recordPolled(tx, clientId, pollResources ?? usual);
      },
      onFieldsSwitched: (tx, { clientId }) => askToClean(tx, clientId),
      onEnded: (tx, { clientId, eventUri }) =>
        endEndpoints(tx, clientId, { hearsOfEnd: eventUri !== null }),
    });
    connections.observe({
      onClaimed: async (tx, connection) => {
        await insertPoll(tx, connection, coversEmployees(connection));
      },
      onRefused: (tx, { id }) => setReadable(tx, id, false),
      onReauthenticated: (tx, { id }) => setReadable(tx, id, true),
    });
  }

  async #recordAddress(
    tx: Transaction,
    kind: EndpointKind,
    clientId: ClientId,
    address: string | null,
  ): Promise<void> {
    const { keyring } = this.#dependencies;
    const originKey =
      address === null ? "" : keyring.pseudonym(`origin ${new URL(address).origin}`);
    await recordAddress(tx, kind, { clientId, isSet: address !== null, originKey });
  }
}

import type { Connections } from "../connections/index.ts";
import type { ClientId, ConnectionId, EventType } from "../model/index.ts";
import type { SteadyClock } from "../platform/clock.ts";
import {
  deleteOld,
  transaction,
  type Listener,
  type Pool,
  type Queryable,
  type Transaction,
} from "../platform/db/index.ts";
import { stateOf, type PlacedEvent, type SentEvent, type StoredEvent } from "./event.ts";
import * as store from "./event-store.ts";
import { renderEvents } from "./render-events.ts";

export interface EventsDependencies {
  pool: Pool;
  clock: SteadyClock;
  listener: Listener;
  connections: Connections;
}

/**
 * Another room's part in the transaction that gives events their positions. Returns them as they are told: one may stand
 * for an older one.
 */
export type OnPlaced = (tx: Transaction, events: readonly PlacedEvent[]) => Promise<PlacedEvent[]>;

/** A part of a client's events. */
export interface EventPage {
  events: SentEvent[];
  /** The position to ask with next. */
  after: number;
  hasMore: boolean;
}

const placedAtOnce = 500;
const keptSeconds = 30 * 24 * 3600;
/** A notice can be missed, so who waits looks all the same. */
const lookEveryMs = 1_000;

/** What happened to connections, told to their clients. */
export class Events {
  readonly #dependencies: EventsDependencies;
  #onPlaced: OnPlaced = async (_tx, events) => [...events];

  constructor(dependencies: EventsDependencies) {
    this.#dependencies = dependencies;
  }

  /** The webhooks room observes, to send them. */
  onPlaced(onPlaced: OnPlaced): void {
    this.#onPlaced = onPlaced;
  }

  /**
   * Gives positions to the events that are committed. One writer at a time does, so whoever has read the list up to a
   * position has missed none before it, however long a transaction took. Returns how many they were.
   */
  async place(): Promise<number> {
    const { pool } = this.#dependencies;
    if (!(await store.hasWaiting(pool))) return 0;
    let total = 0;
    for (;;) {
      const placed = await transaction(pool, (tx) => this.#placeSome(tx), {
        lock: "positions of events",
      });
      total += placed;
      if (placed < placedAtOnce) return total;
    }
  }

  /**
   * For a database that was restored: clients have cursors of events that came after the backup. The next events come
   * behind all of them.
   */
  async skipLost(tx: Transaction): Promise<void> {
    await store.skipPositions(tx);
  }

  /** Whether every event of the client has its position, and so its webhook. */
  async arePlaced(clientId: ClientId): Promise<boolean> {
    return !(await store.hasWaiting(this.#dependencies.pool, clientId));
  }

  async #placeSome(tx: Transaction): Promise<number> {
    const waiting = await store.findWaiting(tx, placedAtOnce);
    if (waiting.length === 0) return 0;
    const head = await store.findHead(tx);
    const placed = waiting.map((event, index) => ({
      ...event,
      position: head + 1 + index,
      data: stateOf(event.type) ? { ...event.data, replaces: [] } : event.data,
    }));
    await store.placeEvents(tx, await this.#onPlaced(tx, placed));
    return placed.length;
  }

  /** The client's events after a position. Waits so long, or until the signal fires, for a page that is not empty. */
  async list(
    clientId: ClientId,
    { after, limit }: { after: number; limit: number },
    { waitMs, signal }: { waitMs: number; signal: AbortSignal },
  ): Promise<EventPage> {
    const { clock, listener } = this.#dependencies;
    const startedMs = clock.elapsedMs();
    for (;;) {
      const remainingMs = waitMs - (clock.elapsedMs() - startedMs);
      const isOver = remainingMs <= 0 || signal.aborted;
      const notice = isOver
        ? undefined
        : listener.waitFor(store.noticeOf(clientId), Math.min(lookEveryMs, remainingMs), signal);
      const page = await this.#list(clientId, { after, limit });
      if (page.events.length > 0 || !notice) return page;
      await notice;
    }
  }

  async #list(
    clientId: ClientId,
    { after, limit }: { after: number; limit: number },
  ): Promise<EventPage> {
    const { pool } = this.#dependencies;
    const found = await store.listEvents(pool, { clientId, after, limit: limit + 1 });
    const listed = found.slice(0, limit);
    return {
      events: await renderEvents(this.#dependencies, clientId, listed),
      after: listed.at(-1)?.position ?? after,
      hasMore: found.length > limit,
    };
  }

  /** Those of the ids that there are, of whichever client, oldest first. */
  async find(
    ids: readonly string[],
    db: Queryable = this.#dependencies.pool,
  ): Promise<StoredEvent[]> {
    return await store.findEvents(db, ids);
  }

  /** As the client gets them, without those that are about connections of another one. */
  async render(clientId: ClientId, events: readonly StoredEvent[]): Promise<SentEvent[]> {
    return await renderEvents(this.#dependencies, clientId, events);
  }

  /** What happened to a connection within 30 days, the newest first. */
  async ofConnection(connectionId: ConnectionId, limit: number): Promise<store.HistoryEntry[]> {
    return await store.findHistory(this.#dependencies.pool, connectionId, limit);
  }

  /** How often each of the connections has had an event of the type within 30 days. */
  async timesOf(
    type: EventType,
    connectionIds: readonly ConnectionId[],
  ): Promise<Map<ConnectionId, number>> {
    return await store.countByConnection(this.#dependencies.pool, type, connectionIds);
  }

  async removeOld(signal?: AbortSignal): Promise<void> {
    const old = { table: "events", key: "id", since: "created_at", keptSeconds };
    await deleteOld(this.#dependencies.pool, old, signal);
  }
}

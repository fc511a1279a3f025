import { v7 as uuidv7 } from "uuid";
import type { Connections, ConnectionSummary } from "../connections/index.ts";
import type { AuthErrorCode, ConnectionId, Identity, Resource } from "../model/index.ts";
import { addSeconds, secondsBetween, type Clock } from "../platform/clock.ts";
import type { Listener, Pool } from "../platform/db/index.ts";
import type { Log } from "../platform/log.ts";
import type { JobQueue } from "../platform/queue/index.ts";
import type { ProviderHost } from "../providers/index.ts";
import * as fetches from "./fetch-store.ts";
import type { OpenedPart, SnapshotPart, SnapshotReader } from "./open-snapshot.ts";
import { encodeParameters, isPayrunId, type Parameters } from "./parameters.ts";
import type { Reading } from "./reading.ts";
import { enqueueFetch } from "./enqueue-fetch.ts";
import { findIssuedPayrun, findSnapshotVersion } from "./snapshot-store.ts";

export interface SyncDependencies {
  pool: Pool;
  clock: Clock;
  log: Log;
  queue: JobQueue;
  listener: Listener;
  connections: Connections;
  host: ProviderHost;
  reader: SnapshotReader;
  freshSeconds: number;
  staleSeconds: number;
}

export interface ReadRequest {
  connectionId: ConnectionId;
  resource: Resource;
  parameters: Parameters;
  /** As the admission of the request found them. */
  authFailure: AuthErrorCode | null;
  snapshot: { version: string; fetchedAt: Date } | undefined;
  /** Data older than this is fetched anew before it is served. Undefined means the configured limits. */
  maxAgeSeconds: number | undefined;
}

const longestRetrySeconds = 300;
const assumedDurationMs = 1_000;
const settledPollMs = 1_000;

/** Our copy of provider data: serves what is stored and requests a fetch of what is not. */
export class Sync {
  readonly #dependencies: SyncDependencies;

  constructor(dependencies: SyncDependencies) {
    this.#dependencies = dependencies;
  }

  async read(request: ReadRequest): Promise<Reading> {
    const { authFailure, snapshot, maxAgeSeconds } = request;
    if (authFailure) return { kind: "refused", code: authFailure };
    const { clock, freshSeconds, staleSeconds } = this.#dependencies;
    const age = snapshot ? secondsBetween(snapshot.fetchedAt, clock.now()) : Infinity;
    if (snapshot && age <= (maxAgeSeconds ?? freshSeconds)) return { kind: "ready", ...snapshot };
    if (snapshot && maxAgeSeconds === undefined && age <= staleSeconds) {
      await this.#requestFetch(request);
      return { kind: "ready", ...snapshot };
    }
    return await this.#requestFetch(request);
  }

  /** Resolves when the fetch is settled, when `until` has come, or when the signal fires. */
  async waitUntilSettled(fetchId: string, until: Date, signal: AbortSignal): Promise<void> {
    const { pool, clock, listener } = this.#dependencies;
    for (;;) {
      const remainingMs = until.getTime() - clock.now().getTime();
      if (remainingMs <= 0 || signal.aborted) return;
      const heard = listener.waitFor(fetchId, Math.min(settledPollMs, remainingMs), signal);
      if (!(await fetches.isPending(pool, fetchId))) return;
      await heard;
    }
  }

  /** The bytes of a stored reply; undefined when that version is no longer stored. */
  async open(
    part: Omit<SnapshotPart, "parameters"> & { parameters: Parameters },
  ): Promise<OpenedPart> {
    return await this.#dependencies.reader.open({
      ...part,
      parameters: encodeParameters(part.parameters),
    });
  }

  async identity(
    connectionId: ConnectionId,
  ): Promise<{ identity: Identity; capturedAt: Date } | undefined> {
    return await this.#dependencies.connections.identity(connectionId);
  }

  async #requestFetch({
    connectionId,
    resource,
    parameters,
    maxAgeSeconds,
  }: ReadRequest): Promise<Reading> {
    const { pool, clock, connections, host, freshSeconds } = this.#dependencies;
    const connection = await connections.find(connectionId);
    if (!connection) return { kind: "disconnected" };
    const { provider, mode, unsupported, signedInAt } = connection;
    if (unsupported.includes(resource) || !host.hasResource({ provider, mode, resource }))
      return { kind: "unsupported" };
    if (
      parameters.payrunId !== undefined &&
      !(await this.#isIssued(connectionId, parameters.payrunId))
    )
      return { kind: "unknown-payrun" };

    const key = { connectionId, resource, parameters: encodeParameters(parameters) };
    const now = clock.now();
    if (await fetches.isKnownUnsupported(pool, { connectionId, resource }, { now, signedInAt }))
      return { kind: "unsupported" };
    const storedAfter = addSeconds(now, -(maxAgeSeconds ?? freshSeconds));
    const requested = await fetches.requestFetch(
      pool,
      { ...key, provider, mode },
      { id: uuidv7({ msecs: now.getTime() }), now, storedAfter, signedInAt },
    );
    if (requested) {
      await enqueueFetch(this.#dependencies, requested);
      return await this.#pending(requested);
    }
    const known = await fetches.findFetch(pool, key);
    return known ? await this.#describe(known, connection) : { kind: "disconnected" };
  }

  /** What a caller gets when the fetch was not requested anew. */
  async #describe(fetch: fetches.Fetch, connection: ConnectionSummary): Promise<Reading> {
    const { pool, clock, connections } = this.#dependencies;
    if (fetch.state === "pending") return await this.#pending(fetch);
    const keptSeconds = fetch.keptUntil ? secondsBetween(clock.now(), fetch.keptUntil) : 1;
    switch (fetch.outcome) {
      case "unavailable":
        return { kind: "unavailable", retryAfterSeconds: Math.max(1, Math.ceil(keptSeconds)) };
      case "broken":
        return { kind: "broken" };
      case "unsupported":
        return { kind: "unsupported" };
      case "refused": {
        const current = await connections.find(connection.id);
        return current?.authFailure
          ? { kind: "refused", code: current.authFailure }
          : { kind: "pending", fetchId: fetch.id, retryAfterSeconds: 1 };
      }
      case "stored":
      case null: {
        const snapshot = await findSnapshotVersion(pool, fetch);
        return snapshot
          ? { kind: "ready", ...snapshot }
          : { kind: "pending", fetchId: fetch.id, retryAfterSeconds: 1 };
      }
    }
  }

  /**
   * Retry-After is the greatest of: the time that such a fetch usually still takes, the time until the next
   * try, a quarter of the age of the request.
   */
  async #pending(fetch: fetches.Fetch): Promise<Reading> {
    const { pool, clock } = this.#dependencies;
    const usualMs = (await fetches.findUsualDuration(pool, fetch)) ?? assumedDurationMs;
    const now = clock.now();
    const age = secondsBetween(fetch.requestedAt, now);
    const seconds = Math.max(usualMs / 1000 - age, secondsBetween(now, fetch.nextTryAt), age / 4);
    return {
      kind: "pending",
      fetchId: fetch.id,
      retryAfterSeconds: Math.min(longestRetrySeconds, Math.max(1, Math.ceil(seconds))),
    };
  }

  async #isIssued(connectionId: ConnectionId, payrunId: string): Promise<boolean> {
    return (
      isPayrunId(payrunId) &&
      (await findIssuedPayrun(this.#dependencies.pool, connectionId, payrunId)) !== undefined
    );
  }
}

import type { Connections, ConnectionSummary } from "../connections/index.ts";
import type { AuthErrorCode, ConnectionId, Identity, Resource } from "../model/index.ts";
import { addSeconds, secondsBetween, type Clock } from "../platform/clock.ts";
import type { Pool } from "../platform/db/index.ts";
import type { ProviderRegistry } from "../providers/index.ts";
import type { Read, Reads } from "../reading/index.ts";
import type { OpenedPart, SnapshotPart, SnapshotReader } from "./open-snapshot.ts";
import { encodeParameters, isPayrunId, type Parameters } from "./parameters.ts";
import { findMissing } from "./missing-resource.ts";
import type { Reading } from "./reading.ts";
import { findIssuedPayrun, findSnapshot } from "./snapshot-store.ts";

export interface SyncDependencies {
  pool: Pool;
  clock: Clock;
  connections: Connections;
  registry: ProviderRegistry;
  reads: Reads;
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
/** While the next read runs, data may be so old where the provider's length or limits allow nothing fresher. */
const oldestSeconds = 24 * 3600;
const slowReadMs = 60_000;
const assumedDurationMs = 1_000;

/** Our copy of provider data: serves what is stored and asks for a read of what is not. */
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
      await this.#requestRead(request);
      return { kind: "ready", ...snapshot };
    }
    const reading = await this.#requestRead(request);
    const mayBeOld = maxAgeSeconds === undefined && age <= oldestSeconds;
    return snapshot && mayBeOld && reading.kind === "pending" && reading.isSlow
      ? { kind: "ready", ...snapshot }
      : reading;
  }

  /** Resolves when the read is settled, after `waitMs`, or when the signal fires. */
  async waitUntilSettled(readId: string, waitMs: number, signal: AbortSignal): Promise<void> {
    await this.#dependencies.reads.waitUntilSettled(readId, waitMs, signal);
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

  async #requestRead({
    connectionId,
    resource,
    parameters,
    maxAgeSeconds,
  }: ReadRequest): Promise<Reading> {
    const { clock, connections, registry, reads, freshSeconds } = this.#dependencies;
    const connection = await connections.find(connectionId);
    if (!connection) return { kind: "disconnected" };
    const now = clock.now();
    const known = findMissing(connection, resource, { registry, now });
    if (known) return describeMissing(known);
    const { payrunId } = parameters;
    if (payrunId !== undefined && !(await this.#isIssued(connectionId, payrunId)))
      return { kind: "unknown-payrun" };
    const missing = await reads.findMissing(connection, resource);
    if (missing) return describeMissing(missing);
    const storedAfter = addSeconds(now, -(maxAgeSeconds ?? freshSeconds));
    const read = await reads.request(
      connection,
      { resource, parameters: encodeParameters(parameters) },
      { storedAfter, priority: "caller" },
    );
    return read ? await this.#describe(read, connection) : { kind: "disconnected" };
  }

  async #describe(read: Read, connection: ConnectionSummary): Promise<Reading> {
    const { pool, clock, connections } = this.#dependencies;
    if (read.state === "pending") return await this.#pending(read);
    const keptSeconds = read.keptUntil ? secondsBetween(clock.now(), read.keptUntil) : 1;
    switch (read.outcome) {
      case "unavailable":
        return { kind: "unavailable", retryAfterSeconds: Math.max(1, Math.ceil(keptSeconds)) };
      case "broken":
        return { kind: "broken" };
      case "unsupported":
      case "forbidden":
        return describeMissing(read.outcome);
      case "refused": {
        const current = await connections.find(connection.id);
        return current?.authFailure
          ? { kind: "refused", code: current.authFailure }
          : { kind: "pending", readId: read.id, retryAfterSeconds: 1, isSlow: false };
      }
      case "stored":
      case null: {
        const snapshot = await findSnapshot(pool, read);
        return snapshot
          ? { kind: "ready", ...snapshot }
          : { kind: "pending", readId: read.id, retryAfterSeconds: 1, isSlow: false };
      }
    }
  }

  /**
   * Retry-After is the greatest of: the time that such a read usually still takes, the time until the next try, a
   * quarter of the age of the request.
   */
  async #pending(read: Read): Promise<Reading> {
    const { clock, reads } = this.#dependencies;
    const usualMs = (await reads.usualDurationMs(read)) ?? assumedDurationMs;
    const now = clock.now();
    const age = secondsBetween(read.requestedAt, now);
    const untilDue = read.dueAt && !read.leaseUntil ? secondsBetween(now, read.dueAt) : 0;
    const seconds = Math.max(usualMs / 1000 - age, untilDue, age / 4);
    return {
      kind: "pending",
      readId: read.id,
      retryAfterSeconds: Math.min(longestRetrySeconds, Math.max(1, Math.ceil(seconds))),
      isSlow:
        usualMs >= slowReadMs || (read.waits > 0 && Math.max(untilDue, age) * 1000 >= slowReadMs),
    };
  }

  async #isIssued(connectionId: ConnectionId, payrunId: string): Promise<boolean> {
    return (
      isPayrunId(payrunId) &&
      (await findIssuedPayrun(this.#dependencies.pool, connectionId, payrunId)) !== undefined
    );
  }
}

function describeMissing(missing: "unsupported" | "forbidden"): Reading {
  return missing === "unsupported"
    ? { kind: "unsupported" }
    : { kind: "refused", code: "insufficient_permission" };
}

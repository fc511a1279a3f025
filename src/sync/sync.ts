import type { Audit } from "../audit/index.ts";
import type { Connections, ConnectionSummary, Reauthentication } from "../connections/index.ts";
import type {
  AuthErrorCode,
  ClientId,
  ConnectionId,
  Identity,
  RecordOf,
  Resource,
  TokenId,
} from "../model/index.ts";
import { addSeconds, secondsBetween, type Clock } from "../platform/clock.ts";
import { deleteOld, type Pool, type Queryable } from "../platform/db/index.ts";
import { withSpan } from "../platform/tracing/index.ts";
import type { ProviderRegistry } from "../providers/index.ts";
import type { Read, Reads } from "../reading/index.ts";
import type { OpenedPart, SnapshotPart, SnapshotReader } from "./open-snapshot.ts";
import { isPayrunId } from "./parameters.ts";
import { exportConnection } from "./export-connection.ts";
import { missingAtSignIn } from "./missing-at-sign-in.ts";
import {
  deleteSnapshotsOf,
  findAges,
  findFilled,
  findIssuedPayrun,
  findSnapshot,
  findVersions,
  type Ages,
  type FilledList,
} from "./snapshot-store.ts";
import { deleteSnapshots, findUnreadable } from "./unreadable-store.ts";

export interface SyncDependencies {
  pool: Pool;
  clock: Clock;
  audit: Audit;
  connections: Connections;
  registry: ProviderRegistry;
  reads: Reads;
  reader: SnapshotReader;
  freshSeconds: number;
  staleSeconds: number;
}

/** The result of asking for a resource. The data room turns it into a reply. */
export type Reading =
  | { kind: "ready"; version: string; fetchedAt: Date }
  /** `isSlow`: such reads take long, or it waits long for its provider. */
  | { kind: "pending"; readId: string; retryAfterSeconds: number; isSlow: boolean }
  /** The provider refused the connection. This holds until the end user signs in again. */
  | { kind: "refused"; code: AuthErrorCode }
  | { kind: "unsupported" }
  | { kind: "unavailable"; retryAfterSeconds: number }
  /** The provider's answer broke the provider's own contract. */
  | { kind: "broken" }
  | { kind: "unknown-payrun" }
  | { kind: "disconnected" };

interface DataRequest {
  connectionId: ConnectionId;
  resource: Resource;
  parameters: string;
  /** As the admission of the request found them. */
  authFailure: AuthErrorCode | null;
  snapshot: { version: string; fetchedAt: Date } | undefined;
  /** Data older than this is fetched anew before it is served. Undefined means the configured limits. */
  maxAgeSeconds: number | undefined;
}

/** While the next read runs, data may be so old where the provider's length or limits allow nothing fresher. */
const oldestSeconds = 24 * 3600;
const keptSeconds = 14 * 24 * 3600;
const slowReadMs = 60_000;
const assumedDurationMs = 1_000;

/** Our copy of provider data: serves what is stored and asks for a read of what is not. */
export class Sync {
  readonly #dependencies: SyncDependencies;

  constructor(dependencies: SyncDependencies) {
    this.#dependencies = dependencies;
  }

  async read(request: DataRequest): Promise<Reading> {
    const { authFailure, snapshot, maxAgeSeconds } = request;
    if (authFailure) return { kind: "refused", code: authFailure };
    const { clock, freshSeconds, staleSeconds } = this.#dependencies;
    const age = snapshot ? secondsBetween(snapshot.fetchedAt, clock.now()) : Infinity;
    if (snapshot && age <= (maxAgeSeconds ?? freshSeconds)) return { kind: "ready", ...snapshot };
    if (snapshot && maxAgeSeconds === undefined && age <= staleSeconds) {
      await this.#requestRead(request, { isAwaited: false });
      return { kind: "ready", ...snapshot };
    }
    const reading = await this.#requestRead(request, { isAwaited: true });
    const mayBeOld = maxAgeSeconds === undefined && age <= oldestSeconds;
    return snapshot && mayBeOld && reading.kind === "pending" && reading.isSlow
      ? { kind: "ready", ...snapshot }
      : reading;
  }

  /** Removes all that is stored of a connection, and what is being read of it. */
  async forget(tx: Queryable, connectionId: ConnectionId): Promise<void> {
    await this.#dependencies.reads.forget(tx, [connectionId], null);
    await deleteSnapshotsOf(tx, { connectionIds: [connectionId] });
  }

  /**
   * Removes what was stored under an earlier sign-in and the new one may not read. Its transaction has locked the
   * connection, so nobody stores more meanwhile. What is being read goes on, under the new sign-in.
   */
  async removeUnreadable(
    tx: Queryable,
    connectionId: ConnectionId,
    signedIn: Reauthentication,
  ): Promise<void> {
    const keys = await findUnreadable(tx, connectionId, signedIn);
    if (keys.length === 0) return;
    await this.#dependencies.reads.forgetSettled(tx, connectionId, keys);
    await deleteSnapshots(tx, connectionId, keys);
  }

  /** Data is kept for two weeks after it was fetched. */
  async removeOld(signal?: AbortSignal): Promise<void> {
    const { pool, reads } = this.#dependencies;
    const old = { table: "snapshots", key: "ctid", since: "fetched_at", keptSeconds };
    await deleteOld(pool, old, signal);
    await reads.removeOld(keptSeconds, signal);
  }

  /** How old what is stored of these connections is; undefined when nothing is. */
  async ages(connectionIds: readonly ConnectionId[]): Promise<Ages | undefined> {
    return await findAges(this.#dependencies.pool, connectionIds);
  }

  /** Resolves when the read is settled, after `waitMs`, or when the signal fires. */
  async waitUntilSettled(readId: string, waitMs: number, signal: AbortSignal): Promise<void> {
    await this.#dependencies.reads.waitUntilSettled(readId, waitMs, signal);
  }

  /** The bytes of a stored reply; undefined when that version is no longer stored. */
  async open(part: SnapshotPart): Promise<OpenedPart> {
    return await this.#dependencies.reader.open(part);
  }

  /**
   * The stored payslips of those pay runs that need not be read again, by the id of the run. Those of a run that was
   * paid hardly ever change.
   */
  async findPayslips(
    connectionId: ConnectionId,
    runs: readonly Pick<RecordOf<"payruns">, "id" | "state">[],
  ): Promise<Map<string, { version: string; fetchedAt: Date }>> {
    const { pool, clock, staleSeconds } = this.#dependencies;
    const ids = runs.map(({ id }) => id);
    const stored = await findVersions(pool, { connectionId, resource: "payslips" }, ids);
    const now = clock.now();
    const recent = runs.flatMap(({ id, state }) => {
      const snapshot = stored.get(id);
      const mostSeconds = state === "paid" ? oldestSeconds : staleSeconds;
      const isRecent = snapshot && secondsBetween(snapshot.fetchedAt, now) <= mostSeconds;
      return isRecent ? [[id, snapshot] as const] : [];
    });
    return new Map(recent);
  }

  /**
   * What is stored, in parts of which few are in memory at a time: of this version, or of the one that took its place.
   * Undefined when nothing is stored any more.
   */
  async openParts(
    part: Omit<SnapshotPart, "variant" | "encoding">,
  ): Promise<AsyncIterable<Buffer> | undefined> {
    const { reader } = this.#dependencies;
    return (await reader.openParts(part)) ?? (await reader.openNewest(part))?.body;
  }

  /** How many records have each field, in the newest list of each resource. */
  async findFilled(connectionId: ConnectionId): Promise<FilledList[]> {
    return await findFilled(this.#dependencies.pool, connectionId);
  }

  /** See `exportConnection`. */
  async export(clientId: ClientId, tokenId: TokenId): Promise<AsyncGenerator<Buffer>> {
    return await exportConnection(this.#dependencies, clientId, tokenId);
  }

  async identity(
    connectionId: ConnectionId,
  ): Promise<{ identity: Identity; capturedAt: Date } | undefined> {
    return await this.#dependencies.connections.identity(connectionId);
  }

  async #requestRead(
    { connectionId, resource, parameters, maxAgeSeconds }: DataRequest,
    { isAwaited }: { isAwaited: boolean },
  ): Promise<Reading> {
    const { clock, connections, registry, reads, freshSeconds } = this.#dependencies;
    const connection = await connections.find(connectionId);
    if (!connection) return { kind: "disconnected" };
    const now = clock.now();
    const known = missingAtSignIn(connection, resource, { registry, now });
    if (known) return describeMissing(known);
    if (resource === "payslips" && !(await this.#isIssued(connectionId, parameters)))
      return { kind: "unknown-payrun" };
    const missing = await reads.findMissing(connection, resource);
    if (missing) return describeMissing(missing);
    const storedAfter = addSeconds(now, -(maxAgeSeconds ?? freshSeconds));
    const read = await withSpan({ name: "request of a read" }, async (span) => {
      const requested = await reads.request(
        connection,
        { resource, parameters },
        { storedAfter, priority: "caller", isAwaited },
      );
      span.set({ "rollcall.read_id": requested?.id, "rollcall.state": requested?.state });
      return requested;
    });
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
      retryAfterSeconds: Math.max(1, Math.ceil(seconds)),
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

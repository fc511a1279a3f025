import type { Connections, ConnectionSummary } from "../connections/index.ts";
import { resourcesOfScopes, type ConnectionId, type PollableResource } from "../model/index.ts";
import type { Clock } from "../platform/clock.ts";
import { inBatches, type Pool, type Queryable } from "../platform/db/index.ts";
import type { PackedList } from "../platform/packed-list.ts";
import type { ProviderRegistry } from "../providers/index.ts";
import type { Reads, StoredAnswer } from "../reading/index.ts";
import { missingAtSignIn } from "./missing-at-sign-in.ts";
import { polledParameters } from "./polled-range.ts";
import type { ListComparison, SnapshotDestination } from "./snapshot-destination.ts";
import type { SnapshotReader } from "./open-snapshot.ts";
import { deleteSnapshotsOf, findColumn, findSnapshot, forgetFullRead } from "./snapshot-store.ts";

/** A stored list of employees, as far as its comparison with an earlier one needs to know. */
export interface FoundEmployees {
  version: string;
  /** False when somebody may be missing who was not removed. */
  isSteady: boolean;
  /** False when nobody has read everybody since `rereadEverybody`. */
  isReread: boolean;
  /** Fields that the account may not read, and those that the client has switched off. */
  limited: readonly string[];
}

export type { StoredAnswer };

/** The result of asking for employees that are not older than a moment. */
type EmployeesAsked =
  | { kind: "ready"; list: FoundEmployees }
  /** They are being read. The observer is told when that has ended. */
  | { kind: "pending" }
  | {
      kind: "refused" | "unavailable" | "broken" | "unsupported" | "forbidden" | "disconnected";
    };

export interface PollSourceDependencies {
  pool: Pool;
  clock: Clock;
  connections: Connections;
  registry: ProviderRegistry;
  reads: Reads;
  reader: SnapshotReader;
  destination: SnapshotDestination;
}

const resource = "employees";
const parameters = "";

/** What is polled of connections, and their employees for whoever compares them. */
export class PollSource {
  readonly #dependencies: PollSourceDependencies;

  constructor(dependencies: PollSourceDependencies) {
    this.#dependencies = dependencies;
  }

  /** `onSettled` is called with each connection whose employees were read, or could not be read. */
  observe(
    onSettled: (connectionId: ConnectionId, answer: StoredAnswer | undefined) => Promise<void>,
  ): void {
    this.#dependencies.reads.observe({
      onSettled: async (read, answer) => {
        if (read.resource === resource) await onSettled(read.connectionId, answer);
      },
    });
  }

  /**
   * Asks for reads of many connections at once, of those that may be read of it. Returns those whose read began with it.
   * A read is left out where the last one was so long that polls would take too much of the provider's day.
   */
  async askAll(
    polled: PollableResource,
    wanted: readonly { connectionId: ConnectionId; notBefore: Date }[],
  ): Promise<ReadonlySet<ConnectionId>> {
    const { clock, connections, registry, reads } = this.#dependencies;
    const pace = ({ provider }: ConnectionSummary): number =>
      polled === "employees" ? 0 : registry.secondsPerPolledRequest(provider);
    const moments = new Map(wanted.map(({ connectionId, notBefore }) => [connectionId, notBefore]));
    const now = clock.now();
    const found = await connections.findAll([...moments.keys()]);
    const readable = found.flatMap((connection) => {
      const notBefore = moments.get(connection.id);
      return notBefore &&
        !connection.authFailure &&
        resourcesOfScopes(connection.scopes).includes(polled) &&
        !missingAtSignIn(connection, polled, { registry, now })
        ? [{ connection, storedAfter: justBefore(notBefore), secondsPerRequest: pace(connection) }]
        : [];
    });
    const key = { resource: polled, parameters: polledParameters(polled, now) };
    return readable.length === 0 ? new Set() : await reads.requestAll(readable, key, "poll");
  }

  /** Asks for the same read as every other caller, and for none when one has ended since `notBefore`. */
  async ask(connectionId: ConnectionId, notBefore: Date): Promise<EmployeesAsked> {
    const { pool, clock, connections, registry, reads } = this.#dependencies;
    const connection = await connections.find(connectionId);
    if (!connection) return { kind: "disconnected" };
    if (connection.authFailure) return { kind: "refused" };
    const now = clock.now();
    const missing = missingAtSignIn(connection, resource, { registry, now });
    if (missing) return { kind: missing };
    const storedAfter = justBefore(notBefore);
    const key = { resource, parameters } as const;
    const read = await reads.request(connection, key, { storedAfter, priority: "poll" });
    if (!read) return { kind: "disconnected" };
    if (read.state === "pending" || read.outcome === null) return { kind: "pending" };
    if (read.outcome !== "stored") return { kind: read.outcome };
    const snapshot = await findSnapshot(pool, { connectionId, resource, parameters });
    if (!snapshot) return { kind: "unavailable" };
    const { version, isSteady, limited, fullReadAt } = snapshot;
    return { kind: "ready", list: { version, isSteady, limited, isReread: fullReadAt !== null } };
  }

  /** From now on the lists of other resources are compared when they are stored. */
  compareWith(comparison: ListComparison): void {
    this.#dependencies.destination.compareWith(comparison);
  }

  /** The next read of the employees asks for everybody, and not for what has changed. */
  async rereadEverybody(tx: Queryable, connectionId: ConnectionId): Promise<void> {
    await forgetFullRead(tx, { connectionId, resource, parameters });
  }

  /** Removes what is stored of the employees of these connections, and what is being read of them. */
  async remove(tx: Queryable, connectionIds: readonly ConnectionId[]): Promise<void> {
    await inBatches(connectionIds, async (some) => {
      await this.#dependencies.reads.forget(tx, some, resource);
      await deleteSnapshotsOf(tx, { connectionIds: some, resource });
    });
  }

  /**
   * A stored list: the packed list to compare it by, the body as it is stored, compressed as `br`, and the index
   * of each employee's position. Undefined when that version is no longer stored.
   */
  async open(
    connectionId: ConnectionId,
    version: string,
  ): Promise<{ list: PackedList; body: Buffer; index: Buffer } | undefined> {
    const { pool, reader } = this.#dependencies;
    const key = { connectionId, resource, parameters, version } as const;
    const [opened, list] = await Promise.all([
      reader.openEmployees(connectionId, version),
      findColumn(pool, "fingerprints", key),
    ]);
    return opened && list && { ...opened, list };
  }
}

function justBefore(moment: Date): Date {
  return new Date(moment.getTime() - 1);
}

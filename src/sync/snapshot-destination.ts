import type { Connection } from "../connections/index.ts";
import { isPollable, type ConnectionId, type PollableResource } from "../model/index.ts";
import type { DataKey } from "../platform/crypto/index.ts";
import { secondsBetween, type Clock } from "../platform/clock.ts";
import type { Pool, Queryable } from "../platform/db/index.ts";
import type { FetchParameters, ProviderRegistry } from "../providers/index.ts";
import type { Read, ReadAnswer, ReadDestination, ReadKey, StoredList } from "../reading/index.ts";
import { decodeRange } from "./parameters.ts";
import { isPolledRange } from "./polled-range.ts";
import { sealedBody, sealedIndex, sealedPayrun, sealedSince } from "./sealed-snapshot.ts";
import * as store from "./snapshot-store.ts";

/** A list that is made of changes is corrected by a full read after this. */
const fullReadEverySeconds = 24 * 3600;

/** What is polled of a connection. */
export interface PolledKey extends ReadKey {
  resource: PollableResource;
}

/** A list that is stored, as far as its comparison with an earlier one needs to know. */
export interface StoredRecords {
  version: string;
  isSteady: boolean;
  limited: readonly string[];
  /** See `encodeRecords`. */
  records: Buffer;
}

/** Another room's part in what is stored of resources other than the employees. */
export interface ListComparison {
  /**
   * Whether the client wants the list compared with the next one, and the version that was compared last, unless the list
   * has to be compared in any case.
   */
  find(
    key: PolledKey,
    connection: Connection,
  ): Promise<{ version: string | undefined } | undefined>;
  /** Compares in the transaction that stores the list. */
  compare(
    tx: Queryable,
    key: PolledKey,
    connection: Connection,
    list: StoredRecords,
  ): Promise<void>;
}

interface DestinationDependencies {
  pool: Pool;
  clock: Clock;
  /** Names the code that runs: other code makes other records of the same answer. */
  codeDigest: string;
  registry: Pick<ProviderRegistry, "findMode">;
}

/** Stores the answers of reads as snapshots. */
export class SnapshotDestination implements ReadDestination {
  readonly #dependencies: DestinationDependencies;
  #comparison: ListComparison | undefined;

  constructor(dependencies: DestinationDependencies) {
    this.#dependencies = dependencies;
  }

  /** From now on lists that are stored are compared. */
  compareWith(comparison: ListComparison): void {
    this.#comparison = comparison;
  }

  async prepare(read: Read, connection: Connection) {
    const key = this.#polledKey(read);
    const [fetchParameters, found, compared] = await Promise.all([
      this.#openParameters(read, connection.dataKey),
      store.findSnapshot(this.#dependencies.pool, read),
      key && this.#comparison?.find(key, connection),
    ]);
    // Where the stored list is not the one that was compared last, it is made anew, as if nothing were stored.
    const stored = !compared || compared.version === found?.version ? found : undefined;
    const isSameCode = stored?.madeBy === this.#dependencies.codeDigest;
    return {
      fetchParameters,
      isCompared: compared !== undefined,
      base: stored && isSameCode ? await this.#openBase(read, connection, stored) : undefined,
      stored: stored && {
        version: stored.version,
        sourceMac: isSameCode ? stored.sourceMac : null,
        isSteady: stored.isSteady,
      },
    };
  }

  /**
   * The stored list to which changes can be added: of the same sign-in, and of a full read within a day, unless the
   * changes read everybody over again.
   */
  async #openBase(
    { connectionId, resource, parameters }: Read,
    { dataKey, signInCount, provider, mode }: Connection,
    { version, sealedSince: sealed, fullReadAt, limited }: store.FoundSnapshot,
  ): Promise<StoredList | undefined> {
    const { pool, clock, registry } = this.#dependencies;
    const reader = registry.findMode(provider, mode)?.resources[resource];
    const isRecent = fullReadAt && secondsBetween(fullReadAt, clock.now()) < fullReadEverySeconds;
    if (!sealed || (!isRecent && !reader?.changesRereadAll)) return undefined;
    const owner = { connectionId, resource, parameters, version };
    const since = sealedSince.open(dataKey, owner, sealed);
    if (since.signInCount !== signInCount) return undefined;
    const [body, index] = await Promise.all([
      store.findColumn(pool, "sealed_body", owner),
      store.findColumn(pool, "sealed_index", owner),
    ]);
    return body && index
      ? {
          cursor: since.cursor,
          body: sealedBody.open(dataKey, owner, body),
          index: sealedIndex.open(dataKey, owner, index),
          limited,
        }
      : undefined;
  }

  async forget(tx: Queryable, { connectionId, resource }: Read): Promise<void> {
    await store.deleteSnapshotsOf(tx, { connectionIds: [connectionId], resource });
  }

  touch(read: Read, connection: Connection, answer: ReadAnswer) {
    if (answer.list || answer.payruns.length > 0) return undefined;
    return store.describeTouched(this.#describe(read, connection, answer));
  }

  seal(read: Read, connection: Connection, answer: ReadAnswer) {
    const { connectionId } = read;
    const { dataKey } = connection;
    const { list } = answer;
    const made = this.#describe(read, connection, answer);
    const { resource, parameters, version } = made;
    const owner = { connectionId, resource, parameters, version };
    const sealed = list && {
      sealedBody: sealedBody.seal(dataKey, owner, list.body),
      bodyBytes: list.bodyBytes,
      sealedIndex: list.index && sealedIndex.seal(dataKey, owner, list.index),
      packedList: list.packedList,
    };
    const payruns = sealPayruns(connectionId, dataKey, answer.payruns);
    return async (tx: Queryable): Promise<void> => {
      if (sealed) await store.upsertSnapshot(tx, { ...made, ...sealed });
      else if (!(await store.touchSnapshot(tx, made)))
        throw new Error("the stored version was replaced while it was compared");
      if (payruns.length > 0) await store.insertIssuedPayruns(tx, connectionId, payruns);
      await this.#compare(tx, read, connection, answer);
    };
  }

  /** Undefined for what is not polled, and for a range that no poll has asked for. */
  #polledKey({ connectionId, resource, parameters }: Read): PolledKey | undefined {
    return resource !== "employees" &&
      isPollable(resource) &&
      isPolledRange(resource, parameters, this.#dependencies.clock.now())
      ? { connectionId, resource, parameters }
      : undefined;
  }

  async #compare(
    tx: Queryable,
    read: Read,
    connection: Connection,
    { list, ...answer }: ReadAnswer,
  ): Promise<void> {
    const key = this.#polledKey(read);
    if (!key || !list?.records) return;
    const { records } = list;
    await this.#comparison?.compare(tx, key, connection, { ...answer, records });
  }

  /** What is stored beside the list. */
  #describe(
    { connectionId, resource, parameters }: Read,
    { dataKey, signInCount }: Connection,
    { version, sourceMac, isSteady, limited, isFull, since, filled }: ReadAnswer,
  ) {
    const owner = { connectionId, resource, parameters, version };
    return {
      ...owner,
      sourceMac: sourceMac && Buffer.from(sourceMac),
      madeBy: this.#dependencies.codeDigest,
      isSteady,
      limited,
      isFull,
      filled: filled && { ...filled, version },
      sealedSince: since && sealedSince.seal(dataKey, owner, { cursor: { ...since }, signInCount }),
    };
  }

  /** The parameters as the adapter takes them: our id of a pay run becomes the provider's. */
  async #openParameters(
    { resource, parameters, connectionId }: Read,
    dataKey: DataKey,
  ): Promise<FetchParameters> {
    if (resource === "payslips") {
      const sealed = await store.findIssuedPayrun(
        this.#dependencies.pool,
        connectionId,
        parameters,
      );
      return sealed
        ? { payrunRemoteId: sealedPayrun.open(dataKey, { connectionId, id: parameters }, sealed) }
        : {};
    }
    const range = decodeRange(parameters);
    return range ? { range } : {};
  }
}

function sealPayruns(
  connectionId: ConnectionId,
  dataKey: DataKey,
  payruns: ReadAnswer["payruns"],
): { id: string; sealedRemoteId: Buffer }[] {
  return payruns.map(({ id, remoteId }) => ({
    id,
    sealedRemoteId: sealedPayrun.seal(dataKey, { connectionId, id }, remoteId),
  }));
}

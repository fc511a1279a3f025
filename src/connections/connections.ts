import { LRUCache } from "lru-cache";
import { v7 as uuidv7 } from "uuid";
import type { Audit } from "../audit/index.ts";
import type { AuthErrorCode, Identity, Mode, Resource, Scope } from "../model/index.ts";
import type { Clock } from "../platform/clock.ts";
import type { DataKey, Keyring } from "../platform/crypto/index.ts";
import { transaction, type Pool, type Queryable } from "../platform/db/index.ts";
import type { Connection, ConnectionSummary, SealedConnection } from "./connection.ts";
import * as store from "./store.ts";

export interface ConnectionsDependencies {
  pool: Pool;
  keyring: Keyring;
  clock: Clock;
  audit: Audit;
}

/** What a completed sign-in gives. */
export interface SignIn {
  session: Record<string, unknown>;
  identity: Identity;
  unsupported: readonly Resource[];
}

const openKeysKept = 20_000;
const openKeysKeptMs = 15 * 60 * 1000;

/** One end user's linked account at one provider. Everything of the provider is sealed under the connection's own data key. */
export class Connections {
  readonly #dependencies: ConnectionsDependencies;
  readonly #openKeys = new LRUCache<string, DataKey>({ max: openKeysKept, ttl: openKeysKeptMs });

  constructor(dependencies: ConnectionsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Unclaimed until its code is exchanged; without `expiresAt` it needs no code. */
  async open(
    tx: Queryable,
    {
      clientId,
      provider,
      mode,
      scopes,
      signIn,
      expiresAt,
    }: {
      clientId: string;
      provider: string;
      mode: Mode;
      scopes: readonly Scope[];
      signIn: SignIn;
      expiresAt: Date | null;
    },
  ): Promise<{ connectionId: string; tokenId: string }> {
    const { keyring, clock, audit } = this.#dependencies;
    const now = clock.now();
    const id = uuidv7({ msecs: now.getTime() });
    const tokenId = uuidv7({ msecs: now.getTime() });
    const { dataKey, wrapped } = keyring.createDataKey(keyContext(id));
    const base = {
      id,
      clientId,
      tokenId,
      provider,
      mode,
      scopes: [...scopes],
      createdAt: now,
      expiresAt,
    };
    await store.insertConnection(tx, {
      ...base,
      wrappedKey: wrapped,
      ...sealSignIn(dataKey, id, signIn),
    });
    await audit.record(tx, "connection.created", {
      clientId,
      tokenId,
      connectionId: id,
      detail: { provider, mode, scopes: [...scopes] },
    });
    return { connectionId: id, tokenId };
  }

  /** Undefined when it expired, so that its code is worth nothing any more. */
  async claim(tx: Queryable, tokenId: string): Promise<ConnectionSummary | undefined> {
    return await store.claimConnection(tx, tokenId, this.#dependencies.clock.now());
  }

  /** Without opening anything sealed. */
  async find(id: string): Promise<ConnectionSummary | undefined> {
    return await store.findConnection(this.#dependencies.pool, { id });
  }

  async load(id: string): Promise<Connection | undefined> {
    return this.#unseal(await store.findConnection(this.#dependencies.pool, { id }));
  }

  async loadByToken(tokenId: string): Promise<Connection | undefined> {
    return this.#unseal(await store.findConnection(this.#dependencies.pool, { tokenId }));
  }

  async listOfProvider(provider: string): Promise<Connection[]> {
    const found = await store.findConnectionsOfProvider(this.#dependencies.pool, provider);
    return found.map((sealed) => this.#unsealed(sealed));
  }

  /** Undefined when the connection is gone. */
  async dataKey(id: string): Promise<DataKey | undefined> {
    const known = this.#openKeys.get(id);
    if (known) return known;
    const wrapped = await store.findWrappedKey(this.#dependencies.pool, id);
    if (!wrapped) return undefined;
    const dataKey = this.#dependencies.keyring.openDataKey(wrapped, keyContext(id));
    this.#openKeys.set(id, dataKey);
    return dataKey;
  }

  /** The user of the account as captured at the last sign-in. */
  async identity(id: string): Promise<{ identity: Identity; capturedAt: Date } | undefined> {
    const [found, dataKey] = await Promise.all([
      store.findSealedIdentity(this.#dependencies.pool, id),
      this.dataKey(id),
    ]);
    if (!found || !dataKey) return undefined;
    const identity = JSON.parse(
      dataKey.open(found.sealed, identityContext(id)).toString(),
    ) as Identity;
    return { identity, capturedAt: found.capturedAt };
  }

  async refusedTokens(clientId: string): Promise<ReadonlySet<string>> {
    return await store.findRefusedTokens(this.#dependencies.pool, clientId);
  }

  async saveSession(
    connection: Connection,
    session: Record<string, unknown>,
    db: Queryable = this.#dependencies.pool,
  ): Promise<void> {
    await store.replaceSession(
      db,
      connection,
      sealJson(connection.dataKey, session, sessionContext(connection.id)),
    );
  }

  /** Keeps the provider's refusal until the end user signs in again. */
  async refuse(tx: Queryable, connection: ConnectionSummary, code: AuthErrorCode): Promise<void> {
    const { id, clientId, tokenId } = connection;
    if (await store.setAuthFailure(tx, connection, code))
      await this.#dependencies.audit.record(tx, "connection.refused", {
        clientId,
        tokenId,
        connectionId: id,
        detail: { code },
      });
  }

  /** The same connection and token work again; ids and stored data stay. */
  async reauthenticate(
    tx: Queryable,
    { id, clientId, tokenId, dataKey }: Connection,
    signIn: SignIn,
  ): Promise<void> {
    const { clock, audit } = this.#dependencies;
    await store.replaceSignIn(tx, id, sealSignIn(dataKey, id, signIn), clock.now());
    await audit.record(tx, "connection.reauthenticated", { clientId, tokenId, connectionId: id });
  }

  /** Takes the connections whose poll is due, each once in its hour. */
  async takeDuePolls(tx: Queryable, limit: number): Promise<store.DuePoll[]> {
    return await store.takeDuePolls(tx, this.#dependencies.clock.now(), limit);
  }

  /** Makes a poll of each of the client's connections due at once, and one an hour from then on. */
  async startPolls(tx: Queryable, clientId: string): Promise<void> {
    await store.startPolls(tx, { clientId }, this.#dependencies.clock.now());
  }

  /** On request, for one token or for all: the ids of the connections that are polled next. */
  async pollNow(tx: Queryable, tokenId: string | undefined): Promise<string[]> {
    return await store.startPolls(
      tx,
      tokenId === undefined ? {} : { tokenId },
      this.#dependencies.clock.now(),
    );
  }

  async stopPolls(tx: Queryable, id: string): Promise<void> {
    await store.stopPolls(tx, id);
  }

  /** Keeps the connection from being removed until the transaction ends; false when it is gone. */
  async hold(tx: Queryable, id: string): Promise<boolean> {
    return await store.holdConnection(tx, id);
  }

  /** Deletes the connection's key and everything that was kept for it. */
  async remove(tx: Queryable, tokenId: string): Promise<string | undefined> {
    const id = await store.deleteConnection(tx, tokenId);
    if (id) this.#openKeys.delete(id);
    return id;
  }

  /** Removes the connections whose code was not exchanged in time, with their credentials. */
  async removeUnclaimed(): Promise<number> {
    const { pool, clock, audit } = this.#dependencies;
    return await transaction(pool, async (tx) => {
      const removed = await store.deleteUnclaimed(tx, clock.now());
      for (const { id, clientId } of removed)
        await audit.record(tx, "connection.expired", { clientId, connectionId: id });
      return removed.length;
    });
  }

  #unseal(sealed: SealedConnection | undefined): Connection | undefined {
    return sealed && this.#unsealed(sealed);
  }

  #unsealed({ wrappedKey, sealedSession, ...summary }: SealedConnection): Connection {
    const dataKey = this.#dependencies.keyring.openDataKey(wrappedKey, keyContext(summary.id));
    const session = JSON.parse(
      dataKey.open(sealedSession, sessionContext(summary.id)).toString(),
    ) as Record<string, unknown>;
    return { ...summary, session, dataKey };
  }
}

function sealSignIn(
  dataKey: DataKey,
  id: string,
  { session, identity, unsupported }: SignIn,
): store.SignInPart {
  return {
    sealedSession: sealJson(dataKey, session, sessionContext(id)),
    sealedIdentity: sealJson(dataKey, identity, identityContext(id)),
    unsupported,
  };
}

function sealJson(dataKey: DataKey, value: unknown, context: string[]): Buffer {
  return dataKey.seal(Buffer.from(JSON.stringify(value)), context);
}

const keyContext = (id: string): string[] => ["connection-key", id];
const sessionContext = (id: string): string[] => ["session", id];
const identityContext = (id: string): string[] => ["identity", id];

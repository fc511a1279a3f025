import { v7 as uuidv7 } from "uuid";
import type { Audit } from "../audit/index.ts";
import type {
  AuthErrorCode,
  ClientId,
  ConnectionId,
  EndedBy,
  Identity,
  Resource,
  TokenId,
} from "../model/index.ts";
import type { SteadyClock } from "../platform/clock.ts";
import type { DataKey, Keyring } from "../platform/crypto/index.ts";
import type { Listener, Pool, Queryable, Transaction } from "../platform/db/index.ts";
import type { Log } from "../platform/log.ts";
import type { ConnectionObserver, Reauthentication } from "./connection-observer.ts";
import { ConnectionKeys, type OpenedKey } from "./connection-keys.ts";
import type {
  Connection,
  ConnectionSummary,
  FoundConnection,
  ObservedConnection,
} from "./connection.ts";
import { ChosenSettings } from "./chosen-settings.ts";
import * as bound from "./bound-store.ts";
import { isConnectionBound } from "./check-binding.ts";
import { storeLabel, type Label } from "./label.ts";
import { saveLabel } from "./label-store.ts";
import { Labels } from "./labels.ts";
import { Listing } from "./listing.ts";
import { makeSignInPart, type ConnectionRequest } from "./make-sign-in-part.ts";
import { digestsOf, isOfAccount, sealedAccount, type ProviderAccount } from "./provider-account.ts";
import {
  deleteConnection,
  describeRemoved,
  findRemoved,
  type RemovedConnection,
  removeUnclaimed,
} from "./removal.ts";
import { areKnown, rightsOfResource, summarizeRights, type ResourceRights } from "./rights.ts";
import { connectionKey, openConnection, sealedIdentity, type SignIn } from "./sealed-sign-in.ts";
import { saveSession } from "./save-session.ts";
import { renewSession } from "./renew-session.ts";
import { findSession, forgetPreviousSession } from "./session-store.ts";
import * as store from "./store.ts";

export interface ConnectionsDependencies {
  pool: Pool;
  keyring: Keyring;
  clock: SteadyClock;
  audit: Audit;
  listener: Listener;
  log: Log;
}

/** The linked accounts of end users. A provider's session is sealed under the connection's own data key. */
export class Connections {
  readonly #dependencies: ConnectionsDependencies;
  readonly #keys: ConnectionKeys;
  /** What clients call their connections. */
  readonly labels: Labels;
  readonly listing: Listing;
  /** What end users chose. */
  readonly settings: ChosenSettings;

  readonly #observers: ConnectionObserver[] = [];
  #onRemoved: (connection: RemovedConnection) => void = () => undefined;
  #onChanged: (id: ConnectionId) => Promise<void> = async () => undefined;

  constructor(dependencies: ConnectionsDependencies) {
    this.#dependencies = dependencies;
    this.labels = new Labels(dependencies);
    this.listing = new Listing(dependencies);
    this.settings = new ChosenSettings(dependencies);
    this.#keys = new ConnectionKeys({ ...dependencies, labels: this.labels });
  }

  /** The observer takes part in every later change that it names. */
  observe(observer: ConnectionObserver): void {
    this.#observers.push(observer);
  }

  /** Called in the process that ends a connection, after the commit. It must not throw. */
  onRemoved(notify: (connection: RemovedConnection) => void): void {
    this.#onRemoved = notify;
  }

  /** Called after the commit of what a request learns of a connection: its refusal, or another sign-in. */
  onChanged(notify: (id: ConnectionId) => Promise<void>): void {
    this.#onChanged = notify;
  }

  /** The connection is unclaimed until its code is exchanged, for so long at most. With null it needs no code. */
  async create(
    tx: Queryable,
    { signIn, label = null, ...request }: ConnectionRequest,
  ): Promise<{ connectionId: ConnectionId; tokenId: TokenId }> {
    const { keyring, clock, audit } = this.#dependencies;
    const now = clock.now();
    const id = uuidv7({ msecs: now.getTime() });
    const tokenId = uuidv7({ msecs: now.getTime() });
    const { dataKey, wrapped } = connectionKey.create(keyring, { connectionId: id });
    const { clientId, provider, mode, lifetimeSeconds } = request;
    const scopes = [...request.scopes];
    const base = { id, clientId, tokenId, provider, mode, scopes, lifetimeSeconds };
    await store.insertConnection(tx, {
      ...base,
      wrappedKey: wrapped,
      ...makeSignInPart(keyring, { id, provider, dataKey }, signIn, now),
    });
    if (label) await saveLabel(tx, base, storeLabel(keyring, { ...base, dataKey }, label));
    await audit.record(tx, "connection.created", {
      clientId,
      tokenId,
      connectionId: id,
      detail: { provider, mode, scopes },
    });
    if (lifetimeSeconds === null) await this.#tell((observer) => observer.onClaimed?.(tx, base));
    return { connectionId: id, tokenId };
  }

  /**
   * Its code is exchanged in this transaction, which has written no token yet. Undefined when the connection is gone, as
   * one is that nobody claimed in time, or is claimed already. A label of the exchange takes precedence over that of the
   * sign-in, field by field.
   */
  async claim(
    tx: Queryable,
    tokenId: TokenId,
    label: Label | null = null,
  ): Promise<ObservedConnection | undefined> {
    const claimed = await store.claimConnection(tx, tokenId);
    if (claimed && label) await this.labels.change(tx, claimed, label);
    if (claimed) await this.#tell((observer) => observer.onClaimed?.(tx, claimed));
    return claimed;
  }

  /** Those of the ids that there are. Opens no sealed value. */
  async findAll(ids: readonly string[]): Promise<ConnectionSummary[]> {
    const found = await bound.findConnections(this.#dependencies.pool, ids);
    return found.filter((connection) => isConnectionBound(this.#dependencies, connection));
  }

  /** Opens no sealed value. Undefined before its code was exchanged. */
  async find(
    by: string | { tokenId: TokenId },
    db: Queryable = this.#dependencies.pool,
  ): Promise<ConnectionSummary | undefined> {
    return await this.#findBound(db, typeof by === "string" ? { id: by } : by);
  }

  /** Undefined before its code was exchanged. */
  async load(id: string): Promise<Connection | undefined> {
    const found = await this.#findBound(this.#dependencies.pool, { id });
    return found && this.#open(found);
  }

  async loadByToken(
    tokenId: TokenId,
    db: Queryable = this.#dependencies.pool,
  ): Promise<Connection | undefined> {
    const found = await this.#findBound(db, { tokenId });
    return found && this.#open(found);
  }

  /** The connections that were made by signing in to this account, whoever the client is. Opens no session. */
  async listOfAccount(
    account: ProviderAccount,
  ): Promise<(ConnectionSummary & { createdAt: Date })[]> {
    const { keyring, pool } = this.#dependencies;
    const { provider } = account;
    const found = await bound.findConnectionsOfAccount(pool, {
      provider,
      digests: digestsOf(keyring, account),
    });
    return found.filter(
      (connection) =>
        isConnectionBound(this.#dependencies, connection) &&
        isOfAccount(keyring, connection, account),
    );
  }

  /** The account that was signed in to last. Undefined for a connection of before it was sealed, or without a name. */
  async accountOf(
    { id, dataKey }: Connection,
    db: Queryable = this.#dependencies.pool,
  ): Promise<Omit<ProviderAccount, "provider"> | undefined> {
    const sealed = await store.findSealedAccount(db, id);
    return sealed ? sealedAccount.open(dataKey, { connectionId: id }, sealed) : undefined;
  }

  /** The ids of all connections of a client. Opens nothing, and proves nothing of them. */
  async listIds(db: Queryable, clientId: ClientId): Promise<ConnectionId[]> {
    return await store.listIds(db, clientId);
  }

  async listOfProvider(provider: string): Promise<Connection[]> {
    const found = await bound.findConnectionsOfProvider(this.#dependencies.pool, provider);
    return found
      .filter((connection) => isConnectionBound(this.#dependencies, connection))
      .map((connection) => this.#open(connection));
  }

  /** Undefined when the connection is gone. */
  async dataKey(id: string): Promise<DataKey | undefined> {
    return (await this.openKey(id))?.dataKey;
  }

  /** The same with its grant, which is bound: whoever writes to the database changes it for nobody. */
  async openKey(id: string): Promise<OpenedKey | undefined> {
    return await this.#keys.open(id);
  }

  /** The user of the account, as captured at the last sign-in. */
  async identity(id: string): Promise<{ identity: Identity; capturedAt: Date } | undefined> {
    const [found, dataKey] = await Promise.all([
      store.findSealedIdentity(this.#dependencies.pool, id),
      this.dataKey(id),
    ]);
    if (!found || !dataKey) return undefined;
    const identity = sealedIdentity.open(dataKey, { connectionId: id }, found.sealed);
    return { identity, capturedAt: found.capturedAt };
  }

  /**
   * What keeps the tokens of a client from giving everything, as JSON by token id: `isRefused` when the end user has
   * to sign in again, and the rights. Of all tokens, or of those in the text of an array. Null when nothing does.
   */
  async restrictions(clientId: ClientId, tokenIds?: string): Promise<string | null> {
    return await store.findRestrictions(this.#dependencies.pool, clientId, tokenIds);
  }

  /** The tokens of a client whose end users have to sign in again. */
  async refusedTokens(clientId: ClientId): Promise<TokenId[]> {
    return await store.findRefusedTokens(this.#dependencies.pool, clientId);
  }

  /** What a read found out about the account. It counts until the next read, or the next sign-in. */
  async recordRights(
    tx: Queryable,
    connection: ConnectionSummary,
    resource: Resource,
    found: ResourceRights,
  ): Promise<void> {
    if (areKnown(connection, resource, found)) return;
    const rights = rightsOfResource(resource, found, this.#dependencies.clock.now());
    await store.setRights(tx, connection, { [resource]: rights });
  }

  /** Whether `recordRights` or `confirmSession` would write anything. */
  hasNews(
    connection: Connection,
    resource: Resource,
    { sessionVersion, ...rights }: ResourceRights & Pick<Connection, "sessionVersion">,
  ): boolean {
    const isOther = connection.hasPreviousSession || connection.sessionVersion !== sessionVersion;
    return isOther || !areKnown(connection, resource, rights);
  }

  /** See `saveSession`. */
  async saveSession(
    connection: Connection,
    session: Parameters<typeof saveSession>[2],
    as?: Parameters<typeof saveSession>[3],
  ): Promise<void> {
    await saveSession(this.#dependencies, connection, session, as);
  }

  /** See `renewSession`. */
  async renewSession(
    connection: Connection,
    request: Parameters<typeof renewSession>[2],
  ): ReturnType<typeof renewSession> {
    return await renewSession(this.#dependencies, connection, request);
  }

  /** False when the session was refreshed, or its end user signed in again, since the connection was loaded. */
  async isNewestSession({ id, sessionVersion }: Connection): Promise<boolean> {
    const stored = await findSession(this.#dependencies.pool, id);
    return stored?.version === sessionVersion;
  }

  /** The session with this number has worked. */
  async confirmSession(
    tx: Queryable,
    { id, sessionVersion, hasPreviousSession }: Connection,
    version: number,
  ): Promise<void> {
    if (hasPreviousSession || version !== sessionVersion)
      await forgetPreviousSession(tx, id, version);
  }

  /** Stores the provider's refusal until the end user signs in again. */
  async refuse(tx: Transaction, connection: ConnectionSummary, code: AuthErrorCode): Promise<void> {
    const { id, clientId, tokenId } = connection;
    if (!(await store.setAuthFailure(tx, connection, code))) return;
    const subject = { clientId, tokenId, connectionId: id };
    await this.#dependencies.audit.record(tx, "connection.refused", {
      ...subject,
      detail: { code },
    });
    await this.#tell((observer) => observer.onRefused?.(tx, connection));
    tx.afterCommit(() => this.#onChanged(id));
  }

  /** The same connection and token work again; ids stay, and stored data that the new sign-in may read. */
  async reauthenticate(
    tx: Transaction,
    connection: Connection,
    signIn: SignIn,
    { isSameAccount }: Pick<Reauthentication, "isSameAccount">,
  ): Promise<void> {
    const { keyring, clock, audit } = this.#dependencies;
    const { id, clientId, tokenId } = connection;
    const part = makeSignInPart(keyring, connection, signIn, clock.now());
    const { unsupported, rights } = part;
    const signedIn = { ...summarizeRights(rights), unsupported, isSameAccount };
    await store.replaceSignIn(tx, id, part);
    await audit.record(tx, "connection.reauthenticated", { clientId, tokenId, connectionId: id });
    await this.#tell((observer) => observer.onReauthenticated?.(tx, connection, signedIn));
    tx.afterCommit(() => this.#onChanged(id));
  }

  /** Locks the connection against its removal until the transaction ends; false when it is gone. */
  async lockAgainstRemoval(tx: Queryable, id: string): Promise<boolean> {
    return await store.lockAgainstRemoval(tx, id);
  }

  /**
   * Every process forgets the key of a connection that was removed. `forget` is called with its id, for what else
   * is kept of it.
   */
  forgetRemoved(listener: Listener, forget: (id: ConnectionId) => void): void {
    listener.observe((payload) => {
      const id = findRemoved(payload);
      if (id === undefined) return;
      this.#keys.forget(id);
      forget(id);
    });
  }

  /** Locks the connection for a re-authentication until the transaction ends; false when it is gone. */
  async lockForSignIn(tx: Queryable, tokenId: TokenId): Promise<boolean> {
    return await store.lockForSignIn(tx, tokenId);
  }

  /**
   * Deletes the connection of a token, its key and every row that depends on it. Returns its id; undefined when there
   * is none.
   */
  async remove(tx: Transaction, tokenId: TokenId, by: EndedBy): Promise<ConnectionId | undefined> {
    const removed = await deleteConnection(tx, tokenId, by);
    if (removed)
      tx.afterCommit(() => this.#onRemoved(describeRemoved(this.#dependencies, removed)));
    return removed?.id;
  }

  /**
   * Deletes the connections whose code was not exchanged in time, with their sessions. `afterBatch` ends what
   * `onRemoved` has begun for the first of them before there are more.
   */
  async removeUnclaimed(signal?: AbortSignal, afterBatch?: () => Promise<void>): Promise<void> {
    const onRemoved = this.#onRemoved;
    await removeUnclaimed({ ...this.#dependencies, onRemoved, afterBatch }, signal);
  }

  async #tell(tell: (observer: ConnectionObserver) => Promise<void> | undefined): Promise<void> {
    for (const observer of this.#observers) await tell(observer);
  }

  async #findBound(
    db: Queryable,
    by: { id: string } | { tokenId: TokenId },
  ): Promise<FoundConnection | undefined> {
    const found = await bound.findConnection(db, by);
    return found && isConnectionBound(this.#dependencies, found) ? found : undefined;
  }

  #open(found: FoundConnection): Connection {
    const { binding: _binding, ...sealed } = found;
    return openConnection(this.#dependencies.keyring, sealed);
  }
}

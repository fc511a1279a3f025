import { randomBytes } from "node:crypto";
import type { Audit } from "../audit/index.ts";
import {
  fieldsToSwitch,
  ConflictingUpdate,
  InvalidRequest,
  type ClientId,
  type FieldOff,
} from "../model/index.ts";
import type { Clock } from "../platform/clock.ts";
import type { BoundSince } from "../platform/bound-rows.ts";
import { mintCredential, type Environment, type Keyring } from "../platform/crypto/index.ts";
import { transaction, type Pool, type Queryable, type Transaction } from "../platform/db/index.ts";
import type { Log } from "../platform/log.ts";
import { applyChange, haveSwitched, type ClientChange } from "./apply-change.ts";
import { bindClient, isClientBound } from "./bind-client.ts";
import type { AddressRules } from "./client-fields.ts";
import { isCurrentSecret, protectSecret, revealSecrets, type OnUnopened } from "./client-secret.ts";
import type { Client } from "./client.ts";
import { ClientEnds } from "./client-ends.ts";
import type { ClientObserver } from "./client-observer.ts";
import { decodeLogo } from "./logo.ts";
import * as store from "./store.ts";

export interface ClientsDependencies {
  pool: Pool;
  keyring: Keyring;
  clock: Clock;
  audit: Audit;
  log: Log;
  environment: Environment;
  addressRules: AddressRules;
  boundSince: BoundSince;
}

const maxSecrets = 3;
const clientIdLength = 35;
const clientIdPattern = /^[0-9A-F]{8}(-[0-9A-F]{8}){3}$/;

export class Clients {
  readonly #dependencies: ClientsDependencies;
  readonly #observers: ClientObserver[] = [];
  /**
   * What the log was told of rows that somebody else changed: once for each revision of a client, and of its secrets.
   */
  readonly #told = new Set<string>();

  /** What ends clients. */
  readonly ends: ClientEnds;

  constructor(dependencies: ClientsDependencies) {
    this.#dependencies = dependencies;
    const observers = this.#observers;
    this.ends = new ClientEnds({
      ...dependencies,
      observers,
      check: (found) => this.#check(found),
    });
  }

  /** The observer takes part in every later change that it names. */
  observe(observer: ClientObserver): void {
    this.#observers.push(observer);
  }

  get addressRules(): AddressRules {
    return this.#dependencies.addressRules;
  }

  /** Only this call returns the secret. `more` is what the client begins with: without it there is no client. */
  async create(
    fields: { name: string; redirectUris: readonly string[] },
    more: ClientChange = {},
  ): Promise<{ client: Client; secret: string }> {
    return await transaction(this.#dependencies.pool, async (tx) => {
      const { client, secret } = await this.createIn(tx, fields);
      return { client: await this.#updateIn(tx, client, more), secret };
    });
  }

  async createIn(
    tx: Transaction,
    { name, redirectUris }: { name: string; redirectUris: readonly string[] },
  ): Promise<{ client: Client; secret: string }> {
    const { keyring, clock, audit, environment } = this.#dependencies;
    const clientId = mintClientId();
    const secret = mintCredential("cs", environment);
    const client = {
      clientId,
      name,
      redirectUris: [...redirectUris],
      webhookUri: null,
      eventUri: null,
      eventTypes: null,
      pollResources: null,
      requirePkce: false,
      allowSandbox: false,
      fieldsOff: [],
      purpose: null,
      privacyUrl: null,
      supportUrl: null,
      logoDigest: null,
      brandColor: null,
      requestsPer5Minutes: null,
      revision: 1,
      createdAt: clock.now(),
      endedAt: null,
      emptiedAt: null,
      secrets: [protectSecret(keyring, clientId, secret)],
    };
    await store.insertClient(tx, { ...client, rowMac: bindClient(keyring, client) });
    await audit.record(tx, "client.created", { clientId });
    return { client: { ...client, isBound: true }, secret };
  }

  /**
   * Undefined for an unknown client, one that has ended, and a wrong secret. All take as long, but for an id that no
   * client can have.
   */
  async authenticate(clientId: ClientId, secret: string): Promise<Client | undefined> {
    const { keyring, pool } = this.#dependencies;
    const found = clientIdPattern.test(clientId)
      ? await store.findClientOrDecoy(pool, clientId)
      : undefined;
    const client = found && this.#check(found);
    const known = client ?? { clientId, revision: 0, secrets: [] };
    const isRight = isCurrentSecret(keyring, known, secret, this.#tellUnopened(known));
    return isRight && client?.clientId === clientId ? client : undefined;
  }

  /** Undefined for an unknown client, and for one that has ended. */
  async find(
    clientId: ClientId,
    db: Queryable = this.#dependencies.pool,
  ): Promise<Client | undefined> {
    const found = await this.findAlsoEnded(clientId, db);
    return found?.endedAt ? undefined : found;
  }

  async findAlsoEnded(
    clientId: ClientId,
    db: Queryable = this.#dependencies.pool,
  ): Promise<Client | undefined> {
    const found = clientIdPattern.test(clientId) ? await store.findClient(db, clientId) : undefined;
    return found && this.#check(found);
  }

  /** Also one that has ended, and one whose row is not bound or was changed by somebody else. */
  async findAlsoUnused(clientId: ClientId): Promise<Client | undefined> {
    const found = await store.findClient(this.#dependencies.pool, clientId);
    return found && (this.#check(found) ?? withoutProof(found));
  }

  /** The clients that are used, or those that have ended. */
  async list({ areEnded = false } = {}): Promise<Client[]> {
    const found = await store.listClients(this.#dependencies.pool, { areEnded });
    return found.flatMap((each) => this.#check(each) ?? []);
  }

  /**
   * A page of all clients that have not ended, or of those that have, the newest first, from behind one. `isUsed` is
   * false for one whose row is not bound, or was changed by somebody else.
   */
  async page({
    areEnded = false,
    ...options
  }: {
    before: ClientId | undefined;
    limit: number;
    areEnded?: boolean;
  }): Promise<(Client & { isUsed: boolean })[]> {
    const found = await store.findNewestClients(this.#dependencies.pool, { ...options, areEnded });
    return found.map((each) => {
      const checked = this.#check(each);
      return { ...(checked ?? withoutProof(each)), isUsed: checked !== undefined };
    });
  }

  /** The names of those of the clients that are used or have ended. */
  async namesOf(clientIds: readonly ClientId[]): Promise<Map<ClientId, string>> {
    const found =
      clientIds.length > 0 ? await store.findClients(this.#dependencies.pool, clientIds) : [];
    const used = found.flatMap((each) => this.#check(each) ?? []);
    return new Map(used.map(({ clientId, name }) => [clientId, name]));
  }

  /** The clients that are not used: their rows are not bound, or were changed by somebody else. */
  async listUnused(): Promise<Client[]> {
    const found = await store.listClients(this.#dependencies.pool, { areEnded: false });
    return found.filter((each) => !this.#check(each)).map(withoutProof);
  }

  /**
   * An operator has seen what the row says, and takes it as it is. Its webhooks go on. Undefined when there is no such
   * client. Throws InvalidRequest for a webhook address that is none, and ConflictingUpdate when it has changed since.
   */
  async confirm(clientId: ClientId): Promise<Client | undefined> {
    const { pool, clock, keyring, audit } = this.#dependencies;
    return await transaction(pool, async (tx) => {
      const found = await store.findClient(tx, clientId);
      if (!found || found.endedAt) return undefined;
      const { rowMac: _mac, ...read } = found;
      refuseNoAddress("webhook_uri", read.webhookUri);
      refuseNoAddress("event_uri", read.eventUri);
      const client = { ...read, revision: read.revision + 1, isBound: true };
      const rowMac = bindClient(keyring, client);
      if (!(await store.updateClientRow(tx, { ...client, rowMac }, clock.now())))
        throw new ConflictingUpdate("The client was changed meanwhile. Look at it again.");
      await audit.record(tx, "client.confirmed", { clientId });
      await this.#tellWebhookUri(tx, client);
      await this.#tellEvents(tx, client, true);
      return client;
    });
  }

  /**
   * Applies to the client as it was read. Throws ConflictingUpdate when it has changed since, and InvalidRequest for a
   * webhook address that can never be reached.
   */
  async update(client: Client, change: ClientChange): Promise<Client> {
    return await transaction(this.#dependencies.pool, (tx) => this.#updateIn(tx, client, change));
  }

  async #updateIn(tx: Transaction, client: Client, change: ClientChange): Promise<Client> {
    if (Object.values(change).every((value) => value === undefined)) return client;
    this.#checkAddress(client, "webhook_uri", change.webhookUri);
    this.#checkAddress(client, "event_uri", change.eventUri);
    const { keyring, clock, audit } = this.#dependencies;
    const { clientId } = client;
    const logo = change.logo ? decodeLogo(change.logo) : null;
    const changed: Client = {
      ...applyChange(client, change),
      revision: client.revision + 1,
      logoDigest: change.logo === undefined ? client.logoDigest : (logo?.digest ?? null),
      secrets:
        change.secrets?.map((secret) => protectSecret(keyring, clientId, secret)) ?? client.secrets,
    };
    // A change of one field does not prove a row that nobody has bound.
    const rowMac = client.isBound ? bindClient(keyring, changed) : null;
    if (!(await store.updateClientRow(tx, { ...changed, rowMac }, clock.now())))
      throw new ConflictingUpdate("The client was changed meanwhile. Read it and update it again.");
    if (change.secrets) await store.replaceSecrets(tx, clientId, changed.secrets);
    if (change.logo !== undefined) await store.replaceLogo(tx, clientId, logo);
    const fields = Object.entries(change).flatMap(([field, value]) =>
      value === undefined ? [] : [field],
    );
    await audit.record(tx, "client.updated", { clientId, detail: { fields } });
    if (change.webhookUri !== undefined) await this.#tellWebhookUri(tx, changed);
    if (change.eventUri !== undefined || change.pollResources !== undefined)
      await this.#tellEvents(tx, changed, change.eventUri !== undefined);
    if (haveSwitched(client, changed)) await this.#tellFields(tx, changed);
    return changed;
  }

  async #tellFields(tx: Transaction, client: Client): Promise<void> {
    for (const observer of this.#observers) await observer.onFieldsSwitched?.(tx, client);
    for (const observer of this.#observers)
      tx.afterCommit(() => observer.afterFieldsSwitched?.(client));
  }

  async #tellWebhookUri(tx: Transaction, client: Client): Promise<void> {
    for (const observer of this.#observers) await observer.onWebhookUriSet?.(tx, client);
  }

  async #tellEvents(tx: Transaction, client: Client, hasSetAddress: boolean): Promise<void> {
    for (const observer of this.#observers) await observer.onEventsSet?.(tx, client, hasSetAddress);
  }

  #checkAddress({ clientId }: Client, field: string, address: string | null | undefined): void {
    if (!address || this.addressRules.canReach(new URL(address), clientId)) return;
    throw new InvalidRequest(
      `${field}: can never be reached, because its host is this machine, an address that is not public, or a name ` +
        "that the internet does not have; give a public one, or ask the operator to open the range",
    );
  }

  /**
   * What of employees is not read for a client. For one that is not used it is all that can be switched off, so that
   * nobody has more read by what he writes into a row.
   */
  async fieldsOff(clientId: ClientId): Promise<readonly FieldOff[]> {
    const client = await this.find(clientId);
    if (client) return client.fieldsOff;
    return (await this.isSharedSandbox(clientId)) ? [] : fieldsToSwitch;
  }

  /** The bytes of a PNG that a client has now. */
  async findLogo(digest: string): Promise<Buffer | undefined> {
    return await store.findLogo(this.#dependencies.pool, digest);
  }

  /** The first one signs webhooks. One whose row somebody else has changed is left out, and logged. */
  revealSecrets(client: Client): string[] {
    const { keyring } = this.#dependencies;
    return revealSecrets(keyring, client, this.#tellUnopened(client));
  }

  /** A secret that did not exist before, and the list that begins with it and keeps the latest two. */
  rotateSecrets(client: Client): { secrets: string[]; newSecret: string } {
    const newSecret = mintCredential("cs", this.#dependencies.environment);
    const kept = this.revealSecrets(client).slice(0, maxSecrets - 1);
    return { secrets: [newSecret, ...kept], newSecret };
  }

  /** In `prod` invented data is for those clients alone that want it. */
  maySimulate({ allowSandbox }: Pick<Client, "allowSandbox">): boolean {
    return allowSandbox || this.#dependencies.environment !== "prod";
  }

  async isSharedSandbox(clientId: ClientId): Promise<boolean> {
    return (await store.findSharedSandboxClient(this.#dependencies.pool)) === clientId;
  }

  #tellUnopened({ clientId, revision }: Pick<Client, "clientId" | "revision">): OnUnopened {
    return (index, error) =>
      this.#tellOnce(
        `${clientId} ${revision} ${index}`,
        { err: error, clientId, position: index + 1 },
        "a secret of a client does not open: somebody else has changed its row; it is left out until the client has " +
          "new secrets",
      );
  }

  #tellOnce(what: string, ids: object, message: string): void {
    if (!this.#told.has(what)) this.#dependencies.log.error(ids, message);
    this.#told.add(what);
  }

  /** The id of the built-in client that owns the shared sandbox token. */
  async ensureSharedSandbox(tx: Queryable): Promise<string> {
    const { clock, audit } = this.#dependencies;
    const known = await store.findSharedSandboxClient(tx);
    if (known) return known;
    const clientId = mintClientId();
    await store.insertSharedSandboxClient(tx, clientId, clock.now());
    await audit.record(tx, "client.created", { clientId });
    return clientId;
  }

  /** Undefined for a row that somebody else wrote. One of an earlier version is used as long as that may write. */
  #check({ rowMac, ...client }: store.FoundClient): Client | undefined {
    const { keyring, boundSince } = this.#dependencies;
    const isBound = rowMac !== null && isClientBound(keyring, client, rowMac);
    const isUsed = isBound || (rowMac === null && !boundSince.requires("clients"));
    if (isUsed) return { ...client, isBound };
    const { clientId, revision } = client;
    const remedy = client.endedAt
      ? "it is not emptied until rollcall client end"
      : "it is not used until rollcall client confirm";
    this.#tellOnce(
      `${clientId} ${revision}`,
      { clientId },
      `a client was changed in the database by somebody else; ${remedy}`,
    );
    return undefined;
  }
}

/** Whether the key of a rate limit's window ends with a client's id. It is counted after the client's credentials. */
export function isWindowOfClient(key: string): boolean {
  return clientIdPattern.test(key.slice(-clientIdLength));
}

function withoutProof({ rowMac: _mac, ...client }: store.FoundClient): Client {
  return { ...client, isBound: false };
}

function refuseNoAddress(field: string, address: string | null): void {
  if (address !== null && !URL.canParse(address))
    throw new InvalidRequest(
      `${field}: what the row says is no address; write the right one, or null, into the table clients`,
    );
}

function mintClientId(): string {
  return randomBytes(16).toString("hex").toUpperCase().match(/.{8}/g)?.join("-") ?? "";
}

import { randomBytes } from "node:crypto";
import type { Audit } from "../audit/index.ts";
import { ConflictingUpdate } from "../errors.ts";
import type { ClientId } from "../model/index.ts";
import type { Clock } from "../platform/clock.ts";
import { mintCredential, type Environment, type Keyring } from "../platform/crypto/index.ts";
import { transaction, type Pool, type Queryable, type Transaction } from "../platform/db/index.ts";
import type { Log } from "../platform/log.ts";
import type { AddressRules } from "./client-fields.ts";
import { isCurrentSecret, protectSecret, revealSecrets, type OnUnopened } from "./client-secret.ts";
import type { Client } from "./client.ts";
import { decodeLogo } from "./logo.ts";
import * as store from "./store.ts";

export interface ClientsDependencies {
  pool: Pool;
  keyring: Keyring;
  clock: Clock;
  log: Log;
  audit: Audit;
  environment: Environment;
  addressRules: AddressRules;
}

export interface ClientChange {
  name?: string | undefined;
  secrets?: readonly string[] | undefined;
  webhookUri?: string | null | undefined;
  redirectUris?: readonly string[] | undefined;
  requirePkce?: boolean | undefined;
  allowSandbox?: boolean | undefined;
  purpose?: string | null | undefined;
  privacyUrl?: string | null | undefined;
  supportUrl?: string | null | undefined;
  /** In base64, as `clientFields` checks it. */
  logo?: string | null | undefined;
}

/** Another room's part in the transaction that changes a client. The webhooks room observes, for its endpoints. */
export interface ClientObserver {
  /** The client set its webhook address, perhaps to the same one, or took it away. */
  onWebhookUriSet(tx: Transaction, client: Client): Promise<void>;
}

const maxSecrets = 3;
const clientIdLength = 35;
const clientIdPattern = /^[0-9A-F]{8}(-[0-9A-F]{8}){3}$/;

export class Clients {
  readonly #dependencies: ClientsDependencies;
  readonly #observers: ClientObserver[] = [];

  constructor(dependencies: ClientsDependencies) {
    this.#dependencies = dependencies;
  }

  /** The observer takes part in every later change that it names. */
  observe(observer: ClientObserver): void {
    this.#observers.push(observer);
  }

  get addressRules(): AddressRules {
    return this.#dependencies.addressRules;
  }

  /** Only this call returns the secret. */
  async create(fields: {
    name: string;
    redirectUris: readonly string[];
  }): Promise<{ client: Client; secret: string }> {
    return await transaction(this.#dependencies.pool, (tx) => this.createIn(tx, fields));
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
      requirePkce: false,
      allowSandbox: false,
      purpose: null,
      privacyUrl: null,
      supportUrl: null,
      logoDigest: null,
      createdAt: clock.now(),
      secrets: [protectSecret(keyring, clientId, secret)],
    };
    await store.insertClient(tx, client);
    await audit.record(tx, "client.created", { clientId });
    return { client: { ...client, revision: 1 }, secret };
  }

  /** Undefined for an unknown client and for a wrong secret. Both cost the same work. */
  async authenticate(clientId: ClientId, secret: string): Promise<Client | undefined> {
    const { keyring, pool } = this.#dependencies;
    const client = clientIdPattern.test(clientId)
      ? await store.findClientOrDecoy(pool, clientId)
      : undefined;
    const known = client ?? { clientId, secrets: [] };
    const isRight = isCurrentSecret(keyring, known, secret, this.#tellUnopened(known.clientId));
    return isRight && client?.clientId === clientId ? client : undefined;
  }

  async find(
    clientId: ClientId,
    db: Queryable = this.#dependencies.pool,
  ): Promise<Client | undefined> {
    return clientIdPattern.test(clientId) ? await store.findClient(db, clientId) : undefined;
  }

  async list(): Promise<Client[]> {
    return await store.listClients(this.#dependencies.pool);
  }

  /** Applies to the client as it was read. Throws ConflictingUpdate when it has changed since. */
  async update(client: Client, change: ClientChange): Promise<Client> {
    if (Object.values(change).every((value) => value === undefined)) return client;
    const { pool, keyring, clock, audit } = this.#dependencies;
    const { clientId } = client;
    const logo = change.logo ? decodeLogo(change.logo) : null;
    const changed: Client = {
      ...applyChange(client, change),
      logoDigest: change.logo === undefined ? client.logoDigest : (logo?.digest ?? null),
      secrets:
        change.secrets?.map((secret) => protectSecret(keyring, clientId, secret)) ?? client.secrets,
    };
    await transaction(pool, async (tx) => {
      if (!(await store.updateClientRow(tx, changed, clock.now())))
        throw new ConflictingUpdate(
          "The client was changed meanwhile. Read it and update it again.",
        );
      if (change.secrets) await store.replaceSecrets(tx, clientId, changed.secrets);
      if (change.logo !== undefined) await store.replaceLogo(tx, clientId, logo);
      const fields = Object.entries(change).flatMap(([field, value]) =>
        value === undefined ? [] : [field],
      );
      await audit.record(tx, "client.updated", { clientId, detail: { fields } });
      if (change.webhookUri === undefined) return;
      for (const observer of this.#observers) await observer.onWebhookUriSet(tx, changed);
    });
    return { ...changed, revision: client.revision + 1 };
  }

  /** The bytes of a PNG that a client has now. */
  async findLogo(digest: string): Promise<Buffer | undefined> {
    return await store.findLogo(this.#dependencies.pool, digest);
  }

  /** The first one signs webhooks. One whose row somebody else has changed is left out, and logged. */
  revealSecrets(client: Client): string[] {
    const { keyring } = this.#dependencies;
    return revealSecrets(keyring, client, this.#tellUnopened(client.clientId));
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

  #tellUnopened(clientId: ClientId): OnUnopened {
    return (index, error) =>
      this.#dependencies.log.error(
        { err: error, clientId, position: index + 1 },
        "a secret of a client does not open: somebody else has changed its row; it is left out until the client has " +
          "new secrets",
      );
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
}

/** Whether the key of a rate limit's window ends with a client's id. It is counted after the client's credentials. */
export function isWindowOfClient(key: string): boolean {
  return clientIdPattern.test(key.slice(-clientIdLength));
}

function choose<Value>(changed: Value | undefined, current: Value): Value {
  return changed === undefined ? current : changed;
}

/** All but the secrets and the picture. */
function applyChange(client: Client, change: ClientChange): Client {
  return {
    ...client,
    name: choose(change.name, client.name),
    redirectUris: change.redirectUris ? [...change.redirectUris] : client.redirectUris,
    webhookUri: choose(change.webhookUri, client.webhookUri),
    requirePkce: choose(change.requirePkce, client.requirePkce),
    allowSandbox: choose(change.allowSandbox, client.allowSandbox),
    purpose: choose(change.purpose, client.purpose),
    privacyUrl: choose(change.privacyUrl, client.privacyUrl),
    supportUrl: choose(change.supportUrl, client.supportUrl),
  };
}

function mintClientId(): string {
  return randomBytes(16).toString("hex").toUpperCase().match(/.{8}/g)?.join("-") ?? "";
}

import { AsyncLocalStorage } from "node:async_hooks";
import type { ClientId, ConnectionId, TokenId } from "../model/index.ts";
import type { Clock } from "../platform/clock.ts";
import type { Keyring } from "../platform/crypto/index.ts";
import type { Queryable } from "../platform/db/index.ts";
import { StartRefused } from "../platform/start-refused.ts";
import { createAuditKey, findAuditKey, type AuditKey } from "./audit-key.ts";
import { formatDetail } from "./entry-content.ts";
import { findSignedEntry, insertEntries, listEntries, type Subject } from "./store.ts";

export type AuditAction =
  | "client.created"
  | "client.updated"
  | "client.confirmed"
  | "client.ended"
  | "client.emptied"
  | "client.webhook-stopped"
  | "connection.created"
  | "connection.reauthenticated"
  | "connection.refused"
  | "connection.settings-changed"
  | "connection.expired"
  | "connection.exported"
  | "read.ended-processes"
  | "code.replayed"
  | "sign-in.throttled"
  | "token.issued"
  | "token.replaced"
  | "token.disconnected"
  | "key.added"
  | "key.activated"
  | "key.rewrapped"
  | "key.retired"
  | "rows.bound"
  | "database.restored"
  | "sandbox.changed"
  | "console.linked"
  | "console.signed-in"
  | "console.signed-out"
  | "console.used";

/** Field names and enumerated words; never a value that a person chose, but for the name of a link to the console. */
type Detail = Readonly<Record<string, string | number | readonly string[]>>;

export interface AuditEntry {
  id: string;
  at: Date;
  action: AuditAction;
  clientId: ClientId | null;
  tokenId: TokenId | null;
  connectionId: ConnectionId | null;
  detail: Record<string, unknown>;
}

export class Audit {
  readonly #clock: Clock;
  readonly #askers = new AsyncLocalStorage<string>();
  #key: AuditKey | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Before the first entry. The first start on a database makes the key; the caller holds the lock of the master keys.
   * Says whether this was that start, and not the first one after an upgrade.
   */
  async openKey(tx: Queryable, keyring: Keyring): Promise<{ isFirstStart: boolean }> {
    await this.findKey(tx, keyring);
    if (this.#key) return { isFirstStart: false };
    const { key, isFirstStart } = await createAuditKey(tx, keyring, this.#clock.now());
    this.#key = key;
    return { isFirstStart };
  }

  /** False before the first start has made the key. */
  async findKey(db: Queryable, keyring: Keyring): Promise<boolean> {
    this.#key = await findAuditKey(db, keyring);
    return this.#key !== undefined;
  }

  get key(): AuditKey {
    if (!this.#key)
      throw new StartRefused(
        "The key of the audit record is not open: MASTER_KEYS lacks the key that it is sealed under, or no process " +
          "of this version has started yet.",
      );
    return this.#key;
  }

  /** Every entry that the work writes names who asked for it. */
  async askedBy<Result>(asker: string, work: () => Promise<Result>): Promise<Result> {
    return await this.#askers.run(asker, work);
  }

  async record(
    tx: Queryable,
    action: AuditAction,
    { detail = {}, ...subject }: Subject & { detail?: Detail },
  ): Promise<void> {
    await this.recordAll(tx, action, [subject], detail);
  }

  /** The same, and returns the id of the entry. */
  async recordOne(
    tx: Queryable,
    action: AuditAction,
    { detail = {}, ...subject }: Subject & { detail?: Detail },
  ): Promise<string> {
    const [id] = await this.#insert(tx, { action, subjects: [subject], detail });
    if (id === undefined) throw new Error("the database gave an entry no id");
    return id;
  }

  /** Undefined for an entry that is not there, of another action or token, or that somebody else wrote. */
  async findEntry(
    db: Queryable,
    wanted: { id: string; action: AuditAction; tokenId: TokenId },
  ): Promise<Pick<AuditEntry, "at" | "clientId" | "connectionId" | "detail"> | undefined> {
    const entry = await findSignedEntry(db, wanted);
    if (!entry || !this.key.isSigned(entry)) return undefined;
    const { atMicros, clientId, connectionId, detail } = entry;
    const at = new Date(Math.floor(Number(atMicros) / 1_000));
    return { at, clientId, connectionId, detail: detail as AuditEntry["detail"] };
  }

  /** An entry for each of them. */
  async recordAll(
    tx: Queryable,
    action: AuditAction,
    subjects: readonly Subject[],
    detail: Detail = {},
  ): Promise<void> {
    if (subjects.length > 0) await this.#insert(tx, { action, subjects, detail });
  }

  async #insert(
    tx: Queryable,
    {
      action,
      subjects,
      detail,
    }: { action: AuditAction; subjects: readonly Subject[]; detail: Detail },
  ): Promise<string[]> {
    const asker = this.#askers.getStore();
    return await insertEntries(tx, {
      action,
      detail: formatDetail(asker === undefined ? detail : { ...detail, asked_by: asker }),
      at: this.#clock.now(),
      subjects: subjects.map((subject) => ({ ...subject, oneTimeKey: this.key.makeOneTimeKey() })),
    });
  }

  /** Newest first. */
  async list(
    db: Queryable,
    { limit, clientId, before }: { limit: number; clientId?: ClientId; before?: string },
  ): Promise<AuditEntry[]> {
    return await listEntries<AuditEntry>(db, { limit, clientId, before });
  }
}

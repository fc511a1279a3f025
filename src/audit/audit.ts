import type { ClientId, ConnectionId, TokenId } from "../model/index.ts";
import type { Clock } from "../platform/clock.ts";
import type { Keyring } from "../platform/crypto/index.ts";
import type { Queryable } from "../platform/db/index.ts";
import { StartRefused } from "../platform/start-refused.ts";
import { createAuditKey, findAuditKey, type AuditKey } from "./audit-key.ts";
import { formatDetail } from "./entry-content.ts";
import { insertEntries, listEntries, type Subject } from "./store.ts";

export type AuditAction =
  | "client.created"
  | "client.updated"
  | "client.confirmed"
  | "client.webhook-stopped"
  | "connection.created"
  | "connection.reauthenticated"
  | "connection.refused"
  | "connection.expired"
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
  | "sandbox.changed";

/** Field names and enumerated words; never a value that a person chose. */
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

  async record(
    tx: Queryable,
    action: AuditAction,
    { detail = {}, ...subject }: Subject & { detail?: Detail },
  ): Promise<void> {
    await this.recordAll(tx, action, [subject], detail);
  }

  /** An entry for each of them. */
  async recordAll(
    tx: Queryable,
    action: AuditAction,
    subjects: readonly Subject[],
    detail: Detail = {},
  ): Promise<void> {
    if (subjects.length === 0) return;
    await insertEntries(tx, {
      action,
      detail: formatDetail(detail),
      at: this.#clock.now(),
      subjects: subjects.map((subject) => ({ ...subject, oneTimeKey: this.key.makeOneTimeKey() })),
    });
  }

  /** Newest first. */
  async list(
    db: Queryable,
    { limit, clientId }: { limit: number; clientId?: ClientId },
  ): Promise<AuditEntry[]> {
    return await listEntries<AuditEntry>(db, { limit, clientId });
  }
}

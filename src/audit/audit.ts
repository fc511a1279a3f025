import type { ClientId, ConnectionId, TokenId } from "../model/index.ts";
import type { Clock } from "../platform/clock.ts";
import type { Keyring } from "../platform/crypto/index.ts";
import type { Queryable } from "../platform/db/index.ts";
import { StartRefused } from "../platform/start-refused.ts";
import { createAuditKey, findAuditKey, type AuditKey } from "./audit-key.ts";
import { formatDetail } from "./entry-content.ts";
import { insertEntriesSql, listEntries } from "./store.ts";

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

interface Subject {
  clientId?: ClientId | undefined;
  tokenId?: TokenId | undefined;
  connectionId?: ConnectionId | undefined;
}

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
    const source = `select $3::timestamptz as at, subject.*
      from unnest($4::text[], $5::uuid[], $6::uuid[], $7::bytea[])
        as subject (client_id, token_id, connection_id, one_time_key)`;
    await tx.query(insertEntriesSql(source, { action: "$1::text", detail: "$2::text" }), [
      action,
      formatDetail(detail),
      this.#clock.now(),
      subjects.map(({ clientId }) => clientId ?? null),
      subjects.map(({ tokenId }) => tokenId ?? null),
      subjects.map(({ connectionId }) => connectionId ?? null),
      subjects.map(() => this.key.makeOneTimeKey()),
    ]);
  }

  /**
   * The same as a part of the statement that makes the change: an entry for the one row of its part `changed`, which
   * has the columns at, client_id, token_id and connection_id. Its parameters begin at `firstParameter`.
   */
  recordPart(
    action: AuditAction,
    changed: string,
    { firstParameter: first, detail = {} }: { firstParameter: number; detail?: Detail },
  ): AuditPart {
    const source = `select at, client_id, token_id, connection_id, $${first + 2}::bytea as one_time_key from ${changed}`;
    const names = { action: `$${first}::text`, detail: `$${first + 1}::text` };
    return {
      text: insertEntriesSql(source, names),
      values: [action, formatDetail(detail), this.key.makeOneTimeKey()],
    };
  }

  /** Newest first. */
  async list(
    db: Queryable,
    { limit, clientId }: { limit: number; clientId?: ClientId },
  ): Promise<AuditEntry[]> {
    return await listEntries<AuditEntry>(db, { limit, clientId });
  }
}

/** A part of a statement, and the values of its parameters. */
export interface AuditPart {
  text: string;
  values: unknown[];
}

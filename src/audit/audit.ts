import type { ClientId, ConnectionId, TokenId } from "../model/index.ts";
import type { Clock } from "../platform/clock.ts";
import { queryRows, type Queryable } from "../platform/db/index.ts";

export type AuditAction =
  | "client.created"
  | "client.updated"
  | "client.webhook-stopped"
  | "connection.created"
  | "connection.reauthenticated"
  | "connection.refused"
  | "connection.expired"
  | "read.ended-processes"
  | "code.replayed"
  | "token.issued"
  | "token.replaced"
  | "token.disconnected"
  | "key.added"
  | "key.activated"
  | "key.rewrapped"
  | "key.retired"
  | "database.restored"
  | "sandbox.changed";

interface Subject {
  clientId?: ClientId;
  tokenId?: TokenId;
  connectionId?: ConnectionId;
  /** Field names and enumerated words; never a value that a person chose. */
  detail?: Readonly<Record<string, string | number | readonly string[]>>;
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

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async record(
    tx: Queryable,
    action: AuditAction,
    { clientId, tokenId, connectionId, detail = {} }: Subject,
  ): Promise<void> {
    await tx.query(
      `insert into audit_entries (at, action, client_id, token_id, connection_id, detail)
       values ($1, $2, $3, $4, $5, $6)`,
      [this.#clock.now(), action, clientId ?? null, tokenId ?? null, connectionId ?? null, detail],
    );
  }

  /**
   * The same as a part of the statement that makes the changes: one entry for each row of its part `changed`, which
   * has the columns at, client_id, token_id and connection_id.
   */
  recordPart(action: AuditAction, changed: string, detail: Subject["detail"] = {}): string {
    return `insert into audit_entries (at, action, client_id, token_id, connection_id, detail)
      select at, '${action}', client_id, token_id, connection_id, '${JSON.stringify(detail)}'::jsonb from ${changed}`;
  }

  /** Newest first. */
  async list(
    db: Queryable,
    { limit, clientId }: { limit: number; clientId?: ClientId },
  ): Promise<AuditEntry[]> {
    return await queryRows<AuditEntry>(
      db,
      `select id::text, at, action, client_id as "clientId", token_id as "tokenId",
         connection_id as "connectionId", detail
       from audit_entries where $2::text is null or client_id = $2 order by audit_entries.id desc limit $1`,
      [limit, clientId ?? null],
    );
  }
}

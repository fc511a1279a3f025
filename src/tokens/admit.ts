import type {
  AuthErrorCode,
  ClientId,
  ConnectionId,
  Mode,
  Resource,
  Scope,
  TokenId,
} from "../model/index.ts";
import type { Queryable } from "../platform/db/index.ts";

/** Names the stored data that answers a request. */
export interface StoredData {
  resource: Resource;
  parameters: string;
}

/** Whether a request with an access token is let in, and which stored data is at hand for it: one look-up. */
export interface Admission {
  /** Of the credential, by which the look-up can be done again. */
  digest: Buffer;
  tokenId: TokenId;
  clientId: ClientId;
  isSharedSandbox: boolean;
  provider: string;
  mode: Mode;
  scopes: Scope[];
  isDisconnected: boolean;
  connectionId: ConnectionId;
  authFailure: AuthErrorCode | null;
  snapshot: { version: string; fetchedAt: Date } | undefined;
}

interface AdmissionRow {
  token_id: string;
  client_id: string;
  is_shared_sandbox: boolean;
  provider: string;
  mode: Mode;
  scopes: Scope[];
  is_disconnected: boolean;
  connection_id: string | null;
  auth_failure: AuthErrorCode | null;
  version: string | null;
  fetched_at: Date | null;
}

/** Reads the function `admission`, the one place where a statement crosses the rooms' tables. */
export async function findAdmission(
  db: Queryable,
  digest: Buffer,
  stored: StoredData | undefined,
): Promise<Admission | undefined> {
  const { rows } = await db.query<AdmissionRow>({
    name: "admission",
    text: "select * from admission($1, $2, $3)",
    values: [digest, stored?.resource ?? "", stored?.parameters ?? ""],
  });
  const [row] = rows;
  if (!row) return undefined;
  return {
    digest,
    tokenId: row.token_id,
    clientId: row.client_id,
    isSharedSandbox: row.is_shared_sandbox,
    provider: row.provider,
    mode: row.mode,
    scopes: row.scopes,
    isDisconnected: row.is_disconnected || row.connection_id === null,
    connectionId: row.connection_id ?? "",
    authFailure: row.auth_failure,
    snapshot:
      row.version !== null && row.fetched_at !== null
        ? { version: row.version, fetchedAt: row.fetched_at }
        : undefined,
  };
}

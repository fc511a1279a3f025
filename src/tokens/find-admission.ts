import type {
  AuthErrorCode,
  ClientId,
  ConnectionId,
  Mode,
  Resource,
  Scope,
  TokenId,
} from "../model/index.ts";
import { queryRow, type Queryable } from "../platform/db/index.ts";

/** Names the stored data that would answer a request. */
export interface StoredData {
  resource: Resource;
  parameters: string;
}

/**
 * All that a request with an access token needs to know about its token and its stored data, from one
 * statement.
 */
export interface Admission {
  /** The digest of the access token, with which the look-up can be repeated. */
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

type AdmissionRow = Omit<Admission, "digest" | "snapshot"> & {
  version: string | null;
  fetchedAt: Date | null;
};

/** Calls the function `admission`, the only statement that reads tables of several rooms. */
export async function findAdmission(
  db: Queryable,
  digest: Buffer,
  stored: StoredData | undefined,
): Promise<Admission | undefined> {
  const row = await queryRow<AdmissionRow>(db, {
    name: "admission",
    text: `select token_id as "tokenId", client_id as "clientId", is_shared_sandbox as "isSharedSandbox",
         provider, mode, scopes, is_disconnected or connection_id is null as "isDisconnected",
         coalesce(connection_id::text, '') as "connectionId", auth_failure as "authFailure",
         version, fetched_at as "fetchedAt"
       from admission($1, $2, $3)`,
    values: [digest, stored?.resource ?? "", stored?.parameters ?? ""],
  });
  if (!row) return undefined;
  const { version, fetchedAt, ...admission } = row;
  const snapshot = version !== null && fetchedAt !== null ? { version, fetchedAt } : undefined;
  return { digest, ...admission, snapshot };
}

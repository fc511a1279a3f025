import type {
  AuthErrorCode,
  ConnectionId,
  ClientId,
  Mode,
  Resource,
  Scope,
  TokenId,
} from "../model/index.ts";
import type { DataKey, Sealed } from "../platform/crypto/index.ts";
import type { GrantBinding } from "./grant.ts";
import type { Rights } from "./rights.ts";

/** A connection without its sealed values. */
export interface ConnectionSummary extends Rights {
  id: ConnectionId;
  clientId: ClientId;
  /** The id of the connection's one token, which is not the credential. */
  tokenId: TokenId;
  provider: string;
  mode: Mode;
  scopes: Scope[];
  /** Resources that the sign-in check found missing at the provider. */
  unsupported: Resource[];
  /** Why the provider refuses the session. Null again once the end user has signed in again. */
  authFailure: AuthErrorCode | null;
  /** Counts sign-ins. What a run of a read found under an earlier one is dropped, and the read begins anew. */
  signInCount: number;
  signedInAt: Date;
  /** A keyed digest of the session's origin. Empty for a provider without one. */
  originKey: string;
}

/** The part of a connection that observers get. */
export type ObservedConnection = Pick<
  ConnectionSummary,
  "id" | "clientId" | "tokenId" | "provider" | "mode" | "scopes"
>;

/** One end user's linked account, opened for use. */
export interface Connection extends ConnectionSummary {
  session: Record<string, unknown>;
  /** What the end user chose at the sign-in, by the names of the form's fields. */
  settings: Record<string, string>;
  /** Counts the sessions. A refresh makes a new one. */
  sessionVersion: number;
  /** The session before this one is kept until this one has worked. */
  hasPreviousSession: boolean;
  dataKey: DataKey;
}

export interface SealedConnection extends ConnectionSummary {
  wrappedKey: Sealed;
  sessionVersion: number;
  hasPreviousSession: boolean;
  sealedSession: Buffer;
  sealedSettings: Buffer | null;
}

/** A connection as it was found. It is used only when its binding proves its grant. */
export interface FoundConnection extends SealedConnection {
  binding: GrantBinding;
}

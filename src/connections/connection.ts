import type { AuthErrorCode, Mode, Resource, Scope } from "../model/index.ts";
import type { DataKey, Sealed } from "../platform/crypto/index.ts";

/** What is known of a connection without opening anything sealed. */
export interface ConnectionSummary {
  id: string;
  clientId: string;
  /** The one token of this connection: its id, not the credential. */
  tokenId: string;
  provider: string;
  mode: Mode;
  scopes: Scope[];
  /** Resources that the sign-in check found missing at the provider. */
  unsupported: Resource[];
  /** Why the provider refused, until the end user signs in again. */
  authFailure: AuthErrorCode | null;
  /** Counts sign-ins: what a fetch learned under an earlier one no longer counts. */
  signInCount: number;
  signedInAt: Date;
}

/** One end user's linked account, opened for use. */
export interface Connection extends ConnectionSummary {
  session: Record<string, unknown>;
  dataKey: DataKey;
}

export interface SealedConnection extends ConnectionSummary {
  wrappedKey: Sealed;
  sealedSession: Buffer;
}

import type { ClientId, ConnectionId, Mode, Scope, TokenId } from "../model/index.ts";
import type { Keyring } from "../platform/crypto/index.ts";

/** What the token of a connection gives access to. It stays the same as long as the connection lives. */
export interface Grant {
  tokenId: TokenId;
  clientId: ClientId;
  provider: string;
  mode: Mode;
  scopes: readonly Scope[];
  connectionId: ConnectionId;
}

/** The digest of the code that the token was issued for, and the MAC of that digest and the grant. */
export interface GrantBinding {
  codeDigest: Buffer;
  grantMac: string;
}

/** The MAC that a code is issued with, and the token that it is exchanged for. */
export function bindGrant(keyring: Keyring, codeDigest: Buffer, grant: Grant): string {
  return keyring.sign("token", "grant\0", codeDigest, formatGrant(grant));
}

/** False when somebody without the service's keys wrote what the token gives access to. */
export function isGrantBound(
  keyring: Keyring,
  { codeDigest, grantMac }: GrantBinding,
  grant: Grant,
): boolean {
  return keyring.isSigned(grantMac, "token", "grant\0", codeDigest, formatGrant(grant));
}

function formatGrant(grant: Grant): string {
  const { tokenId, clientId, provider, mode, scopes, connectionId } = grant;
  return JSON.stringify([tokenId, clientId, provider, mode, scopes, connectionId]);
}

import type { ClientId, ConnectionId, Mode, Scope, TokenId } from "../model/index.ts";
import { isSameDigest, type Keyring } from "../platform/crypto/index.ts";

/** What a token gives access to. */
export interface Grant {
  tokenId: TokenId;
  clientId: ClientId;
  provider: string;
  mode: Mode;
  scopes: readonly Scope[];
  connectionId: ConnectionId;
}

/** How a token is bound to its grant. Each MAC is preceded by the name of its key. */
export interface TokenBinding {
  codeDigest: Buffer;
  /** Of the code and the grant. */
  grantMac: string;
  /** Of the token and the code. */
  digestMac: string;
}

/** The MAC that a code is issued with, before there is a token. */
export function bindGrant(keyring: Keyring, codeDigest: Buffer, grant: Grant): string {
  return named(keyring.activeKeyId, grantMac(keyring, keyring.activeKeyId, codeDigest, grant));
}

/** The MAC that a token is issued with, before its grant is looked up. */
export function bindDigest(keyring: Keyring, digest: Buffer, codeDigest: Buffer): string {
  return named(keyring.activeKeyId, digestMac(keyring, keyring.activeKeyId, digest, codeDigest));
}

/** False when somebody without the service's keys wrote the token, or what it gives access to. */
export function isBound(
  keyring: Keyring,
  digest: Buffer,
  { codeDigest, ...macs }: TokenBinding,
  grant: Grant,
): boolean {
  return (
    isMac(keyring, macs.digestMac, (keyId) => digestMac(keyring, keyId, digest, codeDigest)) &&
    isGrantBound(keyring, codeDigest, macs.grantMac, grant)
  );
}

/** False when a key of its MACs is the service's no more. */
export function areKeysKnown(keyring: Keyring, { grantMac, digestMac }: TokenBinding): boolean {
  return keyring.has(keyIdOf(grantMac)) && keyring.has(keyIdOf(digestMac));
}

/** The same for a code that is not exchanged yet. */
export function isGrantBound(
  keyring: Keyring,
  codeDigest: Buffer,
  mac: string,
  grant: Grant,
): boolean {
  return isMac(keyring, mac, (keyId) => grantMac(keyring, keyId, codeDigest, grant));
}

function grantMac(keyring: Keyring, keyId: string, codeDigest: Buffer, grant: Grant): string {
  const { tokenId, clientId, provider, mode, scopes, connectionId } = grant;
  const facts = JSON.stringify([tokenId, clientId, provider, mode, scopes, connectionId]);
  return keyring.macKey("token", keyId).mac("grant\0", codeDigest, facts).toString("base64url");
}

function digestMac(keyring: Keyring, keyId: string, digest: Buffer, codeDigest: Buffer): string {
  return keyring.macKey("token", keyId).mac("digest\0", codeDigest, digest).toString("base64url");
}

function named(keyId: string, mac: string): string {
  return `${keyId} ${mac}`;
}

function isMac(keyring: Keyring, stored: string, macBy: (keyId: string) => string): boolean {
  const keyId = keyIdOf(stored);
  if (!keyring.has(keyId)) return false;
  return isSameDigest(Buffer.from(stored), Buffer.from(named(keyId, macBy(keyId))));
}

function keyIdOf(mac: string): string {
  const [keyId = ""] = mac.split(" ", 1);
  return keyId;
}

import { isGrantBound, type Grant, type GrantBinding } from "../connections/index.ts";
import { keyIdOfMac, type Keyring } from "../platform/crypto/index.ts";

/** How a token is bound to its grant. Each MAC is preceded by the name of its key. */
export interface TokenBinding extends GrantBinding {
  /** Of the token and the code. */
  digestMac: string;
}

/** The MAC that a token is issued with, before its grant is looked up. */
export function bindDigest(keyring: Keyring, digest: Buffer, codeDigest: Buffer): string {
  return keyring.sign("token", "digest\0", codeDigest, digest);
}

/** False when somebody without the service's keys wrote the token, or what it gives access to. */
export function isBound(
  keyring: Keyring,
  digest: Buffer,
  binding: TokenBinding,
  grant: Grant,
): boolean {
  const { codeDigest, digestMac } = binding;
  return (
    keyring.isSigned(digestMac, "token", "digest\0", codeDigest, digest) &&
    isGrantBound(keyring, binding, grant)
  );
}

/** False when the service no longer has a key of its MACs. */
export function areKeysKnown(keyring: Keyring, { grantMac, digestMac }: TokenBinding): boolean {
  return keyring.has(keyIdOfMac(grantMac)) && keyring.has(keyIdOfMac(digestMac));
}

import { isSameDigest, type Keyring, type Sealed } from "../platform/crypto/index.ts";

/** One of a client's current secrets as it is kept: sealed, with a keyed digest by which it is recognised. */
export interface StoredSecret extends Sealed {
  digest: Buffer;
}

export function protectSecret(keyring: Keyring, clientId: string, secret: string): StoredSecret {
  const sealed = keyring.seal(Buffer.from(secret), context(clientId));
  return { ...sealed, digest: keyring.digest(sealed.keyId, secret) };
}

export function revealSecret(keyring: Keyring, clientId: string, stored: StoredSecret): string {
  return keyring.open(stored, context(clientId)).toString();
}

/**
 * Takes the same time whichever secret matches, and compares once even when there is none to compare with.
 */
export function isCurrentSecret(
  keyring: Keyring,
  secrets: readonly StoredSecret[],
  presented: string,
): boolean {
  const candidates =
    secrets.length > 0 ? secrets : [{ keyId: keyring.activeKeyId, digest: Buffer.alloc(32) }];
  const matches = candidates.map(({ keyId, digest }) =>
    isSameDigest(keyring.digest(keyId, presented), digest),
  );
  return matches.includes(true) && secrets.length > 0;
}

/**
 * Shows no more than the last four characters. Shorter than any valid secret, so it cannot be stored by
 * mistake.
 */
export function maskSecret(secret: string): string {
  return `********${secret.slice(-4)}`;
}

export function isMaskedSecret(value: string): boolean {
  return /^\*{8}.{4}$/.test(value);
}

function context(clientId: string): string[] {
  return ["client-secret", clientId];
}

import { z } from "zod";
import type { ClientId } from "../model/index.ts";
import { isSameDigest, sealedJson, type Keyring, type Sealed } from "../platform/crypto/index.ts";

const sealedSecret = sealedJson({ name: "client-secret", owner: ["clientId"], schema: z.string() });

/** One of a client's current secrets as it is stored: sealed, with a keyed digest to compare with. */
export interface StoredSecret extends Sealed {
  digest: Buffer;
  /** Whether the digest is of the client too: a row that was copied to another client then lets nobody in. */
  isBound: boolean;
}

export function protectSecret(keyring: Keyring, clientId: ClientId, secret: string): StoredSecret {
  const sealed = sealedSecret.seal(keyring, { clientId }, secret);
  return { ...sealed, digest: boundDigest(keyring, sealed.keyId, clientId, secret), isBound: true };
}

/**
 * Throws for a row that somebody else has changed. The sealed secret has to match the digest: only the digest is under
 * the client's MAC, and an earlier secret of the client would open too.
 */
export function revealSecret(keyring: Keyring, clientId: ClientId, stored: StoredSecret): string {
  const secret = sealedSecret.open(keyring, { clientId }, stored);
  const { keyId, digest } = stored;
  // The second one is from before digests were bound to the client. Its secret opens for the client alone all the same.
  const digests = [boundDigest(keyring, keyId, clientId, secret), keyring.digest(keyId, secret)];
  if (!digests.some((each) => isSameDigest(each, digest)))
    throw new Error("what is sealed is not the secret that the digest was made of");
  return secret;
}

/** Hears of a secret whose row somebody else has changed, by its place in the list. It is left out. */
export type OnUnopened = (index: number, error: unknown) => void;

/** The secrets that open, in their order. */
export function revealSecrets(
  keyring: Keyring,
  { clientId, secrets }: { clientId: ClientId; secrets: readonly StoredSecret[] },
  onUnopened: OnUnopened,
): string[] {
  return secrets.flatMap((stored, index) => {
    try {
      return [revealSecret(keyring, clientId, stored)];
    } catch (error) {
      onUnopened(index, error);
      return [];
    }
  });
}

/** Takes the same time whichever secret matches, and compares once even when the client has none. */
export function isCurrentSecret(
  keyring: Keyring,
  { clientId, secrets }: { clientId: ClientId; secrets: readonly StoredSecret[] },
  presented: string,
  onUnopened: OnUnopened,
): boolean {
  const none = {
    keyId: keyring.activeKeyId,
    bytes: Buffer.alloc(0),
    digest: Buffer.alloc(32),
    isBound: true,
  };
  const candidates = secrets.length > 0 ? secrets : [none];
  const matches = candidates.map((stored, index) => {
    const { keyId, isBound, digest } = stored;
    try {
      const expected = isBound
        ? digest
        : boundDigest(keyring, keyId, clientId, revealSecret(keyring, clientId, stored));
      return isSameDigest(boundDigest(keyring, keyId, clientId, presented), expected);
    } catch (error) {
      onUnopened(index, error);
      return false;
    }
  });
  return matches.includes(true) && secrets.length > 0;
}

function boundDigest(keyring: Keyring, keyId: string, clientId: ClientId, secret: string): Buffer {
  return keyring.digest(keyId, `${clientId}\0${secret}`);
}

/** Shows the last four characters only. It is shorter than any valid secret, so it is never taken for one. */
export function maskSecret(secret: string): string {
  return `********${secret.slice(-4)}`;
}

export function isMaskedSecret(value: string): boolean {
  return /^\*{8}.{4}$/.test(value);
}

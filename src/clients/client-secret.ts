import { z } from "zod";
import type { ClientId } from "../model/index.ts";
import { isSameDigest, sealedJson, type Keyring, type Sealed } from "../platform/crypto/index.ts";

const sealedSecret = sealedJson({ name: "client-secret", owner: ["clientId"], schema: z.string() });

/** One of a client's current secrets as it is stored: sealed, with a keyed digest to compare with. */
export interface StoredSecret extends Sealed {
  digest: Buffer;
}

export function protectSecret(keyring: Keyring, clientId: ClientId, secret: string): StoredSecret {
  const sealed = sealedSecret.seal(keyring, { clientId }, secret);
  return { ...sealed, digest: keyring.digest(sealed.keyId, secret) };
}

export function revealSecret(keyring: Keyring, clientId: ClientId, stored: StoredSecret): string {
  return sealedSecret.open(keyring, { clientId }, stored);
}

/** Takes the same time whichever secret matches, and compares once even when the client has none. */
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

/** Shows the last four characters only. It is shorter than any valid secret, so no client can store it. */
export function maskSecret(secret: string): string {
  return `********${secret.slice(-4)}`;
}

export function isMaskedSecret(value: string): boolean {
  return /^\*{8}.{4}$/.test(value);
}

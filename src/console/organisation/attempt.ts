import { z } from "zod";
import { sealedJson, type Keyring } from "../../platform/crypto/index.ts";

/** From the link of the sign-in page till the browser comes back. */
export const attemptSeconds = 600;

/** A sign-in that was begun. Nothing is stored of it: its browser keeps it, sealed, in a cookie. */
const sealedAttempt = sealedJson({
  name: "operator-sign-in",
  owner: ["issuer"],
  schema: z.object({
    state: z.string(),
    nonce: z.string(),
    verifier: z.string(),
    /** The page of the console to go to after it. */
    to: z.string(),
    expiresAt: z.iso.datetime(),
  }),
});

export type Attempt = ReturnType<typeof sealedAttempt.open>;

export function sealAttempt(keyring: Keyring, issuer: string, attempt: Attempt): string {
  const { keyId, bytes } = sealedAttempt.seal(keyring, { issuer }, attempt);
  return `${keyId}.${bytes.toString("base64url")}`;
}

/** Undefined for what was changed, or sealed for another issuer or under a key that is not here. */
export function openAttempt(keyring: Keyring, issuer: string, value: string): Attempt | undefined {
  const dot = value.lastIndexOf(".");
  const sealed = {
    keyId: value.slice(0, Math.max(0, dot)),
    bytes: Buffer.from(value.slice(dot + 1), "base64url"),
  };
  try {
    return sealedAttempt.open(keyring, { issuer }, sealed);
  } catch {
    return undefined;
  }
}

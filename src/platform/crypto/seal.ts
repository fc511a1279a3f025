import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from "node:crypto";

const version = 1;
const nonceLength = 12;
const tagLength = 16;
const headerLength = 1 + nonceLength + tagLength;

/**
 * Says what a sealed value is and whose it is. A value opens only under the context that it was sealed
 * with, so a row that is copied to another place in the database does not open there.
 */
export type SealContext = readonly string[];

/** AES-256-GCM. The bytes are version, nonce, tag, ciphertext. */
export function seal(key: KeyObject, plaintext: Buffer, context: SealContext): Buffer {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(encodeContext(context));
  const ciphertext = cipher.update(plaintext);
  cipher.final();
  return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), ciphertext]);
}

/** Throws when the key or the context is a different one, or when a byte was changed. */
export function unseal(key: KeyObject, sealed: Buffer, context: SealContext): Buffer {
  if (sealed.length < headerLength || sealed[0] !== version)
    throw new Error("this is not a sealed value of a known version");
  const nonce = sealed.subarray(1, 1 + nonceLength);
  const tag = sealed.subarray(1 + nonceLength, headerLength);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: tagLength })
    .setAAD(encodeContext(context))
    .setAuthTag(tag);
  const plaintext = decipher.update(sealed.subarray(headerLength));
  decipher.final();
  return plaintext;
}

function encodeContext(context: SealContext): Buffer {
  return Buffer.from(JSON.stringify(context));
}

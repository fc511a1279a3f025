import {
  createSecretKey,
  hkdfSync,
  type KeyObject,
  createHmac,
  type Hmac,
  createCipheriv,
  createDecipheriv,
  randomBytes,
} from "node:crypto";

/** What a subkey for HMAC is for. Each purpose has its own subkey, so a value made for one is useless for another. */
export type MacPurpose =
  | "id"
  | "fingerprint"
  | "digest"
  | "admission"
  | "token"
  | "client"
  | "account"
  | "console"
  | "audit-entry"
  | "audit-chain";

/** A 256-bit key that never leaves this object. It is only used through subkeys, one per purpose. */
export class DataKey {
  readonly #key: Buffer;
  readonly #macKeys = new Map<MacPurpose, MacKey>();
  #sealKey: KeyObject | undefined;

  constructor(key: Buffer) {
    if (key.length !== 32) throw new Error("a data key must have 32 bytes");
    this.#key = key;
  }

  seal(plaintext: Buffer, context: SealContext): Buffer {
    return seal(this.#subkeyForSealing(), plaintext, context);
  }

  open(sealed: Buffer, context: SealContext): Buffer {
    return unseal(this.#subkeyForSealing(), sealed, context);
  }

  /** HMAC-SHA256 under the subkey of the purpose. */
  mac(purpose: MacPurpose, ...parts: readonly (string | Uint8Array)[]): Buffer {
    return this.macKey(purpose).mac(...parts);
  }

  /** The subkey of the purpose. It may be handed to a process that must not have this key. */
  macKey(purpose: MacPurpose): MacKey {
    const known = this.#macKeys.get(purpose);
    if (known) return known;
    const derived = new MacKey(this.#derive(purpose));
    this.#macKeys.set(purpose, derived);
    return derived;
  }

  #subkeyForSealing(): KeyObject {
    this.#sealKey ??= createSecretKey(this.#derive("seal"));
    return this.#sealKey;
  }

  #derive(purpose: MacPurpose | "seal"): Buffer {
    return Buffer.from(hkdfSync("sha256", this.#key, "", `rollcall ${purpose}`, 32));
  }
}

/**
 * A key for HMAC-SHA256 alone. Another process may have its bytes: they open nothing, and no other key can be
 * derived from them.
 */
export class MacKey {
  readonly #key: KeyObject;

  constructor(bytes: Uint8Array) {
    if (bytes.length !== 32) throw new Error("a key for HMAC must have 32 bytes");
    this.#key = createSecretKey(bytes);
  }

  mac(...parts: readonly (string | Uint8Array)[]): Buffer {
    const hmac = this.macOf();
    for (const part of parts) hmac.update(part);
    return hmac.digest();
  }

  /** The same for data that comes in parts. */
  macOf(): Hmac {
    return createHmac("sha256", this.#key);
  }

  export(): Buffer {
    return this.#key.export();
  }
}

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
function seal(key: KeyObject, plaintext: Buffer, context: SealContext): Buffer {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(encodeContext(context));
  const ciphertext = cipher.update(plaintext);
  cipher.final();
  return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), ciphertext]);
}

/** Throws when the key or the context is a different one, or when a byte was changed. */
function unseal(key: KeyObject, sealed: Buffer, context: SealContext): Buffer {
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

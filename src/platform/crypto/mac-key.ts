import { createHmac, createSecretKey, type Hmac, type KeyObject } from "node:crypto";

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

import { createHmac, createSecretKey, hkdfSync, type Hmac, type KeyObject } from "node:crypto";
import { seal, unseal, type SealContext } from "./seal.ts";

/** What a subkey is for. Each purpose has its own subkey, so a value made for one is useless for another. */
export type Purpose = "seal" | "id" | "version" | "digest" | "poll";

/** A 256-bit key that never leaves this object. It is only used through subkeys, one per purpose. */
export class DataKey {
  readonly #key: Buffer;
  readonly #subkeys = new Map<Purpose, KeyObject>();

  constructor(key: Buffer) {
    if (key.length !== 32) throw new Error("a data key must have 32 bytes");
    this.#key = key;
  }

  seal(plaintext: Buffer, context: SealContext): Buffer {
    return seal(this.#subkey("seal"), plaintext, context);
  }

  open(sealed: Buffer, context: SealContext): Buffer {
    return unseal(this.#subkey("seal"), sealed, context);
  }

  /** HMAC-SHA256 under the subkey of the purpose. */
  mac(purpose: Purpose, ...parts: readonly (string | Buffer)[]): Buffer {
    const hmac = createHmac("sha256", this.#subkey(purpose));
    for (const part of parts) hmac.update(part);
    return hmac.digest();
  }

  /** The same for data that comes in parts. */
  macOf(purpose: Purpose): Hmac {
    return createHmac("sha256", this.#subkey(purpose));
  }

  #subkey(purpose: Purpose): KeyObject {
    const known = this.#subkeys.get(purpose);
    if (known) return known;
    const derived = createSecretKey(
      Buffer.from(hkdfSync("sha256", this.#key, "", `rollcall ${purpose}`, 32)),
    );
    this.#subkeys.set(purpose, derived);
    return derived;
  }
}

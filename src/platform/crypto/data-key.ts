import { createSecretKey, hkdfSync, type KeyObject } from "node:crypto";
import { MacKey } from "./mac-key.ts";
import { seal, unseal, type SealContext } from "./seal.ts";

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

import { randomBytes } from "node:crypto";
import { DataKey, type MacPurpose, type MacKey, type SealContext } from "./data-key.ts";
import { isSameDigest } from "./digest.ts";

/** A value sealed under a master key, and the name of that key. */
export interface Sealed {
  keyId: string;
  bytes: Buffer;
}

export interface MasterKey {
  id: string;
  /** 32 bytes. */
  key: Buffer;
}

type MacParts = readonly (string | Uint8Array)[];

/** The name of the key that a MAC was made under. */
export function keyIdOfMac(mac: string): string {
  const [keyId = ""] = mac.split(" ", 1);
  return keyId;
}

/**
 * The master keys from the configuration. The first one seals and digests. The others only open what they
 * sealed earlier, until everything is sealed again under the first.
 */
export class Keyring {
  readonly activeKeyId: string;
  readonly #keys: Map<string, DataKey>;
  readonly #kept: { purpose: MacPurpose; keyId: string; macKey: MacKey }[] = [];

  constructor(keys: readonly MasterKey[]) {
    const [active] = keys;
    if (!active) throw new Error("a keyring needs at least one key");
    this.activeKeyId = active.id;
    this.#keys = new Map(keys.map(({ id, key }) => [id, new DataKey(key)]));
  }

  seal(plaintext: Buffer, context: SealContext): Sealed {
    return {
      keyId: this.activeKeyId,
      bytes: this.#named(this.activeKeyId).seal(plaintext, context),
    };
  }

  open(sealed: Sealed, context: SealContext): Buffer {
    return this.#named(sealed.keyId).open(sealed.bytes, context);
  }

  /** Recognises a secret without opening the stored one. */
  digest(keyId: string, secret: string): Buffer {
    return this.#named(keyId).mac("digest", secret);
  }

  /** The subkey of a key, the active one if none is named, for a purpose. */
  macKey(purpose: MacPurpose, keyId = this.activeKeyId): MacKey {
    return this.#named(keyId).macKey(purpose);
  }

  /** The subkeys of all keys, for what may have been made under an earlier one. */
  macKeys(purpose: MacPurpose): MacKey[] {
    const kept = this.#kept.filter((entry) => entry.purpose === purpose && !this.has(entry.keyId));
    return [
      ...[...this.#keys.values()].map((key) => key.macKey(purpose)),
      ...kept.map(({ macKey }) => macKey),
    ];
  }

  /** A MAC of the parts under the active key, after the name of that key. */
  sign(purpose: MacPurpose, ...parts: MacParts): string {
    return this.#sign(this.activeKeyId, purpose, parts);
  }

  /** False for a MAC of other parts, and for one under a key that is not here any more. */
  isSigned(mac: string, purpose: MacPurpose, ...parts: MacParts): boolean {
    const keyId = keyIdOfMac(mac);
    if (!this.has(keyId)) return false;
    return isSameDigest(Buffer.from(mac), Buffer.from(this.#sign(keyId, purpose, parts)));
  }

  /** Adds a subkey to `macKeys`, also when the keyring has no key of this name. */
  keepMacKey(purpose: MacPurpose, keyId: string, macKey: MacKey): void {
    this.#kept.push({ purpose, keyId, macKey });
  }

  get keyIds(): string[] {
    return [...this.#keys.keys()];
  }

  has(keyId: string): boolean {
    return this.#keys.has(keyId);
  }

  /** Opens nothing under this key any more, but its digests of accounts are still found. The active key stays. */
  forget(keyId: string): void {
    if (keyId === this.activeKeyId || !this.has(keyId)) return;
    this.keepMacKey("account", keyId, this.macKey("account", keyId));
    this.#keys.delete(keyId);
  }

  /** A short keyed digest that stands for a value in a column. Another active key gives another one. */
  pseudonym(value: string): string {
    return this.digest(this.activeKeyId, value).toString("base64url", 0, 16);
  }

  createDataKey(context: SealContext): { dataKey: DataKey; wrapped: Sealed } {
    const key = randomBytes(32);
    return { dataKey: new DataKey(key), wrapped: this.seal(key, context) };
  }

  openDataKey(wrapped: Sealed, context: SealContext): DataKey {
    return new DataKey(this.open(wrapped, context));
  }

  #sign(keyId: string, purpose: MacPurpose, parts: MacParts): string {
    return `${keyId} ${this.macKey(purpose, keyId)
      .mac(...parts)
      .toString("base64url")}`;
  }

  #named(keyId: string): DataKey {
    const key = this.#keys.get(keyId);
    if (!key) throw new Error(`no master key is named ${keyId}`);
    return key;
  }
}

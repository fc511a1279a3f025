import { DataKey, sealedBytes, type MasterKey } from "../platform/crypto/index.ts";

const sealedCanary = sealedBytes({ name: "master-key-canary", owner: ["keyId"] });
const canary = Buffer.from("canary");

export function makeCanary({ id, key }: MasterKey): Buffer {
  return sealedCanary.seal(new DataKey(key), { keyId: id }, canary);
}

/** False for another key of the same name. */
export function opensCanary({ id, key }: MasterKey, sealed: Buffer): boolean {
  try {
    return sealedCanary.open(new DataKey(key), { keyId: id }, sealed).equals(canary);
  } catch {
    return false;
  }
}

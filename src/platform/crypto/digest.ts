import { hash, timingSafeEqual } from "node:crypto";

export function sha256(value: string | Buffer): Buffer {
  return hash("sha256", value, "buffer");
}

/** Takes constant time for digests of equal length. */
export function isSameDigest(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

import { sealedBytes, type DataKey } from "../platform/crypto/index.ts";

const sealedReply = sealedBytes({ name: "public-reply", owner: ["deliveryId"] });

/**
 * Seals the beginning of a failed attempt's reply, from a public address. It may quote personal data, as the body does.
 */
export function sealLastReply(key: DataKey, deliveryId: string, reply: Buffer): Buffer {
  return sealedReply.seal(key, { deliveryId }, reply);
}

/** The same as text. A character that was cut off at the end is left out. */
export function openLastReply(key: DataKey, deliveryId: string, sealed: Buffer): string {
  return new TextDecoder().decode(sealedReply.open(key, { deliveryId }, sealed), { stream: true });
}

import { sealedBytes, type DataKey } from "../platform/crypto/index.ts";

const sealedReply = sealedBytes({ name: "public-reply", owner: ["deliveryId"] });

/** How the reply of the last failed attempt began, when a public address gave it. It may quote personal data, so it is sealed like the body. */
export function sealLastReply(key: DataKey, deliveryId: string, reply: Buffer): Buffer {
  return sealedReply.seal(key, { deliveryId }, reply);
}

/** As text. A character that was cut off at the end is left out. */
export function openLastReply(key: DataKey, deliveryId: string, sealed: Buffer): string {
  return new TextDecoder().decode(sealedReply.open(key, { deliveryId }, sealed), { stream: true });
}

import { createHmac } from "node:crypto";
import type { TokenId } from "../model/index.ts";

export interface SignedDelivery {
  id: string;
  tokenId: TokenId;
  body: Buffer;
  /** The client's current secrets; the first one makes the signature of the specification. */
  secrets: readonly string[];
  at: Date;
}

/**
 * The headers of the specification, and those of Standard Webhooks with one signature for each current secret. Throws
 * without a secret: anybody can sign with none.
 */
export function signedHeaders({
  id,
  tokenId,
  body,
  secrets,
  at,
}: SignedDelivery): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000);
  const [first] = secrets;
  if (first === undefined) throw new Error("the client has no secret that opens");
  const signatures = secrets.map(
    (secret) =>
      `v1,${createHmac("sha256", secret).update(`${id}.${timestamp}.`).update(body).digest("base64")}`,
  );
  return {
    "content-type": "application/json",
    "user-agent": "rollcall",
    "x-service-api-signature": createHmac("sha256", first).update(body).digest("hex"),
    "x-service-api-origin": "webhooks-employees-webhook",
    "x-service-api-token": tokenId,
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.join(" "),
  };
}

import { createHmac } from "node:crypto";

/**
 * The headers of Standard Webhooks, with one signature for each of the client's current secrets. Throws without a
 * secret: anybody can sign with none.
 */
export function signStandard({
  id,
  body,
  secrets,
  at,
}: {
  id: string;
  body: Buffer;
  secrets: readonly string[];
  at: Date;
}): { "webhook-id": string; "webhook-timestamp": string; "webhook-signature": string } {
  if (secrets.length === 0) throw new Error("the client has no secret that opens");
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map(
    (secret) =>
      `v1,${createHmac("sha256", secret).update(`${id}.${timestamp}.`).update(body).digest("base64")}`,
  );
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}

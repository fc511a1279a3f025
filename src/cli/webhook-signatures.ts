import { createHmac } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { isSameDigest } from "../platform/crypto/index.ts";

export interface SignedWebhook {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** `X-Service-Api-Signature`. While secrets are rotated, any of them may have signed. */
export function hasServiceSignature(
  secrets: readonly string[],
  { headers, body }: SignedWebhook,
): boolean {
  const given = Buffer.from(String(headers["x-service-api-signature"] ?? ""));
  return secrets.some((secret) =>
    isSameDigest(given, Buffer.from(createHmac("sha256", secret).update(body).digest("hex"))),
  );
}

/** `webhook-signature` of Standard Webhooks, which has one entry for each current secret. */
export function hasStandardSignature(
  secrets: readonly string[],
  { headers, body }: SignedWebhook,
): boolean {
  const signedText = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.`;
  const given = String(headers["webhook-signature"] ?? "")
    .split(" ")
    .map((entry) => Buffer.from(entry));
  const expected = secrets.map((secret) => {
    const hmac = createHmac("sha256", secret).update(signedText).update(body);
    return Buffer.from(`v1,${hmac.digest("base64")}`);
  });
  return given.some((entry) => expected.some((candidate) => isSameDigest(entry, candidate)));
}

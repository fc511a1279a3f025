import { createHmac } from "node:crypto";
import { signStandard } from "../clients/index.ts";
import type { Sending } from "./open-sending.ts";

export interface SignedDelivery extends Pick<Sending, "tokenId" | "reference" | "body"> {
  id: string;
  /** The client's current secrets; the first one makes the signature of the specification. */
  secrets: readonly string[];
  at: Date;
}

/**
 * The headers of a webhook about employees: those of the specification, and those of Standard Webhooks. Throws without a
 * secret: anybody can sign with none.
 */
export function signedHeaders(signed: SignedDelivery): Record<string, string> {
  const { body, secrets } = signed;
  const [first] = secrets;
  if (first === undefined) throw new Error("the client has no secret that opens");
  return {
    ...standardHeaders(signed),
    "x-service-api-signature": createHmac("sha256", first).update(body).digest("hex"),
    "x-service-api-origin": "webhooks-employees-webhook",
  };
}

/** The headers of an event. */
export function signedEventHeaders(signed: SignedDelivery): Record<string, string> {
  return { ...standardHeaders(signed), "x-service-api-origin": "events" };
}

/** Those of Standard Webhooks, with one signature for each current secret. */
function standardHeaders(signed: SignedDelivery): Record<string, string> {
  const { tokenId, reference } = signed;
  return {
    "content-type": "application/json",
    "user-agent": "rollcall",
    ...(tokenId !== null && { "x-service-api-token": tokenId }),
    ...(reference !== null && { "x-service-api-reference": reference }),
    ...signStandard(signed),
  };
}

import type { Clients } from "../clients/index.ts";
import { fieldsWithout, withoutFields, type ClientId } from "../model/index.ts";
import { sealedBytes, type DataKey } from "../platform/crypto/index.ts";

const sealedBody = sealedBytes({ name: "delivery", owner: ["deliveryId"] });
const sealedReply = sealedBytes({ name: "public-reply", owner: ["deliveryId"] });

export function sealBody(key: DataKey, deliveryId: string, body: Buffer): Buffer {
  return sealedBody.seal(key, { deliveryId }, body);
}

export function openBody(key: DataKey, deliveryId: string, sealed: Buffer): Buffer {
  return sealedBody.open(key, { deliveryId }, sealed);
}

/** A body without what its client has switched off: what was switched off after the body was made is not sent. */
export async function withoutFieldsOff(
  body: Buffer,
  clients: Pick<Clients, "fieldsOff">,
  clientId: ClientId,
): Promise<Buffer> {
  return cleanBody(body, fieldsWithout(await clients.fieldsOff(clientId)));
}

/** Without these fields of each record. */
export function cleanBody(body: Buffer, fields: readonly string[]): Buffer {
  if (fields.length === 0) return body;
  const lists = Object.entries(JSON.parse(body.toString()) as Record<string, object[]>);
  const cleaned = lists.map(([name, employees]) => [
    name,
    employees.map((employee) => withoutFields(employee, fields)),
  ]);
  return Buffer.from(JSON.stringify(Object.fromEntries(cleaned)));
}

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

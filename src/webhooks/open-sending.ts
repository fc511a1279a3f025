import type { Client } from "../clients/index.ts";
import type { ClientId, TokenId } from "../model/index.ts";
import type { DataKey } from "../platform/crypto/index.ts";
import type { ClaimedDelivery } from "./delivery-store.ts";
import type { WebhookDependencies } from "./dependencies.ts";
import type { EndpointKind } from "./endpoint-store.ts";
import { openBody, withoutFieldsOff } from "./delivery-body.ts";
import { openPolled } from "./open-polled.ts";

/** What a delivery sends, and to whom. */
export interface Sending {
  kind: EndpointKind;
  clientId: ClientId;
  /** Null for an event of a provider. */
  tokenId: TokenId | null;
  /** What the client calls the connection. */
  reference: string | null;
  body: Buffer;
  /** Seals what the receiver answers. Without it the answer is not kept. */
  dataKey: DataKey | undefined;
}

/** Where the client wants it. Null when it does not. */
export function addressOf({ webhookUri, eventUri }: Client, { kind }: Sending): string | null {
  return kind === "events" ? eventUri : webhookUri;
}

/** Undefined when there is nothing to send, or nobody to send it to. What the row says of the client decides nothing. */
export async function openSending(
  dependencies: WebhookDependencies,
  delivery: ClaimedDelivery,
): Promise<Sending | undefined> {
  return delivery.subject === null
    ? await openEmployees(dependencies, delivery)
    : await openEvent(dependencies, delivery);
}

async function openEmployees(
  { connections, clients }: WebhookDependencies,
  { id, connectionId, sealedBody }: ClaimedDelivery,
): Promise<Sending | undefined> {
  if (connectionId === null || sealedBody === null) return undefined;
  const polled = await openPolled(connections, connectionId);
  if (!polled) return undefined;
  const whole = openBody(polled.dataKey, id, sealedBody);
  const body = await withoutFieldsOff(whole, clients, polled.clientId);
  return { kind: "employees", ...polled, body };
}

async function openEvent(
  { events, clients }: WebhookDependencies,
  { id }: ClaimedDelivery,
): Promise<Sending | undefined> {
  const [event] = await events.find([id]);
  const [rendered] = event ? await events.render(event.clientId, [event]) : [];
  if (!event || !rendered) return undefined;
  const { clientId, tokenId } = event;
  const client = await clients.findAlsoEnded(clientId);
  if (client?.eventTypes && !client.eventTypes.includes(event.type)) return undefined;
  const { id: _id, ...content } = rendered;
  const { reference } = rendered.data;
  return {
    kind: "events",
    clientId,
    tokenId,
    reference: typeof reference === "string" ? reference : null,
    body: Buffer.from(JSON.stringify(content)),
    dataKey: undefined,
  };
}

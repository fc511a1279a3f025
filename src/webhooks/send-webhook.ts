import type { Dispatcher } from "undici";
import type { ClientId } from "../model/index.ts";
import type { GuardedWays } from "../platform/outbound/index.ts";
import { postWebhook, type PostResult, type WebhookRequest } from "./post-webhook.ts";

/** What webhooks are sent through. It may be bound to a published address. */
export interface WebhookWays {
  /** Reaches public addresses alone. */
  outside: Dispatcher;
  /** Also reaches the ranges that the operator opened for webhooks. */
  inside: GuardedWays;
}

/**
 * One attempt at a receiver. The text of a reply from an address that is not public is dropped: the client may have
 * named a page that it cannot reach itself.
 */
export async function sendWebhook(
  { outside, inside }: WebhookWays,
  clientId: ClientId,
  request: WebhookRequest,
  now: () => Date,
): Promise<PostResult> {
  const result = await postWebhook(outside, request, now);
  if (result.reason !== "refused_target") return result;
  return { ...(await postWebhook(inside.agentOf(clientId), request, now)), reply: undefined };
}

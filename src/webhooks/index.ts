// Employee webhooks: the hourly poll, the difference, the frozen body, its signed delivery and retries. This room
// observes clients and connections, asks sync to read the provider, and asks clients for address and secrets. Only
// the composition root, the roles and the command line call it.
export { registerDeliveryRoutes } from "./routes.ts";
export type { Delivery, DeliveryAttempt } from "./delivery-store.ts";
export type { FailingReceiver } from "./receiver-lists.ts";
export type { WebhookWays } from "./post-webhook.ts";
export { signedHeaders } from "./sign.ts";
export { Webhooks } from "./webhooks.ts";
export { eventWebhooks } from "./event-descriptions.ts";
export { employeesWebhook } from "./webhook-description.ts";

// Employee webhooks: the hourly poll, the difference, the frozen body, its signed delivery and retries. Asks connections when a poll is due,
// sync to read the provider, clients for address and secrets. Nobody calls this room but those that put the rooms together.
export { removeOldDeliveries, sweepWebhooks, undeliveredAge, webhookJobs } from "./jobs.ts";
export { registerDeliveryRoutes } from "./routes.ts";
export { signedHeaders } from "./sign.ts";
export { schedulePolls } from "./tick.ts";
export { Webhooks } from "./webhooks.ts";

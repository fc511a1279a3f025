// Employee webhooks: the hourly poll, the difference, the frozen body, its signed delivery and retries. This room follows the changes
// of clients and connections, asks sync to read the provider, and clients for address and secrets. Nobody calls it but those that put
// the rooms together.
export { registerDeliveryRoutes } from "./routes.ts";
export { signedHeaders } from "./sign.ts";
export { Webhooks } from "./webhooks.ts";

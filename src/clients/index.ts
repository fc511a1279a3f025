// The developer whose application calls the API: name, rotating secrets, redirect addresses, webhook address;
// the management/client endpoints and the Basic guard. Tokens, connect and webhooks ask here who a client is.
export { guardWithBasic, wrongClient } from "./basic-guard.ts";
export { clientFields, type AddressRules } from "./client-fields.ts";
export type { Client } from "./client.ts";
export type { ClientChange } from "./apply-change.ts";
export { Clients, isWindowOfClient } from "./clients.ts";
export { logoPath } from "./logo.ts";
export { clientBindings, clientRows } from "./client-rows.ts";
export { signStandard } from "./sign-standard.ts";
export { registerClientRoutes } from "./routes.ts";

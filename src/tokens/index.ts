// Authorization codes and access tokens: exchange, introspection, listing, disconnecting, and the guard of the data endpoints.
// A token is worth one connection; what can be read with it is the data room's concern.
export type { Admission, StoredData } from "./admit.ts";
export { admitDataRequest } from "./bearer-guard.ts";
export { registerTokenRoutes } from "./routes.ts";
export { Tokens, type TokenStatus } from "./tokens.ts";

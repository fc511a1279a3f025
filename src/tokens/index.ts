// Authorization codes and access tokens: exchange, introspection, list, disconnect, and the guard of the
// data endpoints. A token gives access to one connection. The room data decides what is read with it.
export type { Admission, StoredData } from "./find-admission.ts";
export { admitDataRequest, type AdmissionFinder } from "./bearer-guard.ts";
export type { TokenEntry, TokenStatus } from "./list-tokens.ts";
export { codeBindings } from "./bind-code.ts";
export { boundTokenRows, endedCodeRows, openCodeRows } from "./bound-rows.ts";
export { registerTokenRoutes } from "./routes.ts";
export type { TokenState } from "./token-state.ts";
export { requireTokenId, tokenParameter } from "./token-parameter.ts";
export type { IssuedToken } from "./redeem-code.ts";
export { codeLifetimeSeconds, Tokens } from "./tokens.ts";

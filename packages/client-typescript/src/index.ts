// Rollcall for a server: sign-in links, data, management, events and webhooks. It needs fetch, Web Crypto and URL alone.
export * from "./api.ts";
export { Connection, type Connected, type PayslipsQuery, type ReadOptions } from "./connection.ts";
export { RollcallError, type ErrorCode } from "./errors.ts";
export type { EmployeesChanged, EventData, EventType, RollcallEvent, Webhook } from "./events.ts";
export {
  Rollcall,
  type EventsOptions,
  type LinkRequest,
  type OneTimeLinkRequest,
  type OwnNames,
  type RollcallOptions,
  type SignInAgainRequest,
} from "./rollcall.ts";
export type { Sandbox } from "./sandbox.ts";
export type { ScopeName, SignIn } from "./sign-in.ts";
export { memoryEtags, memorySeen } from "./stores.ts";
export type { CallOptions, Etagged, EtagStore } from "./transport.ts";
export {
  isBodySigned,
  receiveWebhook,
  signWebhook,
  verifyWebhook,
  WebhookError,
  type Message,
  type SeenStore,
  type VerifyOptions,
} from "./webhooks.ts";

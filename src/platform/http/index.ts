// HTTP as every room needs it: the Fastify app with our defaults, compression, rate limits, bodies,
// credentials in headers. No route of a room and no word of the domain lives here.
export { createHttpApp, type HttpApp } from "./app.ts";
export { createLimitedServer, createRequestIds } from "./server.ts";
export type { ErrorReply } from "./error-reply.ts";
export type { Encoding } from "./accept-encoding.ts";
export {
  formType,
  hasTooManyParameters,
  ignoreBodies,
  takeForms,
  tooManyParameters,
} from "./body-parsers.ts";
export { decodeText, isJsonText, parseJson } from "./json-body.ts";
export { toProtocolRefusal, type ProtocolRefusal } from "./protocol-refusal.ts";
export type { WindowCount } from "./in-process-windows.ts";
export { countLua, RateLimitStore } from "./rate-limit-store.ts";
export {
  callerAddress,
  callerNetwork,
  callerSite,
  rateLimitWindows,
  registerRateLimits,
  type RequestWindows,
  secondsUntilRoom,
} from "./rate-limits.ts";
export { readAuthorization } from "./authorization.ts";
export {
  immutableHeaders,
  loadAsset,
  makeAsset,
  registerAssetRoute,
  type Asset,
} from "./assets.ts";
export { gatedRoute } from "./gated-route.ts";
export { FixedDocument } from "./fixed-document.ts";
export { longestWaitSeconds, readWait, splitList } from "./prefer-wait.ts";
export { isUnmodified, matchesEtag } from "./conditional-requests.ts";
export type { WebhookDescription } from "./describe-webhook.ts";
export { pageHeaders, securityHeaders } from "./security-headers.ts";
export { registerOpenApi } from "./openapi.ts";
export { collectRoutes } from "./unknown-routes.ts";

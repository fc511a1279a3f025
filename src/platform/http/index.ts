// HTTP as every room needs it: the Fastify app with our defaults, compression, rate limits, bodies,
// credentials in headers. No route of a room and no word of the domain lives here.
export { createHttpApp, type HttpApp } from "./app.ts";
export { createLimitedServer, createRequestIds } from "./server.ts";
export { type ErrorReply, toProtocolRefusal, type ProtocolRefusal } from "./protocol-refusal.ts";
export type { Encoding } from "./accept-encoding.ts";
export {
  formType,
  hasTooManyParameters,
  ignoreBodies,
  takeForms,
  tooManyParameters,
} from "./body-parsers.ts";
export { decodeText, isJsonText, parseJson } from "./json-body.ts";
export { type WindowCount, countLua, RateLimitStore } from "./rate-limit-store.ts";
export {
  callerAddress,
  callerNetwork,
  callerSite,
  rateLimitWindows,
  registerRateLimits,
  type RequestWindows,
  secondsUntilRoom,
} from "./rate-limits.ts";
export {
  readAuthorization,
  isUnmodified,
  matchesEtag,
  longestWaitSeconds,
  readWait,
  splitList,
} from "./request-headers.ts";
export {
  immutableHeaders,
  loadAsset,
  makeAsset,
  registerAssetRoute,
  type Asset,
  FixedDocument,
} from "./fixed-document.ts";
export { gatedRoute } from "./describe-route.ts";
export { type WebhookDescription, registerOpenApi } from "./openapi.ts";
export { pageHeaders, securityHeaders } from "./security-headers.ts";
export { collectRoutes } from "./unknown-routes.ts";

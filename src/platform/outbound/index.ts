// Every outgoing HTTP request of the program goes through this room. It has the rule about which addresses
// may be reached, the agent that enforces the rule for each socket, and the HTTP client for adapters. Callers
// decide what is sent and what an answer means. Any room may call; adapters get a client and import nothing.
export { type AnswerLimits, defaultAnswerLimits } from "./read-body.ts";
export { AddressPolicy, isReachable } from "./address-policy.ts";
export { createGuardedAgent } from "./create-guarded-agent.ts";
export { GuardedWays, type OpenedRange, type OwnWay } from "./guarded-ways.ts";
export {
  createProviderHttp,
  type ProviderHttp,
  type RequestAdmission,
} from "./create-provider-http.ts";
export { createSiteSender, type SiteSender } from "./create-site-sender.ts";
export type { ProviderRequest } from "./encode-request.ts";
export type { ProviderResponse, ExchangeEnd, OnExchange } from "./exchange.ts";
export {
  HttpRateLimited,
  HttpServerError,
  HttpTimeout,
  HttpTooLarge,
  HttpUnreachable,
  InvalidTarget,
  nameOutboundFailure,
  OutboundError,
  type OutboundFailure,
  TargetRefused,
} from "./outbound-error.ts";
export { parseRetryAfter } from "./retry-delay.ts";

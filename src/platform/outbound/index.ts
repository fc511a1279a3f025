// Every outgoing HTTP request of the program leaves through this room. Here live the rule about which addresses may be
// reached, the agent that enforces it at connect time, and the HTTP client handed to provider adapters. What is sent,
// and what an answer means, is the caller's. Any room may call; adapters are handed a client and import nothing.
export { AddressPolicy } from "./address-policy.ts";
export { createGuardedAgent } from "./create-guarded-agent.ts";
export { createProviderHttp, type ProviderHttp } from "./create-provider-http.ts";
export {
  HttpRateLimited,
  HttpServerError,
  HttpTimeout,
  HttpTooLarge,
  HttpUnreachable,
  TargetRefused,
} from "./outbound-error.ts";
export { parseRetryAfter } from "./retry-delay.ts";

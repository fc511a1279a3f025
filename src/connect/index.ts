// An end user's way from a link to a code: what is asked for, the hosted pages, the sign-in at the provider, the connection that
// comes of it. A flow is one such walk. Signing in from the terminal uses the same steps without the pages.
export { checkScopes, Connect, type SignInRequest, type SignInStep } from "./connect.ts";
export { Flows } from "./flows.ts";
export { registerMetadataRoute } from "./metadata-route.ts";
export { registerConnectPages } from "./page-scope.ts";
export { registerSessionRoute } from "./session-route.ts";
export { signInJob, type SignInJobDependencies } from "./sign-in-job.ts";
export { SignInThrottle } from "./sign-in-throttle.ts";

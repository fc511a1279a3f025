// An end user's way from a link to a code: the hosted pages, the sign-in at the provider, the connection.
// A flow is one such way. Its steps, a file each: link, create-flow, choose-provider, submit-form,
// run-sign-in, attempt-sign-in, submit-answer, finish-flow. The command line signs in with Connect alone,
// without a flow.
export { waitSeconds, type Challenge } from "./challenge.ts";
export { isNeeded } from "./asked-fields.ts";
export { Connect, type SignInRequest, type SignInStep } from "./connect.ts";
export { LogOuts } from "./log-outs.ts";
export { removeExpiredFlows } from "./remove-expired-flows.ts";
export { createReauthenticationLink } from "./reauthentication-link.ts";
export { registerConnect, type ConnectPages } from "./routes/register-connect.ts";
export { SignInThrottle } from "./sign-in-throttle.ts";
export { workOnSignIns } from "./work-on-sign-ins.ts";

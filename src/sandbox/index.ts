// What a client developer, or the operator, lets happen at the simulated provider: a connection without a browser,
// another hour, a failure, a sign-in, rights, records, a poll, a webhook. Only connections of the sandbox are touched.
// The simulated data itself is an adapter like any other, in src/providers/sandbox.
export { registerSandboxRoutes } from "./routes.ts";
export { Sandbox } from "./sandbox.ts";
export { rightsBody } from "./bodies.ts";
export { readRecords, recordsBody } from "./set-records.ts";

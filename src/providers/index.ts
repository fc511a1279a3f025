// Upstream systems: the contract that an adapter fulfils, the registry of adapters, and the host that runs them.
// One folder per adapter; an adapter gets an HTTP client, a clock and a log from the host and knows no database, queue or route.
// Called by connect (sign-in) and sync (fetching).
import { advanceSandbox, failSandbox } from "./sandbox/index.ts";

export { isProviderFailure } from "./errors.ts";
export { listFormFields, type FormField } from "./form-field.ts";
export { ProviderHost, type RawPage } from "./provider-host.ts";
export { loadRegistry, type ProviderRegistry } from "./registry.ts";
export { registerProviderRoutes } from "./routes.ts";
export type { FetchParameters, FormValues, Session, SignInChallenge } from "./contract.ts";
export type { SourceRecord } from "./source-records.ts";

/** For operators and tests: what happens next at the simulated provider. */
export const sandboxControls = { advance: advanceSandbox, fail: failSandbox };

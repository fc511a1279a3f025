// Upstream systems: the contract that an adapter fulfils, the registry of adapters, and the host
// that runs them. Each adapter has its own folder. The host gives it an HTTP client, a clock and a
// log; it knows no database, queue or route. Called by connect (sign-in) and reading.
import { advanceSandbox, failSandbox } from "./sandbox/index.ts";

export { isProviderFailure, ProviderBug, ProviderDown, type ProviderFailure } from "./errors.ts";
export { listFormFields, type FormField } from "./form-field.ts";
export {
  createFailure,
  fromPlainFailure,
  toPlainFailure,
  type PlainFailure,
} from "./plain-failure.ts";
export type { Draws, RequestQuotas } from "./request-quotas.ts";
export { ProviderHost, type RawPage } from "./provider-host.ts";
export { loadRegistry, type ProviderRegistry } from "./registry.ts";
export { registerProviderRoutes } from "./routes.ts";
export type { SessionSource } from "./read-context.ts";
export type {
  Cursor,
  DateRange,
  FetchParameters,
  FormValues,
  ProviderLog,
  Session,
  SignInChallenge,
  Settings,
  SignInResult,
} from "./contract.ts";
export type { SignInCall, SignInHost } from "./sign-in-host.ts";
export type { SourceRecord } from "./source-records.ts";

/** For operators and tests: decides what the sandbox does next. */
export const sandboxControls = { advance: advanceSandbox, fail: failSandbox };

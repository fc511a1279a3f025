// Upstream systems: the contract that an adapter fulfils, the registry of adapters, and the host
// that runs them. Each adapter has its own folder. The host gives it an HTTP client, a clock and a
// log; it knows no database, queue or route. Called by connect (sign-in) and reading.
import type { ProviderDefinition } from "./contract.ts";
import { findCheckable, listCheckable } from "./find-checkable.ts";
import { InvalidProvider } from "./invalid-provider.ts";
import { makeDefinitions } from "./load-package.ts";
import { listPackageFiles } from "./locate-package.ts";
import { requirePages } from "./read-context.ts";
import { ProviderRegistry } from "./registry.ts";
import {
  advanceSandbox,
  answerSandbox,
  failSandbox,
  readSandboxSession,
  sandboxScenarios,
} from "./sandbox/index.ts";

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
export type { Conformance, FakeSystem, Scenario } from "./conformance.ts";
export type {
  OAuth2Application,
  OAuth2Applications,
  OAuth2Authorization,
  OAuth2SignIn,
} from "./oauth2-sign-in.ts";
export type { SessionSource } from "./read-context.ts";
export type {
  Cursor,
  DateRange,
  FetchParameters,
  FormValues,
  ProviderContext,
  ProviderDefinition,
  ProviderLog,
  ProviderMode,
  ReadContext,
  ResourceReader,
  Session,
  Settings,
  SignInChallenge,
  SignInResult,
} from "./contract.ts";
export type { Checkable } from "./find-checkable.ts";
export type { ProviderPackage } from "./kit.ts";
export type { SignInCall, SignInHost } from "./sign-in-host.ts";
export type { SourceRecord } from "./source-records.ts";

/** Decides what the sandbox does next. */
export const sandboxControls = {
  /** The user names that select a scenario. */
  scenarios: [...sandboxScenarios.keys()],
  read: readSandboxSession,
  advance: advanceSandbox,
  fail: failSandbox,
  answer: answerSandbox,
};

/** Packages with providers: the files of one, what its default export makes, what can be checked, what is refused. */
export const providerPackages = {
  listFiles: listPackageFiles,
  define: makeDefinitions,
  createRegistry: (definitions: readonly ProviderDefinition[]) => new ProviderRegistry(definitions),
  findCheckable,
  listCheckable,
  requirePages,
  /** Whether the error says what is wrong with a provider, for the operator. */
  isRefusal: (error: unknown): error is InvalidProvider => error instanceof InvalidProvider,
};

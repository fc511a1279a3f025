// Upstream systems: the contract that an adapter fulfils, the registry of adapters, and the host
// that runs them. Each adapter has its own folder. The host gives it an HTTP client, a clock and a
// log; it knows no database, queue or route. Called by connect (sign-in) and reading.
import { eachUnknownField, sourceShapes } from "./source-fields.ts";
import { makeApprovalAddress } from "./approval-address.ts";
import { addBuiltIn, registerBuiltIn } from "./built-in.ts";
import { meaningNames } from "./conformance.ts";
import type { ProviderDefinition } from "./contract.ts";
import { explainFailure, nameFailure } from "./explain-failure.ts";
import { addDays, countWeekdays } from "./kit/days.ts";
import { findCheckable, findProviders, listCheckable } from "./find-checkable.ts";
import { findPlace } from "./find-place.ts";
import { declareProvider } from "./declaration.ts";
import { InvalidProvider } from "./invalid-provider.ts";
import { loadPackage, makeDefinitions } from "./load-package.ts";
import { chooseSettings } from "./form-field.ts";
import { toMinorUnits } from "./kit/money.ts";
import { nationality } from "./kit/readers.ts";
import { listPackageFiles, openPackage } from "./locate-package.ts";
import { fromPlainRefusal, toPlainRefusal } from "./plain-refusal.ts";
import { requirePages } from "./read-context.ts";
import { ProgramFailed, runProgram } from "./run-program.ts";
import { serveProgram } from "./serve-program.ts";
import { ProviderRegistry } from "./registry.ts";
import { checkForm, findApprovalPage } from "./sign-in-form.ts";
import { aimRequest, wrapProvider } from "./wrap-provider.ts";
import {
  advanceSandbox,
  answerSandbox,
  failSandbox,
  readSandboxSession,
  limitableFields,
  rightsOfSandbox,
  sandboxScenarios,
  setSandboxRecords,
  setSandboxRights,
  settableLists,
} from "./sandbox/index.ts";

export { isProviderFailure, ProviderBug, ProviderDown, type ProviderFailure } from "./errors.ts";
export type { DeclaredMode } from "./declaration.ts";
export type { DescribedField } from "./described-field.ts";
export { listFormFields, type FormField } from "./form-field.ts";
export { drawingCells } from "./recipe.ts";
export {
  createFailure,
  fromPlainFailure,
  toPlainFailure,
  type PlainFailure,
} from "./plain-failure.ts";
export type { Draws, RequestQuotas } from "./request-quotas.ts";
export { ProviderHost, type RawPage } from "./provider-host.ts";
export type { ProviderRegistry } from "./registry.ts";
export { registerProviderRoutes } from "./routes.ts";
export type { NamedProvider, ProgramSubject } from "./run-program.ts";
export type {
  Conformance,
  FakeSystem,
  MeaningAnswer,
  MeaningAnswers,
  MeaningName,
  Scenario,
  TypedValues,
} from "./conformance.ts";
export type {
  OAuth2Application,
  OAuth2Applications,
  OAuth2Authorization,
} from "./oauth2-sign-in.ts";
export type { SessionSource } from "./read-context.ts";
export type {
  Cursor,
  DateRange,
  FetchParameters,
  FormValues,
  FoundSystem,
  ProbeContext,
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
export type { LocatedPackage } from "./locate-package.ts";
export type { PlainRefusal } from "./plain-refusal.ts";
export type { DeclaredRecipe, DrawnLook, Drawing } from "./recipe.ts";
export type { ProviderPackage } from "./kit.ts";
export type { ApprovalPage, FormCheck, NamedAccount } from "./sign-in-form.ts";
export type { SignInCall, SignInHost, SignedIn } from "./sign-in-host.ts";
export type { SourceRecord } from "./source-records.ts";

/** Decides what the sandbox does next. */
export const sandboxControls = {
  /** The user names that select a scenario. */
  scenarios: [...sandboxScenarios.keys()],
  read: readSandboxSession,
  advance: advanceSandbox,
  fail: failSandbox,
  answer: answerSandbox,
  settableLists,
  limitableFields,
  setRecords: setSandboxRecords,
  setRights: setSandboxRights,
  rightsOf: rightsOfSandbox,
  /** Of the records that are set. */
  shapes: sourceShapes,
  eachUnknownField,
};

/** What the checks of meanings know as the kit does. */
export const knownMeanings = {
  names: meaningNames,
  toMinorUnits,
  countWeekdays,
  isNationality: (code: string) => nationality.read(code) === code,
};

/**
 * Packages with providers: where one is, its files, its code in this process, what its default export makes, what can
 * be checked, what is refused.
 */
export const providerPackages = {
  open: openPackage,
  listFiles: listPackageFiles,
  load: loadPackage,
  define: makeDefinitions,
  /** All built-in providers, and those that other processes declare. */
  register: registerBuiltIn,
  addBuiltIn,
  createRegistry: (definitions: readonly ProviderDefinition[]) => new ProviderRegistry(definitions),
  declare: declareProvider,
  findProviders,
  findCheckable,
  listCheckable,
  requirePages,
  /** File and line of the code outside of this program in which an error was made. */
  findPlace,
  /** Whether the error says what is wrong with a provider, for the operator. */
  isRefusal: (error: unknown): error is InvalidProvider => error instanceof InvalidProvider,
  toPlainRefusal,
  fromPlainRefusal,
  checkForm,
  findApprovalPage,
  makeApprovalAddress,
  explainFailure,
  nameFailure,
  wrap: wrapProvider,
  aimRequest,
  /** As the kit counts days. */
  addDays,
  /** A program of ours that does something with one, in a process of its own: both ends. */
  runProgram,
  serveProgram,
  isSignInRefused: (error: unknown): error is ProgramFailed =>
    error instanceof ProgramFailed && error.isSignInRefused,
  chooseSettings,
};

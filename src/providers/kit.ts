import { z } from "zod";
import { defineProvider, defineReader, type ProviderDefinition } from "./contract.ts";
import {
  AuthError,
  FieldError,
  OperationNotSupported,
  ProviderBug,
  ProviderDown,
  ProviderRateLimited,
} from "./errors.ts";
import { formField } from "./form-field.ts";
import { json as jsonFormat, type BodyFormat } from "./kit/body-format.ts";
import { csv } from "./kit/csv.ts";
import { addDays, inParts } from "./kit/days.ts";
import { always, defineFields, definePart, each, onlyOne, together } from "./kit/fields.ts";
import { signInByKey } from "./kit/key-sign-in.ts";
import { listChanges, readList } from "./kit/list-changes.ts";
import { lookup } from "./kit/lookup.ts";
import { toMinorUnits } from "./kit/money.ts";
import { recordsAt } from "./kit/paging.ts";
import { oauth2, readApprovedBy, tokenFields } from "./kit/oauth2.ts";
import { oneByOne } from "./kit/one-by-one.ts";
import { findStarts } from "./kit/periods.ts";
import { readers, type Readers } from "./kit/readers.ts";
import { auth, eachAtOnce, RequestRefused, rest } from "./kit/rest.ts";
import { findRights, whereReadable } from "./kit/rights.ts";
import { defineSource, part } from "./kit/source.ts";
import { xml } from "./kit/xml.ts";
import { openZone } from "./kit/zone.ts";
import { readTokenClaims, requestOAuth2Tokens } from "./request-oauth2-tokens.ts";

const read: Readers = readers;
const json: BodyFormat = jsonFormat;

/** What a provider package is handed, because it cannot import the program that loads it. */
export const kit = {
  defineProvider,
  defineReader,
  formField,
  /** The fields of a form are described in this instance of zod. */
  z,
  requestOAuth2Tokens,
  /** A sign-in on the provider's own page, as it is declared. */
  oauth2,
  tokenFields,
  readApprovedBy,
  readTokenClaims,
  /** A system with answers in JSON, XML or CSV, as it is declared. */
  rest,
  json,
  xml,
  csv,
  auth,
  signInByKey,
  findRights,
  whereReadable,
  lookup,
  eachAtOnce,
  oneByOne,
  listChanges,
  readList,
  RequestRefused,
  recordsAt,
  // Records by a table: each field of ours with where it comes from.
  defineSource,
  defineFields,
  definePart,
  always,
  each,
  onlyOne,
  together,
  part,
  /** What reads one value of a vendor's record. */
  read,
  toMinorUnits,
  addDays,
  inParts,
  findStarts,
  openZone,
  AuthError,
  FieldError,
  OperationNotSupported,
  ProviderRateLimited,
  ProviderDown,
  ProviderBug,
} as const;

export type Kit = typeof kit;

// The types of `@rollcall/provider`. `npm run types` writes them to packages/provider/provider.d.ts.
export type { AuthErrorCode, Identity, Mode, Resource } from "../model/index.ts";
export type { Clock } from "../platform/clock.ts";
export type {
  ProviderHttp,
  ProviderRequest,
  ProviderResponse,
} from "../platform/outbound/index.ts";
export type {
  Conformance,
  ExpectedRecords,
  FakeSystem,
  MeaningAnswer,
  MeaningAnswers,
  MeaningName,
  Scenario,
  TypedValues,
} from "./conformance.ts";
export type {
  ChangedPage,
  CheckContext,
  CheckResult,
  Cursor,
  DateRange,
  FetchParameters,
  FormValues,
  FoundSystem,
  LogOutContext,
  MapContext,
  Page,
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
  SignInContext,
  SignInResult,
  TypedOrigin,
} from "./contract.ts";
export type { ProviderFailure } from "./errors.ts";
export type { BodyFormat } from "./kit/body-format.ts";
export type { CsvOptions } from "./kit/csv.ts";
export type { KeySignIn } from "./kit/key-sign-in.ts";
export type { ListChanges, ReadList } from "./kit/list-changes.ts";
export type { ApprovedBy, OAuth2, OAuth2Definition } from "./kit/oauth2.ts";
export type { Paging, RestPage } from "./kit/paging.ts";
export type { RestClient, RestDefinition, RestList, RestRequest } from "./kit/rest.ts";
export type { Probe } from "./kit/rights.ts";
export type { XmlOptions } from "./kit/xml.ts";
export type { OAuth2Application, OAuth2Authorization, OAuth2SignIn } from "./oauth2-sign-in.ts";
export type { Recipe } from "./recipe.ts";
export type { OAuth2Tokens } from "./request-oauth2-tokens.ts";
export type { SourceEmployment, SourceRecord } from "./source-records.ts";

type Made = ProviderDefinition | ((kit: Kit) => ProviderDefinition | readonly ProviderDefinition[]);

/** The default export of a provider package. */
export type ProviderPackage = Made | readonly Made[];

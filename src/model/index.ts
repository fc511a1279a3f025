// What the API promises: the catalogue of data endpoints, records, scopes, modes, refusals, error codes and bodies.
// It imports zod only. Every room may import it.
export { employee, employmentStatus, type Employee, type EmploymentStatus } from "./employee.ts";
export { endedBy, type EndedBy } from "./ended-by.ts";
export type { Employment } from "./employment.ts";
export { authErrorCodes, sentAuthErrorCode, type AuthErrorCode } from "./auth-error-code.ts";
export {
  badRequest,
  errorResponse,
  errorResponses,
  notModified,
  serviceUnavailable,
} from "./error-bodies.ts";
export {
  AuthenticationFailed,
  CodeAlreadyRedeemed,
  ConflictingUpdate,
  ExchangeRefused,
  Forbidden,
  FormExchangeRefused,
  InvalidRequest,
  isDomainError,
  MethodNotAllowed,
  NotFound,
  NotSupported,
  ProviderBroken,
  RateLimited,
  Unavailable,
  type DomainError,
} from "./errors.ts";
export {
  eventType,
  eventTypes,
  isPollable,
  pollableResource,
  usualPollResources,
  type EventType,
  type PollableResource,
} from "./event.ts";
export { namedEnum } from "./field.ts";
export {
  fieldOff,
  fieldsToSwitch,
  fieldsWithout,
  withoutFields,
  type FieldOff,
} from "./fields-off.ts";
export { isOtherCurrency } from "./payrun.ts";
export { identity, type Identity } from "./identity.ts";
export type { ClientId, ConnectionId, TokenId } from "./ids.ts";
export { locales, type Locale, type Translation } from "./locale.ts";
export { mode, modes, type Mode } from "./mode.ts";
export { oauthErrorWord, toErrorDescription } from "./oauth-error-word.ts";
export { countries } from "./address.ts";
export {
  hasDates,
  resource,
  resourceRecords,
  resources,
  type DatedResource,
  type RecordOf,
} from "./resource.ts";
export {
  apiVersion,
  endpointPaths,
  endpoints,
  isFetched,
  type EndpointPath,
  type FetchedPath,
  type Resource,
} from "./endpoints.ts";
export {
  isScope,
  modeOfScopes,
  resourcesOfScopes,
  scope,
  scopes,
  scopesOfMode,
  splitScope,
  type Scope,
} from "./scope.ts";

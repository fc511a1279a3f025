// The shapes that the API promises: records, scopes, modes, error bodies. Nothing here does anything; imports zod only.
export { employmentStatuses, type Employee, type EmploymentStatus } from "./employee.ts";
export { employmentTypes, payFrequencies, payPeriods, type Employment } from "./employment.ts";
export { authErrorCodes, type AuthErrorCode } from "./auth-error-code.ts";
export { errorResponses } from "./error-bodies.ts";
export { identity, type Identity } from "./identity.ts";
export { mode, modes, type Mode } from "./mode.ts";
export { countries } from "./address.ts";
export { resourceRecords, resources, type RecordOf, type Resource } from "./resource.ts";
export {
  apiVersion,
  isScope,
  modeOfScope,
  scope,
  scopes,
  scopesOfMode,
  type Scope,
} from "./scope.ts";

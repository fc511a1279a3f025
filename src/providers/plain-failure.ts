import type { AuthErrorCode } from "../model/index.ts";
import {
  describeError,
  formatStack,
  reviveError,
  type ErrorDescription,
} from "../platform/describe-error.ts";
import {
  AuthError,
  FieldError,
  isProviderFailure,
  OperationNotSupported,
  ProviderBug,
  ProviderDown,
  ProviderRateLimited,
  type ProviderFailure,
} from "./errors.ts";

/** A failure of the contract as plain data, which crosses from one process to another. */
export type PlainFailure = { description: ErrorDescription } & FailureFields;

type FailureFields =
  | { kind: "auth"; code: AuthErrorCode }
  | { kind: "field"; field: string; explanation: string }
  | { kind: "rate-limited"; afterSeconds: number }
  | { kind: "bug"; message: string; fields?: readonly string[] }
  | { kind: "not-supported" | "down"; message: string };

const longestText = 2_000;
const mostFields = 20;

/** An error that is not of the contract becomes a ProviderBug. `hide` takes away from its texts what has to stay here. */
export function toPlainFailure(
  error: unknown,
  hide: (text: string) => string = (text) => text,
): PlainFailure {
  const failure = isProviderFailure(error)
    ? error
    : Object.assign(new ProviderBug("the adapter failed"), { cause: error });
  const description = hideInDescription(describeError(failure), hide);
  const tell = (text: string): string => hide(text).slice(0, longestText);
  switch (failure.kind) {
    case "auth":
      return { description, kind: failure.kind, code: failure.code };
    case "field":
      return {
        description,
        kind: failure.kind,
        field: tell(failure.field),
        explanation: tell(failure.explanation),
      };
    case "rate-limited":
      return { description, kind: failure.kind, afterSeconds: failure.afterSeconds };
    case "bug":
      return {
        description,
        kind: failure.kind,
        message: tell(failure.message),
        fields: listFields(failure).map(tell),
      };
    case "not-supported":
    case "down":
      return { description, kind: failure.kind, message: tell(failure.message) };
  }
}

/** An adapter may have put anything there, and another copy of the class nothing. */
function listFields({ fields }: { fields?: unknown }): string[] {
  return Array.isArray(fields)
    ? fields.filter((field): field is string => typeof field === "string").slice(0, mostFields)
    : [];
}

/** The same failure again. It is logged as the first one is. */
export function fromPlainFailure(plain: PlainFailure): ProviderFailure {
  const { cause } = plain.description;
  const failure = createFailure(plain);
  return Object.assign(failure, {
    stack: formatStack(plain.description, failure.message),
    ...(cause && { cause: reviveError(cause) }),
  });
}

/** One of the errors of the contract. */
export function createFailure(plain: FailureFields): ProviderFailure {
  switch (plain.kind) {
    case "auth":
      return new AuthError(plain.code);
    case "field":
      return new FieldError(plain.field, plain.explanation);
    case "rate-limited":
      return new ProviderRateLimited(plain.afterSeconds);
    case "not-supported":
      return new OperationNotSupported(plain.message);
    case "down":
      return new ProviderDown(plain.message);
    case "bug":
      return new ProviderBug(plain.message, { fields: listFields(plain) });
  }
}

/** An adapter chooses the names of its errors and functions, and their codes. */
function hideInDescription(
  { type, reason, constraint, at, cause }: ErrorDescription,
  hide: (text: string) => string,
): ErrorDescription {
  return {
    type: hide(type),
    ...(reason !== undefined && { reason: hide(reason) }),
    ...(constraint !== undefined && { constraint: hide(constraint) }),
    ...(at && { at: at.map(hide) }),
    ...(cause && { cause: hideInDescription(cause, hide) }),
  };
}

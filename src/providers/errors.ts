import { authErrorCodes, type AuthErrorCode } from "../model/index.ts";

/**
 * Tells a failure of the contract. Every copy of this module has the same symbol, so a failure that another copy
 * made counts too.
 */
const failureKind: unique symbol = Symbol.for("rollcall.provider-failure");

/**
 * The closed set of errors that an adapter may throw. Messages go to our logs: no personal data, no
 * URL.
 */
abstract class ProviderError extends Error {
  abstract readonly kind: string;
  override get name(): string {
    return this.constructor.name;
  }
  get [failureKind](): string {
    return this.kind;
  }
}

/** The provider refused the person or the session. */
export class AuthError extends ProviderError {
  readonly kind = "auth";
  readonly code: AuthErrorCode;
  constructor(code: AuthErrorCode) {
    super(code);
    this.code = code;
  }
}

/**
 * Only at sign-in: a field of the form has a value that cannot work, such as a database that does
 * not exist.
 */
export class FieldError extends ProviderError {
  readonly kind = "field";
  readonly field: string;
  /** Shown to the person who signs in. */
  readonly explanation: string;
  constructor(field: string, explanation: string) {
    super("a field of the form is wrong");
    this.field = field;
    this.explanation = explanation;
  }
}

/** The provider, or this account, does not have the operation. */
export class OperationNotSupported extends ProviderError {
  readonly kind = "not-supported";
}

/** The provider asks to wait. */
export class ProviderRateLimited extends ProviderError {
  readonly kind = "rate-limited";
  readonly afterSeconds: number;
  constructor(afterSeconds: number) {
    super("the provider asks to wait");
    this.afterSeconds = afterSeconds;
  }
}

/** The provider cannot be reached or fails. A later try may succeed. */
export class ProviderDown extends ProviderError {
  readonly kind = "down";
}

/** The provider's answer breaks the provider's own contract. */
export class ProviderBug extends ProviderError {
  readonly kind = "bug";
  /** The fields of our record that it lacks, where these are known. Operators see their names. */
  readonly fields: readonly string[];
  constructor(
    message?: string,
    { fields = [], ...options }: ErrorOptions & { fields?: readonly string[] } = {},
  ) {
    super(message, options);
    this.fields = fields;
  }
}

export type ProviderFailure =
  AuthError | FieldError | OperationNotSupported | ProviderRateLimited | ProviderDown | ProviderBug;

/** What each failure has besides its message. */
const fieldsOf: Readonly<
  Record<ProviderFailure["kind"], (fields: Readonly<Record<string, unknown>>) => boolean>
> = {
  auth: ({ code }) => authErrorCodes.some((known) => known === code),
  field: ({ field, explanation }) => isText(field) && isText(explanation),
  "not-supported": () => true,
  // Any number: a clock that is late makes a wait that is over, and a header that is missing makes NaN.
  "rate-limited": ({ afterSeconds }) => typeof afterSeconds === "number",
  down: () => true,
  bug: () => true,
};

/** False for a failure without the fields of its kind, which then counts as any other error: as a ProviderBug. */
export function isProviderFailure(error: unknown): error is ProviderFailure {
  try {
    if (!(error instanceof Error) || !(failureKind in error)) return false;
    const fields = error as unknown as Readonly<Record<PropertyKey, unknown>>;
    const { kind, message } = fields;
    if (!isText(kind) || !isText(message) || !Object.hasOwn(fieldsOf, kind)) return false;
    return fields[failureKind] === kind && fieldsOf[kind as ProviderFailure["kind"]](fields);
  } catch {
    // It has a getter that throws.
    return false;
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

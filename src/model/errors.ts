import type { AuthErrorCode } from "./auth-error-code.ts";
import type { TokenId } from "./ids.ts";
import type { OAuthErrorWord } from "./oauth-error-word.ts";
import type { Scope } from "./scope.ts";

/**
 * Every reason to refuse a request, in the words of the specification. Only error-replies.ts decides on
 * status codes and bodies. Public fields may be shown to the caller. A cause is never shown.
 */
abstract class DomainErrorBase extends Error {
  abstract readonly kind: string;
  override get name(): string {
    return this.constructor.name;
  }
}

/**
 * The request is malformed or breaks a rule. `validationError` names the field, the header or the position.
 */
export class InvalidRequest extends DomainErrorBase {
  readonly kind = "invalid-request";
  readonly validationError: string;
  constructor(validationError: string) {
    super("The request is not valid.");
    this.validationError = validationError;
  }
}

/**
 * What was wrong with the caller's own credential; the reply carries a challenge for it. None when the
 * provider refused.
 */
export type CredentialChallenge =
  "basic" | "bearer-missing" | "bearer-repeated" | "bearer-invalid" | "none";

export class AuthenticationFailed extends DomainErrorBase {
  readonly kind = "authentication-failed";
  readonly code: AuthErrorCode;
  readonly challenge: CredentialChallenge;
  constructor(code: AuthErrorCode, challenge: CredentialChallenge, message: string) {
    super(message);
    this.code = code;
    this.challenge = challenge;
  }
}

export class Forbidden extends DomainErrorBase {
  readonly kind = "forbidden";
  /** The scope that the token lacks, if that is the reason. */
  readonly missingScope: Scope | undefined;
  constructor(message: string, missingScope?: Scope) {
    super(message);
    this.missingScope = missingScope;
  }
}

export class NotFound extends DomainErrorBase {
  readonly kind = "not-found";
  readonly id: string;
  /** An id that is a credential is never repeated, but for a code at its exchange. */
  readonly isOfCode: boolean;
  constructor(id: string, message: string, { isOfCode = false }: { isOfCode?: boolean } = {}) {
    super(message);
    this.id = id;
    this.isOfCode = isOfCode;
  }
}

/** The authorization code was redeemed before. `tokenId` is the id of the token that was issued for it. */
export class CodeAlreadyRedeemed extends DomainErrorBase {
  readonly kind = "code-already-redeemed";
  readonly code: string;
  readonly tokenId: TokenId;
  constructor({ code, tokenId }: { code: string; tokenId: TokenId }) {
    super(`The code was exchanged before, for the token ${tokenId}.`);
    this.code = code;
    this.tokenId = tokenId;
  }
}

/** The exchange of a code is refused. The message is the description that goes with the word. */
export class ExchangeRefused extends DomainErrorBase {
  readonly kind = "exchange-refused";
  readonly word: OAuthErrorWord;
  constructor(word: OAuthErrorWord, description: string) {
    super(description);
    this.word = word;
  }
}

/** The same, for a standard OAuth client that sent a form. It is answered as RFC 6749 says. */
export class FormExchangeRefused extends DomainErrorBase {
  readonly kind = "form-exchange-refused";
  readonly refusal: ExchangeRefused;
  /** True when the client failed to authenticate by a header, so that the reply carries a challenge. */
  readonly isChallenged: boolean;
  constructor(refusal: ExchangeRefused, { isChallenged }: { isChallenged: boolean }) {
    super(refusal.message);
    this.refusal = refusal;
    this.isChallenged = isChallenged;
  }
}

/** Somebody else changed the same entity in the meantime. */
export class ConflictingUpdate extends DomainErrorBase {
  readonly kind = "conflicting-update";
}

export class MethodNotAllowed extends DomainErrorBase {
  readonly kind = "method-not-allowed";
  readonly allowed: readonly string[];
  constructor(allowed: readonly string[]) {
    super("The method is not allowed on this path.");
    this.allowed = allowed;
  }
}

export class RateLimited extends DomainErrorBase {
  readonly kind = "rate-limited";
  readonly retryAfterSeconds: number;
  constructor(retryAfterSeconds: number, message = "Too many requests.") {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The provider does not support the operation. */
export class NotSupported extends DomainErrorBase {
  readonly kind = "not-supported";
}

/** Something that this service needs is unavailable for now. */
export class Unavailable extends DomainErrorBase {
  readonly kind = "unavailable";
  readonly retryAfterSeconds: number;
  constructor(message: string, retryAfterSeconds: number, options?: ErrorOptions) {
    super(message, options);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The provider's answer is not what the provider's own contract promises. */
export class ProviderBroken extends DomainErrorBase {
  readonly kind = "provider-broken";
}

export type DomainError =
  | InvalidRequest
  | AuthenticationFailed
  | Forbidden
  | NotFound
  | CodeAlreadyRedeemed
  | ExchangeRefused
  | FormExchangeRefused
  | ConflictingUpdate
  | MethodNotAllowed
  | RateLimited
  | NotSupported
  | Unavailable
  | ProviderBroken;

export function isDomainError(error: unknown): error is DomainError {
  return error instanceof DomainErrorBase;
}

import {
  isDomainError,
  type AuthenticationFailed,
  type DomainError,
  type ExchangeRefused,
  type Forbidden,
  type FormExchangeRefused,
  type NotFound,
  toErrorDescription,
} from "../model/index.ts";
import { findCredential, type CredentialKind } from "../platform/crypto/index.ts";
import { isDatabaseUnavailable } from "../platform/db/index.ts";
import {
  toProtocolRefusal,
  type ErrorReply,
  type ProtocolRefusal,
} from "../platform/http/index.ts";

const databaseRetrySeconds = 2;
const basicChallenge = 'Basic realm="rollcall", charset="UTF-8"';

/** Unknown errors become a 500 without details. */
export function toErrorReply(error: unknown): ErrorReply {
  if (isDomainError(error)) return replyToDomainError(error);
  if (isDatabaseUnavailable(error))
    return reply(
      503,
      { message: "The service is unavailable for a moment." },
      retryAfter(databaseRetrySeconds),
    );
  const refusal = toProtocolRefusal(error);
  return refusal
    ? replyToProtocolRefusal(refusal)
    : reply(500, { message: "Something went wrong on our side." });
}

/** The Errors table of the specification. */
function replyToDomainError(error: DomainError): ErrorReply {
  const { message } = error;
  switch (error.kind) {
    case "invalid-request":
      return reply(400, { message, validation_error: error.validationError });
    case "authentication-failed":
      return reply(
        401,
        { error: "authentication_error", message, code: error.code },
        challengeHeaders(error),
      );
    case "forbidden":
      return reply(403, { message }, scopeHeaders(error));
    case "not-found":
      return reply(404, replyWithoutCredential(error));
    case "method-not-allowed":
      return reply(405, { message }, { allow: error.allowed.join(", ") });
    case "code-already-redeemed":
      return reply(409, { error: "conflict", message, code: error.code, token: error.tokenId });
    case "exchange-refused":
      return replyToJson(error);
    case "form-exchange-refused":
      return replyToForm(error);
    case "conflicting-update":
      return reply(409, { error: "conflict", message });
    case "rate-limited":
      return reply(429, { message }, retryAfter(error.retryAfterSeconds));
    case "provider-broken":
      return reply(500, { message });
    case "not-supported":
      return reply(501, { message });
    case "unavailable":
      return reply(503, { message }, retryAfter(error.retryAfterSeconds));
  }
}

/** A credential that was sent in the place of an id is not repeated. */
function replyWithoutCredential({ message, id, isOfCode }: NotFound): Record<string, string> {
  const kind = isOfCode ? undefined : findCredential(decodeId(id));
  if (!kind) return { message, id };
  return {
    message: `An id is needed here, not ${credentialNames[kind]}. The id of a token is its field token in the tokens list.`,
    id: "",
  };
}

const credentialNames: Record<CredentialKind, string> = {
  at: "an access token",
  ac: "an authorization code",
  cs: "a client secret",
  ln: "a part of a sign-in link",
  bs: "a part of a sign-in link",
};

/** The path of an unknown route is still encoded. */
function decodeId(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

function replyToProtocolRefusal({ status, message, validationError }: ProtocolRefusal): ErrorReply {
  return reply(
    status,
    validationError === undefined ? { message } : { message, validation_error: validationError },
  );
}

/** The reply of the specification to a refused exchange. */
function replyToJson({ word, message: description }: ExchangeRefused): ErrorReply {
  return reply(400, {
    message: "The request is not valid.",
    validation_error: `${word}: ${description}`,
  });
}

/** The reply of RFC 6749, section 5.2, with the fields of the specification added. */
function replyToForm({ refusal, isChallenged }: FormExchangeRefused): ErrorReply {
  const { word, message } = refusal;
  const description = toErrorDescription(message);
  const body = {
    error: word,
    error_description: description,
    message: description,
    validation_error: `${word}: ${description}`,
  };
  return isChallenged ? reply(401, body, { "www-authenticate": basicChallenge }) : reply(400, body);
}

function challengeHeaders({ challenge }: AuthenticationFailed): Record<string, string> {
  switch (challenge) {
    case "basic":
      return { "www-authenticate": basicChallenge };
    case "bearer-missing":
      return { "www-authenticate": "Bearer" };
    case "bearer-repeated":
      return { "www-authenticate": 'Bearer error="invalid_request"' };
    case "bearer-invalid":
      return { "www-authenticate": 'Bearer error="invalid_token"' };
    case "none":
      return {};
  }
}

function scopeHeaders({ missingScope }: Forbidden): Record<string, string> {
  return missingScope
    ? { "www-authenticate": `Bearer error="insufficient_scope", scope="${missingScope}"` }
    : {};
}

function retryAfter(seconds: number): Record<string, string> {
  return { "retry-after": String(Math.max(1, Math.ceil(seconds))) };
}

function reply(
  status: number,
  body: Record<string, unknown>,
  headers: Record<string, string> = {},
): ErrorReply {
  return { status, body, headers: { "cache-control": "no-store", ...headers } };
}

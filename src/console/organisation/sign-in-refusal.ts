import { OutboundError } from "../../platform/outbound/index.ts";

/** Why nobody is signed in by the organisation. Each has a sentence of its own on the page. */
export type RefusalKind =
  | "unreachable"
  | "issuer"
  | "client"
  | "state"
  | "used"
  | "declined"
  | "code"
  | "nonce"
  | "expired"
  | "proof"
  | "unverified"
  | "unlisted";

/** For the log: no address, no token, no word of the issuer but the names of its errors. */
interface RefusalDetail {
  /** The library's name for what is wrong, or what happened to the request. */
  problem?: string | undefined;
  /** Of the answer, by RFC 6749. */
  error?: string | undefined;
  operator?: string | undefined;
}

export class SignInRefusal extends Error {
  readonly kind: RefusalKind;
  readonly detail: RefusalDetail;

  constructor(kind: RefusalKind, detail: RefusalDetail = {}) {
    super(`the sign-in by the organisation was refused: ${kind}`);
    this.name = "SignInRefusal";
    this.kind = kind;
    this.detail = detail;
  }
}

const kinds: Readonly<Record<string, RefusalKind>> = {
  OAUTH_AUTHORIZATION_RESPONSE_ERROR: "declined",
  OAUTH_INVALID_RESPONSE: "proof",
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: "issuer",
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: "issuer",
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: "expired",
  OAUTH_KEY_SELECTION_FAILED: "proof",
  OAUTH_UNSUPPORTED_OPERATION: "proof",
  OAUTH_INVALID_SERVER_METADATA: "issuer",
  OAUTH_MISSING_SERVER_METADATA: "issuer",
  OAUTH_HTTP_REQUEST_FORBIDDEN: "issuer",
  OAUTH_REQUEST_PROTOCOL_FORBIDDEN: "issuer",
  OAUTH_PARSE_ERROR: "unreachable",
  OAUTH_RESPONSE_IS_NOT_CONFORM: "unreachable",
  OAUTH_RESPONSE_IS_NOT_JSON: "unreachable",
  OAUTH_TIMEOUT: "unreachable",
  OAUTH_WWW_AUTHENTICATE_CHALLENGE: "client",
};

/** What an error of the library means. Every other error is thrown again. */
export function toRefusal(error: unknown): SignInRefusal {
  if (error instanceof SignInRefusal) return error;
  const { code, error: named, cause } = error as Record<"code" | "error" | "cause", unknown>;
  if (cause instanceof OutboundError)
    return new SignInRefusal("unreachable", { problem: cause.message });
  if (typeof code !== "string") throw error;
  const oauthError = typeof named === "string" && /^[a-z_]{1,64}$/.test(named) ? named : undefined;
  const detail = { problem: code, error: oauthError };
  if (code === "OAUTH_RESPONSE_BODY_ERROR") return new SignInRefusal(kindOfBody(named), detail);
  const kind = isOfNonce(cause) ? "nonce" : kinds[code];
  if (kind === undefined) throw error;
  return new SignInRefusal(kind, detail);
}

/** `invalid_grant` is a code that was used, has expired or was changed. All others are about this service. */
function kindOfBody(error: unknown): RefusalKind {
  return error === "invalid_grant" ? "code" : "client";
}

function isOfNonce(cause: unknown): boolean {
  const { cause: claim } = (cause ?? {}) as { cause?: { claim?: unknown } };
  return claim?.claim === "nonce";
}

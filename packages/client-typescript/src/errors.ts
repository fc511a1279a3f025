import type { SentAuthErrorCode } from "./api.ts";

/** Why a call gave nothing. Those of a sign-in that led back without a code are the same words. */
export type ErrorCode =
  /** The provider refused the end user's account. */
  | SentAuthErrorCode
  /** The access token is disconnected, or of another environment: stop using it. */
  | "forbidden"
  /** The token does not have the scope of this data. */
  | "insufficient_scope"
  /** The id and secret of your client, or the access token, are missing or wrong. */
  | "wrong_credentials"
  | "invalid_request"
  | "not_found"
  /** Another request came first. `token` is the id that the code was exchanged for. */
  | "conflict"
  /** The provider, or this account, does not have the data. */
  | "not_supported"
  /** The data was still being fetched at the deadline. */
  | "pending"
  | "rate_limited"
  /** The provider or the service is away. */
  | "unavailable"
  /** No reply came. */
  | "unreachable"
  | "server_error"
  | ExchangeWord
  /** The end user cancelled, or the provider refused five attempts. */
  | "access_denied"
  | "invalid_scope"
  | "temporarily_unavailable"
  /** The callback is not that of the sign-in which this browser began. */
  | "wrong_state";

/** What a refused exchange of a code begins with. */
type ExchangeWord = "invalid_client" | "invalid_grant" | "unsupported_grant_type";

const codesOfStatus: Record<number, ErrorCode> = {
  202: "pending",
  401: "wrong_credentials",
  403: "forbidden",
  404: "not_found",
  409: "conflict",
  429: "rate_limited",
  501: "not_supported",
  502: "unavailable",
  503: "unavailable",
  504: "unavailable",
};

const askAgain = "Please sign in to your HR system again.";
const tellUs = "Something went wrong on our side. Please tell us.";
const later = "The data cannot be read at the moment. Please try again later.";

/** What an application may show to its end user. */
const sentences: Partial<Record<ErrorCode, string>> = {
  incorrect_username_or_password: askAgain,
  incorrect_mfa_or_otp: askAgain,
  reauthentication_required: askAgain,
  additional_account_setup_required:
    "Your HR system asks for something first, such as a new password. Please sign in there, and then here again.",
  captcha_challenge:
    "Your HR system asks for a captcha. Please sign in there, and then here again.",
  insufficient_permission:
    "Your account may not see this data. Please ask for the right to it in your HR system.",
  forbidden: "The connection to your HR system was ended. Please connect it again.",
  insufficient_scope:
    "You have not allowed us to read this data. Please connect your HR system again.",
  not_found: "This is not there.",
  not_supported: "Your HR system does not have this data.",
  pending: "Your HR system takes longer than usual. The data will come later.",
  rate_limited: "There are too many requests at the moment. Please try again later.",
  unavailable: later,
  unreachable: later,
  server_error: later,
  temporarily_unavailable: later,
  invalid_grant: "The sign-in took too long. Please start again.",
  access_denied: "The sign-in was cancelled.",
  wrong_state: "This sign-in was begun in another browser. Please start again.",
};

interface Details {
  message: string;
  status?: number | undefined;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
  token?: string | undefined;
  cause?: unknown;
}

/** Every refusal of the service and of a sign-in, by its `code`. `message` is for your log. */
export class RollcallError extends Error {
  readonly code: ErrorCode;
  /** Undefined when there was no reply. */
  readonly status: number | undefined;
  /** Quote it when you ask about the reply. */
  readonly requestId: string | undefined;
  /** When the same call may succeed. */
  readonly retryAfterSeconds: number | undefined;
  /** The id of the token that a code was exchanged for before. */
  readonly token: string | undefined;

  constructor(code: ErrorCode, { message, cause, ...details }: Details) {
    super(message, { cause });
    this.name = "RollcallError";
    this.code = code;
    this.status = details.status;
    this.requestId = details.requestId;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.token = details.token;
  }

  /** A sentence for your end user. */
  get sentence(): string {
    return sentences[this.code] ?? tellUs;
  }

  /** Whether the end user has to sign in again, so that the same access token works on. A missing right ends none. */
  get asksForSignIn(): boolean {
    const isOfSignIn = !["wrong_credentials", "insufficient_permission"].includes(this.code);
    return this.status === 401 && isOfSignIn;
  }
}

interface Refusal {
  message?: string;
  validation_error?: string;
  code?: string;
  token?: string;
}

/** The error of a reply that is no success. */
export function errorOf(reply: Response, body: unknown): RollcallError {
  const { message, validation_error: why, token, ...refusal } = (body ?? {}) as Refusal;
  const said = why ?? message ?? "the reply is not one of a Rollcall service";
  const seconds = Number(reply.headers.get("retry-after") ?? Number.NaN);
  return new RollcallError(codeOf(reply, { ...refusal, ...(why && { validation_error: why }) }), {
    message: `Rollcall answered ${reply.status}: ${said}`,
    status: reply.status,
    requestId: reply.headers.get("x-request-id") ?? undefined,
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined,
    token,
  });
}

/** Only the header tells the credentials of the application from the end user's account. */
function codeOf(reply: Response, { code, validation_error: why }: Refusal): ErrorCode {
  const { status } = reply;
  const challenge = reply.headers.get("www-authenticate");
  if (status === 401 && challenge === null && code) return code as SentAuthErrorCode;
  if (status === 403 && challenge?.includes("insufficient_scope")) return "insufficient_scope";
  if (status === 400) return exchangeWordOf(why) ?? "invalid_request";
  const isOfRequest = status >= 400 && status < 500;
  return codesOfStatus[status] ?? (isOfRequest ? "invalid_request" : "server_error");
}

function exchangeWordOf(why = ""): ExchangeWord | undefined {
  const words: readonly ExchangeWord[] = [
    "invalid_client",
    "invalid_grant",
    "unsupported_grant_type",
  ];
  return words.find((word) => why.startsWith(`${word}:`));
}

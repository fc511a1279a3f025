import { NameNotResolved } from "./query-dns.ts";

/** What errors and log lines may say about a request. Paths, queries, headers and bodies can hold secrets. */
export interface RequestLabel {
  readonly method: string;
  readonly host: string;
}

/** The base of all errors about a target or an answer. None has a `cause`, which could quote secrets. */
export class OutboundError extends Error {
  override get name(): string {
    return this.constructor.name;
  }
}

/** The rules forbid this target. Nothing was sent. */
export class TargetRefused extends OutboundError {
  readonly host: string;

  constructor(host: string, reason: string) {
    super(`${host} is not a permitted target: ${reason}.`);
    this.host = host;
  }
}

/** The URL is none, or not one of the client's: a mistake of whoever made it, which no later try mends. */
export class InvalidTarget extends TargetRefused {}

export class HttpFailure extends OutboundError {
  readonly method: string;
  readonly host: string;

  constructor(request: RequestLabel, what: string) {
    super(`${request.method} ${request.host} ${what}.`);
    this.method = request.method;
    this.host = request.host;
  }
}

/** The whole request, with its retries, took longer than the caller allowed. */
export class HttpTimeout extends HttpFailure {
  constructor(request: RequestLabel) {
    super(request, "took too long");
  }
}

/** `values` and `depth` are of a JSON body; the first three are sizes of a body. */
export type ExceededLimit = "sign-in" | "page" | "reply" | "values" | "depth" | "headers";

/** The answer exceeds a limit. A body counts as sent and decompressed. */
export class HttpTooLarge extends HttpFailure {
  readonly limit: ExceededLimit;

  constructor(request: RequestLabel, limit: ExceededLimit) {
    super(request, `answered with more than the limit for ${limit} allows`);
    this.limit = limit;
  }
}

/** No complete HTTP answer arrived: unknown name, no route, bad certificate, lost socket. */
export class HttpUnreachable extends HttpFailure {
  readonly code: string;
  /** Which part failed: a look-up and a socket can have the same code. */
  readonly failure: OutboundFailure;

  constructor(request: RequestLabel, code: string, failure: OutboundFailure) {
    super(request, `could not be reached (${code})`);
    this.code = code;
    this.failure = failure;
  }
}

/** Why no answer came. */
export type OutboundFailure = "refused_target" | "unresolvable" | "connection_failed" | "tls";

const ofTls =
  /^(?:ERR_TLS|ERR_SSL|CERT_|CRL_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO$)/;

/** Names what went wrong with a request that has no answer, without quoting it. */
export function nameOutboundFailure(error: unknown): OutboundFailure {
  if (error instanceof TargetRefused) return "refused_target";
  if (error instanceof NameNotResolved) return "unresolvable";
  const { code } = error as { code?: unknown };
  return typeof code === "string" && ofTls.test(code) ? "tls" : "connection_failed";
}

/** For a refusal that does not say how long to wait. */
const defaultAfterSeconds = 60;

/** The server asked to be called again later. */
export class HttpRateLimited extends HttpFailure {
  readonly status: number;
  readonly afterSeconds: number;
  /** Whether it said how long to wait. */
  readonly isTold: boolean;

  constructor(request: RequestLabel, status: number, afterSeconds: number | undefined) {
    const seconds = afterSeconds ?? defaultAfterSeconds;
    super(request, `answered ${status}; it may be asked again after ${seconds} s`);
    this.status = status;
    this.afterSeconds = seconds;
    this.isTold = afterSeconds !== undefined;
  }
}

/** The server failed (5xx), or its body is damaged (bad compression, not JSON). */
export class HttpServerError extends HttpFailure {
  readonly status: number;

  constructor(request: RequestLabel, status: number, defect?: string) {
    super(
      request,
      defect === undefined ? `answered ${status}` : `answered ${status} with ${defect}`,
    );
    this.status = status;
  }
}

/** Keeps only the code of a transport error: the rest may quote what was sent or received. */
export function toOutboundError(error: unknown, label: RequestLabel): Error {
  if (error instanceof OutboundError) return error;
  const { code, name } = error as { code?: unknown; name?: unknown };
  if (code === "UND_ERR_HEADERS_OVERFLOW") return new HttpTooLarge(label, "headers");
  if (code === "UND_ERR_INVALID_ARG")
    return new TypeError(`${label.method} ${label.host}: a header or the body is not valid HTTP.`);
  return new HttpUnreachable(label, String(code ?? name), nameOutboundFailure(error));
}

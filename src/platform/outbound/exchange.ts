import { CookieJar } from "tough-cookie";
import type { Dispatcher } from "undici";
import type { Clock } from "../clock.ts";
import type { EncodedRequest } from "./encode-request.ts";
import {
  HttpRateLimited,
  HttpServerError,
  HttpTooLarge,
  HttpUnreachable,
  OutboundError,
  type RequestLabel,
} from "./outbound-error.ts";
import { decodeBody, readBody } from "./read-body.ts";
import { parseRetryAfter } from "./retry-delay.ts";

const defaultMaxBytes = 50 * 1024 * 1024;
/** For a 429 without Retry-After. */
const defaultAfterSeconds = 60;

export interface ProviderResponse {
  status: number;
  /** By lower-case name; repeated ones are joined. Without `set-cookie`, which goes to the cookie jar. */
  headers: Readonly<Record<string, string>>;
  bytes: Uint8Array;
  text(): string;
  json(): unknown;
}

interface Transfer {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The body as sent, still compressed. */
  sent: Buffer;
}

interface ExchangeOptions {
  agent: Dispatcher;
  clock: Clock;
  cookies?: string | undefined;
  maxBytes?: number | undefined;
}

/** Sends requests, and keeps the cookies of each answer for the next request. */
export class HttpExchange {
  readonly #agent: Dispatcher;
  readonly #clock: Clock;
  readonly #maxBytes: number;
  readonly #jar: CookieJar;

  constructor(options: ExchangeOptions) {
    this.#agent = options.agent;
    this.#clock = options.clock;
    this.#maxBytes = options.maxBytes ?? defaultMaxBytes;
    this.#jar = restoreJar(options.cookies);
  }

  exportCookies(): string {
    return JSON.stringify(this.#jar.serializeSync());
  }

  async send(request: EncodedRequest, signal: AbortSignal): Promise<ProviderResponse> {
    const { label } = request;
    const { status, headers, sent } = await this.#transfer(request, signal);
    throwIfFailed(label, status, parseRetryAfter(headers["retry-after"], this.#clock.now()));
    const bytes = await decodeBody(
      sent,
      { status, encoding: headers["content-encoding"] },
      this.#maxBytes,
      label,
    );
    return toResponse(label, status, headers, bytes);
  }

  async #transfer(request: EncodedRequest, signal: AbortSignal): Promise<Transfer> {
    try {
      const answer = await this.#dispatch(request, signal);
      const sent = await readBody(answer.body, this.#maxBytes, request.label);
      return { status: answer.statusCode, headers: joinHeaders(answer.headers), sent };
    } catch (error) {
      throw toOutboundError(error, request.label);
    }
  }

  async #dispatch(request: EncodedRequest, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const { method, url, body } = request;
    const cookie = this.#jar.getCookieStringSync(url.href);
    const headers = cookie === "" ? request.headers : { ...request.headers, cookie };
    const path = url.pathname + url.search;
    // After the socket is open, the signal alone limits the time.
    const limits = { signal, headersTimeout: 0, bodyTimeout: 0 };
    const answer = await this.#agent.request({
      origin: url.origin,
      path,
      method,
      headers,
      body,
      ...limits,
    });
    for (const line of [answer.headers["set-cookie"] ?? []].flat()) {
      this.#jar.setCookieSync(line, url.href, { ignoreError: true });
    }
    return answer;
  }
}

function restoreJar(saved: string | undefined): CookieJar {
  if (saved === undefined) return new CookieJar();
  try {
    return CookieJar.deserializeSync(saved);
  } catch {
    // The parser's own error quotes the cookies.
    throw new TypeError("The saved cookies do not come from an earlier export.");
  }
}

function throwIfFailed(
  label: RequestLabel,
  status: number,
  afterSeconds: number | undefined,
): void {
  if (status === 429) throw new HttpRateLimited(label, status, afterSeconds ?? defaultAfterSeconds);
  if (status === 503 && afterSeconds !== undefined)
    throw new HttpRateLimited(label, status, afterSeconds);
  if (status >= 500) throw new HttpServerError(label, status);
}

function toResponse(
  label: RequestLabel,
  status: number,
  headers: Readonly<Record<string, string>>,
  bytes: Uint8Array,
): ProviderResponse {
  const text = (): string => new TextDecoder().decode(bytes);
  const json = (): unknown => {
    try {
      return JSON.parse(text());
    } catch {
      // The parser's own error quotes the body.
      throw new HttpServerError(label, status, "a body that is not JSON");
    }
  };
  return { status, headers, bytes, text, json };
}

function joinHeaders(headers: Dispatcher.ResponseData["headers"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name !== "set-cookie")
      .map(([name, value]) => [name, [value ?? []].flat().join(", ")]),
  );
}

/** Keeps only the code of a transport error: the rest may quote what was sent or received. */
function toOutboundError(error: unknown, label: RequestLabel): Error {
  if (error instanceof OutboundError) return error;
  const { code, name } = error as { code?: unknown; name?: unknown };
  if (code === "UND_ERR_RES_EXCEEDED_MAX_SIZE" || code === "UND_ERR_HEADERS_OVERFLOW")
    return new HttpTooLarge(label);
  if (code === "UND_ERR_INVALID_ARG")
    return new TypeError(`${label.method} ${label.host}: a header or the body is not valid HTTP.`);
  return new HttpUnreachable(label, String(code ?? name));
}

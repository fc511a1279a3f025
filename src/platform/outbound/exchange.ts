import type { Dispatcher } from "undici";
import type { Clock } from "../clock.ts";
import type { EncodedRequest } from "./encode-request.ts";
import {
  chooseBodyLimit,
  defaultAnswerLimits,
  mostCookieCharacters,
  mostDepth,
  mostInformational,
  mostRaisedBytes,
  mostValues,
  type AnswerLimits,
  type AnswerPurpose,
  readBody,
} from "./read-body.ts";
import {
  HttpRateLimited,
  HttpServerError,
  HttpTooLarge,
  toOutboundError,
  type RequestLabel,
  HttpFailure,
} from "./outbound-error.ts";
import { ProviderCookies } from "./provider-cookies.ts";
import { parseRetryAfter } from "./retry-delay.ts";
import { findExceededLimit } from "./scan-json.ts";
import { watchDispatch } from "./watch-dispatch.ts";

export interface ProviderResponse {
  status: number;
  /** By lower-case name; repeated ones are joined. Without `set-cookie`, which goes to the cookie jar. */
  headers: Readonly<Record<string, string>>;
  /** Decompressed. */
  bytes: Uint8Array;
  text(): string;
  /** Throws HttpTooLarge, without parsing, for too many values or too deep a body. */
  json(): unknown;
}

interface AnswerHead {
  status: number;
  headers: ProviderResponse["headers"];
  now: Date;
}

/** What became of one request: the status of its answer, or the name of the failure. */
export interface ExchangeEnd {
  status?: number | undefined;
  failure?: string | undefined;
}

/** Called when a request is sent. What it returns is called once, when the request has ended. */
export type OnExchange = (label: RequestLabel) => (end: ExchangeEnd) => void;

export interface ExchangeOptions {
  /** From `createGuardedAgent`: that of `GuardedWays` for the client, or one of its own for a sign-in. */
  agent: Dispatcher;
  /** Decides what cookies have expired. */
  clock: Clock;
  /** From an earlier `exportCookies`. */
  cookies?: string | undefined;
  /** What the answers are for, which decides how large they may be. Without it, `reply`. */
  purpose?: AnswerPurpose | undefined;
  limits?: AnswerLimits | undefined;
  /** Gets the decoded body of every answer that is returned, once. */
  onBytes?: ((bytes: Uint8Array) => void) | undefined;
  /** How long an answer asks to wait, for a server that has its own way to say it. */
  waitSeconds?: ((answer: AnswerHead) => number | undefined) | undefined;
  /** Called when an answer that is no refusal asks to wait. */
  onWait?: ((seconds: number) => Promise<void>) | undefined;
  /** Gets the value of every cookie that an answer sets. */
  onCookie?: ((value: string) => void) | undefined;
  /** Raises the limit of `replyBytes`. */
  maxBytes?: number | undefined;
  /** Called for every request that is written to a socket, retries included. */
  onRequest?: (() => void) | undefined;
  /** Told of every request, retries apart. */
  onExchange?: OnExchange | undefined;
}

/** Sends requests, and keeps the cookies of each answer for the next request. */
export class HttpExchange {
  readonly #options: ExchangeOptions;
  readonly #cookies: ProviderCookies;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.#cookies = new ProviderCookies(options.clock, options.cookies);
  }

  exportCookies(): string {
    return this.#cookies.export();
  }

  async send(request: EncodedRequest, signal: AbortSignal): Promise<ProviderResponse> {
    const onEnd = this.#options.onExchange?.(request.label);
    try {
      const answer = await this.#send(request, signal);
      onEnd?.({ status: answer.status });
      return answer;
    } catch (error) {
      onEnd?.(describeEnd(error));
      throw error;
    }
  }

  async #send(request: EncodedRequest, signal: AbortSignal): Promise<ProviderResponse> {
    const { label } = request;
    const {
      clock,
      purpose = "reply",
      limits = defaultAnswerLimits,
      maxBytes,
      onBytes,
    } = this.#options;
    const { statusCode: status, headers: received, body } = await this.#dispatch(request, signal);
    const headers = joinHeaders(received);
    const now = clock.now();
    const told = this.#options.waitSeconds?.({ status, headers, now });
    const afterSeconds = told ?? parseRetryAfter(headers["retry-after"], now);
    if (told && status < 400) await this.#options.onWait?.(told);
    const failure = findFailure(label, status, afterSeconds);
    if (failure) {
      // Its body is of no use. It is read so that the socket can be used again.
      await body.dump({ limit: limits.pageBytes, signal }).catch(() => undefined);
      throw failure;
    }
    const bytes = await readBody(
      body,
      { label, status, encoding: headers["content-encoding"] },
      chooseBodyLimit(raised(limits, maxBytes), purpose, headers["content-type"]),
    );
    onBytes?.(bytes);
    return toResponse(label, status, headers, bytes);
  }

  async #dispatch(request: EncodedRequest, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const { label, method, url, body } = request;
    const cookie = this.#cookies.headerFor(url);
    const headers = cookie === "" ? request.headers : { ...request.headers, cookie };
    const path = url.pathname + url.search;
    // After the socket is open, the signal alone limits the time.
    const options = { signal, headersTimeout: 0, bodyTimeout: 0 };
    try {
      const answer = await this.#watchedAgent(label).request({
        origin: url.origin,
        path,
        method,
        headers,
        body,
        ...options,
      });
      const lines = [answer.headers["set-cookie"] ?? []].flat();
      this.#keepCookies(lines, url);
      if (lines.length === 0 || this.exportCookies().length <= mostCookieCharacters) return answer;
      answer.body.on("error", () => undefined).destroy();
      throw new HttpTooLarge(label, "headers");
    } catch (error) {
      throw toOutboundError(error, label);
    }
  }

  #keepCookies(lines: readonly string[], url: URL): void {
    for (const line of lines) {
      const value = this.#cookies.keep(line, url);
      if (value !== undefined) this.#options.onCookie?.(value);
    }
  }

  #watchedAgent(label: RequestLabel): Dispatcher {
    const { agent, onRequest } = this.#options;
    let informational = 0;
    const onInformational = (): Error | undefined => {
      informational += 1;
      return informational > mostInformational ? new HttpTooLarge(label, "headers") : undefined;
    };
    return agent.compose(watchDispatch(() => ({ onSent: onRequest, onInformational })));
  }
}

function raised(limits: AnswerLimits, maxBytes: number | undefined): AnswerLimits {
  const replyBytes = Math.max(limits.replyBytes, Math.min(maxBytes ?? 0, mostRaisedBytes));
  return { ...limits, replyBytes };
}

function findFailure(
  label: RequestLabel,
  status: number,
  afterSeconds: number | undefined,
): Error | null {
  if (status === 429) return new HttpRateLimited(label, status, afterSeconds);
  if (status === 503 && afterSeconds !== undefined)
    return new HttpRateLimited(label, status, afterSeconds);
  return status >= 500 ? new HttpServerError(label, status) : null;
}

function toResponse(
  label: RequestLabel,
  status: number,
  headers: Readonly<Record<string, string>>,
  bytes: Uint8Array,
): ProviderResponse {
  const text = (): string => new TextDecoder().decode(bytes);
  const json = (): unknown => {
    const exceeded = findExceededLimit(bytes, mostValues, mostDepth);
    if (exceeded) throw new HttpTooLarge(label, exceeded);
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

function describeEnd(error: unknown): ExchangeEnd {
  if (!(error instanceof HttpFailure)) return { failure: "Error" };
  const status = "status" in error && typeof error.status === "number" ? error.status : undefined;
  return { status, failure: error.name };
}

import type { Random } from "../random.ts";
import {
  encodeRequest,
  parseTarget,
  type EncodedRequest,
  type ProviderRequest,
} from "./encode-request.ts";
import { HttpExchange, type ExchangeOptions, type ProviderResponse } from "./exchange.ts";
import {
  HttpRateLimited,
  HttpTimeout,
  HttpTooLarge,
  OutboundError,
  type RequestLabel,
} from "./outbound-error.ts";
import { retry } from "../retry.ts";
import { retryDelayMs } from "./retry-delay.ts";
import { isTimeout, withTimeout } from "../with-timeout.ts";

const mostRetries = 2;
const defaultTimeoutMs = 60_000;

export interface ProviderHttpOptions extends ExchangeOptions {
  random: Random;
  /** The only origins that requests may go to. Of a longer URL, the origin counts. */
  origins: readonly string[];
  /** Ends every request of this client with the signal's own reason. */
  signal?: AbortSignal | undefined;
  log?: OutboundLog | undefined;
  timeoutMs?: number | undefined;
  /** Admits each request before it is sent. Then the time limit is of one request, without its wait. */
  admission?: RequestAdmission | undefined;
}

export interface RequestAdmission {
  /** Resolves when a request may be sent; `end` is called when it has ended. */
  admit(signal: AbortSignal | undefined): Promise<{ end(): void }>;
  /** The server refused one and asked to wait. It did not say how long: undefined. */
  onRefused(seconds: number | undefined): Promise<void>;
}

interface OutboundLog {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface ProviderHttp {
  /** Returns complete answers with a status up to 499, except 429. Throws for everything else. */
  request(request: ProviderRequest): Promise<ProviderResponse>;
  /** All cookies as one string. It holds secrets. */
  exportCookies(): string;
}

export function createProviderHttp(options: ProviderHttpOptions): ProviderHttp {
  const origins = new Set(options.origins.map((origin) => parseTarget(origin).origin));
  const exchange = new HttpExchange(options);
  return {
    exportCookies: () => exchange.exportCookies(),
    request: async (request) => {
      const encoded = encodeRequest(request, origins);
      const timeoutMs = request.timeoutMs ?? options.timeoutMs ?? defaultTimeoutMs;
      const timedOut = (): Error => new HttpTimeout(encoded.label);
      const { admission, signal } = options;
      const withinTime = async (
        work: (signal: AbortSignal) => Promise<ProviderResponse>,
      ): Promise<ProviderResponse> => await withTimeout(timeoutMs, work, { signal, timedOut });
      const send = (limited: AbortSignal) => exchange.send(encoded, limited);
      return await logged(options, encoded.label, () =>
        admission
          ? sendWithRetries(encoded, options, () =>
              sendWhenAdmitted(admission, signal, () => withinTime(send)),
            )
          : withinTime((limited) =>
              sendWithRetries(encoded, { ...options, signal: limited }, () => send(limited)),
            ),
      );
    },
  };
}

/**
 * A request that is not idempotent is sent only once, whatever happens: no password is sent twice. After a refusal
 * the next admission waits.
 */
async function sendWithRetries(
  { isIdempotent }: EncodedRequest,
  { admission, clock, random, signal }: ProviderHttpOptions,
  send: () => Promise<ProviderResponse>,
): Promise<ProviderResponse> {
  const maxRetries = isIdempotent ? mostRetries : 0;
  const findPause = (error: unknown, tries: number): number | undefined => {
    if (tries > maxRetries) return undefined;
    return admission && error instanceof HttpRateLimited
      ? 0
      : retryDelayMs(error, tries - 1, random);
  };
  return await retry(send, { findPause, clock, signal });
}

async function sendWhenAdmitted(
  admission: RequestAdmission,
  signal: AbortSignal | undefined,
  send: () => Promise<ProviderResponse>,
): Promise<ProviderResponse> {
  const admitted = await admission.admit(signal);
  try {
    return await send();
  } catch (error) {
    if (error instanceof HttpRateLimited)
      await admission.onRefused(error.isTold ? error.afterSeconds : undefined);
    throw error;
  } finally {
    admitted.end();
  }
}

/** A request that its caller has ended is no complaint; one that took too long is. */
async function logged(
  { log, clock, signal }: ProviderHttpOptions,
  label: RequestLabel,
  work: () => Promise<ProviderResponse>,
): Promise<ProviderResponse> {
  const startedAt = clock.now().getTime();
  const durationMs = (): number => clock.now().getTime() - startedAt;
  const warn = (error: unknown): void => {
    const status = error instanceof OutboundError && "status" in error ? error.status : undefined;
    const limit = error instanceof HttpTooLarge ? { limit: error.limit } : {};
    const isEnded = signal?.aborted === true && !isTimeout(signal.reason);
    log?.[isEnded ? "debug" : "warn"](
      { ...label, status, ...limit, durationMs: durationMs() },
      isEnded ? "outbound request ended with its caller" : "outbound request failed",
    );
  };
  try {
    const response = await work();
    log?.debug(
      { ...label, status: response.status, durationMs: durationMs(), bytes: response.bytes.length },
      "outbound request",
    );
    return { ...response, json: () => loggedJson(response, warn) };
  } catch (error) {
    warn(error);
    throw error;
  }
}

/** A limit that only parsing exceeds is told in the log like the others. */
function loggedJson(response: ProviderResponse, warn: (error: unknown) => void): unknown {
  try {
    return response.json();
  } catch (error) {
    if (error instanceof HttpTooLarge) warn(error);
    throw error;
  }
}

import type { Dispatcher } from "undici";
import type { Clock } from "../clock.ts";
import type { Random } from "../random.ts";
import {
  encodeRequest,
  parseTarget,
  type EncodedRequest,
  type ProviderRequest,
} from "./encode-request.ts";
import { Exchange, type ProviderResponse } from "./exchange.ts";
import { HttpTimeout, OutboundError, type RequestLabel } from "./outbound-error.ts";
import { retryDelayMs } from "./retry-delay.ts";
import { withTimeout } from "../with-timeout.ts";

const mostRetries = 2;
const defaultTimeoutMs = 60_000;

export interface ProviderHttpOptions {
  /** One of `createGuardedAgent`, shared by all clients of the process. */
  agent: Dispatcher;
  clock: Clock;
  random: Random;
  /** The only origins that may be asked; of a longer URL its origin counts. */
  origins: readonly string[];
  /** What `exportCookies` gave earlier. */
  cookies?: string | undefined;
  /** Ends every request of this client with the signal's own reason. */
  signal?: AbortSignal | undefined;
  log?: OutboundLog | undefined;
  timeoutMs?: number | undefined;
  maxBytes?: number | undefined;
}

interface OutboundLog {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface ProviderHttp {
  /** Gives every complete answer up to 499 except 429; all else is thrown. */
  request(request: ProviderRequest): Promise<ProviderResponse>;
  /** The jar as one string, which holds secrets. */
  exportCookies(): string;
}

export function createProviderHttp(options: ProviderHttpOptions): ProviderHttp {
  const origins = new Set(options.origins.map((origin) => parseTarget(origin).origin));
  const exchange = new Exchange(options);
  return {
    exportCookies: () => exchange.exportCookies(),
    request: async (request) => {
      const encoded = encodeRequest(request, origins);
      const timeoutMs = request.timeoutMs ?? options.timeoutMs ?? defaultTimeoutMs;
      const timedOut = (): Error => new HttpTimeout(encoded.label);
      return await logged(options, encoded.label, () =>
        withTimeout(timeoutMs, (signal) => requestWithRetries(exchange, encoded, options, signal), {
          signal: options.signal,
          timedOut,
        }),
      );
    },
  };
}

/** A request that is not idempotent is sent once, whatever happens: a password is never tried twice. */
async function requestWithRetries(
  exchange: Exchange,
  request: EncodedRequest,
  { clock, random }: Pick<ProviderHttpOptions, "clock" | "random">,
  signal: AbortSignal,
): Promise<ProviderResponse> {
  const maxRetries = request.isIdempotent ? mostRetries : 0;
  for (let retriesDone = 0; ; retriesDone += 1) {
    try {
      return await exchange.send(request, signal);
    } catch (error) {
      const delayMs =
        retriesDone < maxRetries ? retryDelayMs(error, retriesDone, random) : undefined;
      if (delayMs === undefined) throw error;
      await clock.sleep(delayMs, signal);
      signal.throwIfAborted();
    }
  }
}

async function logged(
  { log, clock }: ProviderHttpOptions,
  label: RequestLabel,
  work: () => Promise<ProviderResponse>,
): Promise<ProviderResponse> {
  const startedAt = clock.now().getTime();
  const durationMs = (): number => clock.now().getTime() - startedAt;
  try {
    const response = await work();
    log?.debug(
      { ...label, status: response.status, durationMs: durationMs(), bytes: response.bytes.length },
      "outbound request",
    );
    return response;
  } catch (error) {
    const status = error instanceof OutboundError && "status" in error ? error.status : undefined;
    log?.warn({ ...label, status, durationMs: durationMs() }, "outbound request failed");
    throw error;
  }
}

import type { ExchangeEnd } from "../../platform/outbound/index.ts";
import type { Span } from "../../platform/tracing/index.ts";

/** A request of an adapter, as its process tells it. */
export interface VendorRequest extends ExchangeEnd {
  method: string;
  host: string;
  startedMs: number;
  endedMs: number;
}

/** Further requests of a call have no span of their own. */
const mostTold = 1_000;
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]);
const failures = new Set([
  "HttpRateLimited",
  "HttpServerError",
  "HttpTimeout",
  "HttpTooLarge",
  "HttpUnreachable",
]);

/**
 * The requests of one call as spans. Code of a package runs where they are told, so nothing of them is taken over but
 * times and what is one of a few known values. The name of a customer's own server is left out.
 */
export class VendorRequests {
  readonly #span: Span;
  readonly #provider: string;
  readonly #isHostTold: boolean;
  #told = 0;

  constructor(span: Span, { provider, isHostTold }: { provider: string; isHostTold: boolean }) {
    this.#span = span;
    this.#provider = provider;
    this.#isHostTold = isHostTold;
  }

  tell({ method, host, status, failure, startedMs, endedMs }: VendorRequest): void {
    this.#told += 1;
    if (this.#told > mostTold) return;
    const name = methods.has(method) ? method : "_OTHER";
    const attributes = {
      "http.request.method": name,
      "http.response.status_code": isStatus(status) ? status : undefined,
      "server.address": this.#isHostTold ? host : undefined,
      "rollcall.provider": this.#provider,
    };
    const request = this.#span.begin({ name, kind: "client", attributes }, startedMs);
    if (failure !== undefined) request.fail(failures.has(failure) ? failure : "Error");
    request.end(endedMs);
  }
}

function isStatus(status: unknown): status is number {
  return Number.isInteger(status) && Number(status) >= 100 && Number(status) <= 599;
}

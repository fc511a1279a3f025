import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Config } from "../config/index.ts";
import {
  createLimitedServer,
  createRequestIds,
  securityHeaders,
  type HttpApp,
} from "../platform/http/index.ts";
import { closeServer } from "../platform/listen.ts";
import type { StartSteps } from "./start-steps.ts";

/** Most starts are complete by then. */
const longestHoldMs = 3_000;
const retrySeconds = 2;

/**
 * The server of the API while the process starts. It says how far the start is; other requests wait for its end, but
 * not for long. The app has it for itself when the start is complete.
 */
export class StartServer {
  readonly server: Server;
  readonly #steps: StartSteps;
  readonly #headers: Map<string, string>;
  readonly #makeId = createRequestIds();
  #app: HttpApp | undefined;

  constructor({ publicUrl }: Config, steps: StartSteps) {
    this.#steps = steps;
    const isSecure = publicUrl.startsWith("https:");
    this.#headers = new Map(Object.entries(securityHeaders({ isSecure })));
    this.server = createLimitedServer((request, response) => {
      if (this.#app && steps.isReady) this.#app.routing(request, response);
      else void this.#answer(request, response);
    });
  }

  /** Closing the app closes the server from now on. */
  async handTo(app: HttpApp): Promise<void> {
    await app.ready();
    this.#app = app;
  }

  /** Where no app has it. */
  async close(): Promise<void> {
    if (this.#app === undefined) await closeServer(this.server);
  }

  /** Never rejects. */
  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // The app does not know the socket.
    response.shouldKeepAlive = false;
    const path = request.url?.split("?", 1)[0];
    if (path === "/healthz" || path === "/readyz") {
      if (this.#app) this.#app.routing(request, response);
      else if (path === "/healthz") this.#send(response, 200, { status: "ok" });
      else this.#send(response, 503, { status: "unavailable", message: this.#steps.describe() });
      return;
    }
    if ((await this.#steps.untilReady(longestHoldMs)) && this.#app)
      this.#app.routing(request, response);
    else
      this.#send(response, 503, {
        message: "The service starts. Please repeat the request later.",
      });
  }

  #send(response: ServerResponse, status: number, body: object): void {
    response.setHeaders(this.#headers).setHeader("x-request-id", this.#makeId());
    if (status === 503) response.setHeader("retry-after", String(retrySeconds));
    response
      .writeHead(status, { "content-type": "application/json; charset=utf-8" })
      .end(JSON.stringify(body));
  }
}

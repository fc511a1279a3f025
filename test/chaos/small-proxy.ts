import { once } from "node:events";
import {
  Agent,
  createServer,
  request as forward,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { formatMs } from "./latency.ts";

/** The status of a reply that the proxy makes, because no process gave one. The service has none such. */
export const proxyStatus = 599;

const nobodyListens = new Set(["ECONNREFUSED"]);
const attempts = 100;
const pauseMs = 50;

interface Passed {
  request: IncomingMessage;
  response: ServerResponse;
  body: Buffer;
  /** The caller has left. */
  gone: AbortSignal;
}

/**
 * A proxy of HTTP in front of the processes of the API, in turn, with keep-alive on both sides. Where nobody listens
 * it asks the next one. It sends no request a second time: a socket that breaks is seen by the caller.
 */
export class SmallProxy {
  /** What broke, on what socket and how long after the request began. */
  readonly broken: string[] = [];
  readonly #server: Server;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 256 });
  readonly #targets: readonly number[];
  #turn = 0;

  private constructor(targets: readonly number[]) {
    this.#targets = targets;
    this.#server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
      void this.#pass(request, response);
    });
  }

  static async start(port: number, targets: readonly number[]): Promise<SmallProxy> {
    const proxy = new SmallProxy(targets);
    proxy.#server.listen(port, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    this.#agent.destroy();
    await once(this.#server, "close");
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    try {
      for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    } catch {
      return;
    }
    const body = Buffer.concat(parts);
    const gone = new AbortController();
    response.once("close", () => {
      if (!response.writableFinished) gone.abort();
    });
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const target = this.#targets[(this.#turn += 1) % this.#targets.length] ?? 0;
      if (await this.#ask(target, { request, response, body, gone: gone.signal })) return;
      if (attempt % this.#targets.length === 1) await delay(pauseMs);
    }
    this.#refuse(response, "no process listens");
  }

  /** False when nobody listens there. */
  #ask(port: number, { request, response, body, gone }: Passed): Promise<boolean> {
    const { method, url, headers } = request;
    const startedAt = performance.now();
    return new Promise((resolve) => {
      const asked = forward(
        { host: "127.0.0.1", port, method, path: url, headers, agent: this.#agent, signal: gone },
        (answer) => {
          const { statusCode = proxyStatus, rawHeaders } = answer;
          response.writeHead(statusCode, withoutHop(rawHeaders));
          answer.pipe(response);
          answer.once("error", () => {
            this.#note(`${method} ${url?.split("?")[0]}: cut off`);
            response.destroy();
          });
          answer.once("close", () => resolve(true));
        },
      );
      asked.once("error", (error: NodeJS.ErrnoException) => {
        if (gone.aborted) return resolve(true);
        if (nobodyListens.has(error.code ?? "")) return resolve(false);
        this.#note(
          `${method} ${url?.split("?")[0]}: ${error.code ?? error.message} on a ${asked.reusedSocket ? "used" : "new"} socket after ${formatMs(performance.now() - startedAt)}`,
        );
        if (!response.headersSent) this.#refuse(response, String(error.code));
        resolve(true);
      });
      asked.end(body);
    });
  }

  #note(what: string): void {
    this.broken.push(what);
  }

  #refuse(response: ServerResponse, why: string): void {
    response.writeHead(proxyStatus, { "content-type": "application/json" });
    response.end(JSON.stringify({ message: `the proxy: ${why}` }));
  }
}

/** The caller's socket stays open when the process ends its own. */
function withoutHop(rawHeaders: readonly string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = "", value = ""] = rawHeaders.slice(index, index + 2);
    if (!["connection", "keep-alive", "transfer-encoding"].includes(name.toLowerCase()))
      kept.push(name, value);
  }
  return kept;
}

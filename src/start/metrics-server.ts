import { createServer, type Server, type ServerResponse } from "node:http";
import type { Config } from "../config/index.ts";
import { findDatabaseProblem } from "./health.ts";
import { securityHeaders } from "../platform/http/index.ts";
import { closeServer, listen, portOf } from "../platform/listen.ts";
import type { Log } from "../platform/log.ts";
import { readProgramRevision, readProgramVersion } from "../platform/program-version.ts";
import type { Services } from "./services.ts";
import type { StartSteps } from "./start-steps.ts";

type Scraped = Pick<Services, "clock" | "metrics" | "pool">;

/**
 * `/metrics`, `/healthz` and `/readyz` on a port of their own, which is not for clients. A process is ready when its
 * start is complete, the database takes writes and no schedule of its worker is late. It answers during the start as
 * well; what is counted is there when the services are.
 */
export class MetricsServer {
  readonly #server: Server;
  readonly #log: Log;
  readonly #steps: StartSteps;
  readonly #listLateSchedules: () => readonly string[];
  #services: Scraped | undefined;

  constructor(
    { publicUrl }: Config,
    tools: { log: Log; steps: StartSteps; listLateSchedules: () => readonly string[] },
  ) {
    this.#log = tools.log;
    this.#steps = tools.steps;
    this.#listLateSchedules = tools.listLateSchedules;
    const isSecure = publicUrl.startsWith("https:");
    const headers = new Map(Object.entries(securityHeaders({ isSecure })));
    this.#server = createServer(({ url }, response) => {
      response.setHeaders(headers);
      this.#answer(url, response).catch((error: unknown) => {
        const message = "a request to the metrics port failed; its socket is closed";
        this.#log.error({ err: error }, message);
        response.destroy();
      });
    });
  }

  async listen(address: { host: string; port: number }): Promise<void> {
    await listen(this.#server, address);
  }

  /** From now on these are counted. */
  observe(services: Scraped): void {
    const { clock, metrics, pool } = services;
    metrics.collectDefaults();
    metrics.describeBuild({
      version: readProgramVersion(),
      revision: readProgramRevision(),
      node: process.versions.node,
    });
    metrics.observePool(() => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }));
    metrics.observe(
      "rollcall_clock_offset_seconds",
      "How far the clock of this process is ahead of the database's; negative when it is behind.",
      this.#log,
      async () => clock.aheadSeconds,
    );
    this.#services = services;
    this.#log.info({ port: portOf(this.#server) }, "metrics are served");
  }

  async close(): Promise<void> {
    await closeServer(this.#server);
  }

  async #answer(url: string | undefined, response: ServerResponse): Promise<void> {
    if (url === "/metrics" && this.#services) {
      const { registry } = this.#services.metrics;
      const text = await registry.metrics();
      response.setHeader("content-type", registry.contentType).end(text);
    } else if (url === "/healthz") {
      sendJson(response, 200, { status: "ok" });
    } else if (url === "/readyz" || url === "/metrics") {
      const message = await this.#findProblem();
      if (message === undefined) sendJson(response, 200, { status: "ok" });
      else sendJson(response, 503, { status: "unavailable", message });
    } else {
      response.writeHead(404).end();
    }
  }

  async #findProblem(): Promise<string | undefined> {
    const late = this.#listLateSchedules();
    if (late.length > 0) return `These schedules are late: ${late.join(", ")}.`;
    const message = this.#steps.describe();
    if (message !== undefined || !this.#services) return message;
    return await findDatabaseProblem(this.#services, this.#log);
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

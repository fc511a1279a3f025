import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { findDatabaseProblem } from "./health.ts";
import { securityHeaders } from "./platform/http/index.ts";
import type { Services } from "./services.ts";
import type { StartSteps } from "./start-steps.ts";

/**
 * `/metrics`, `/healthz` and `/readyz` on a port of their own, which is not for clients. A process is ready when its
 * start is complete, the database takes writes and no schedule of its worker is late.
 */
export async function startMetricsServer(
  services: Services,
  port: number,
  {
    steps,
    listLateSchedules,
  }: { steps: Pick<StartSteps, "describe">; listLateSchedules: () => readonly string[] },
): Promise<() => Promise<void>> {
  const { config, clock, metrics, log, pool } = services;
  metrics.collectDefaults();
  metrics.observePool(() => ({
    open: pool.totalCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  }));
  metrics.observeClock(() => clock.aheadSeconds);
  const headers = new Map(
    Object.entries(securityHeaders({ isSecure: config.publicUrl.startsWith("https:") })),
  );
  const server = createServer((request, response) => {
    response.setHeaders(headers);
    answer(request, response).catch((error: unknown) => {
      log.error({ err: error }, "a request to the metrics port failed; its socket is closed");
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) =>
    server.once("error", reject).listen(port, config.metricsHost, resolve),
  );
  log.info({ port: (server.address() as AddressInfo).port }, "metrics are served");
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });

  async function answer({ url }: IncomingMessage, response: ServerResponse): Promise<void> {
    if (url === "/metrics") {
      const text = await metrics.registry.metrics();
      response.setHeader("content-type", metrics.registry.contentType).end(text);
    } else if (url === "/healthz") {
      sendJson(response, 200, { status: "ok" });
    } else if (url === "/readyz") {
      const message = await findProblem();
      if (message === undefined) sendJson(response, 200, { status: "ok" });
      else sendJson(response, 503, { status: "unavailable", message });
    } else {
      response.writeHead(404).end();
    }
  }

  async function findProblem(): Promise<string | undefined> {
    const late = listLateSchedules();
    if (late.length > 0) return `These schedules are late: ${late.join(", ")}.`;
    return steps.describe() ?? (await findDatabaseProblem(services, log));
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { securityHeaders } from "./platform/http/index.ts";
import type { Services } from "./services.ts";

/** `/metrics` and `/healthz` on a port of their own, which is not for clients. */
export async function startMetricsServer(
  { config, metrics, log }: Services,
  port: number,
): Promise<() => Promise<void>> {
  metrics.collectDefaults();
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
      response.setHeader("content-type", "application/json").end('{"status":"ok"}');
    } else {
      response.writeHead(404).end();
    }
  }
}

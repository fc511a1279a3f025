import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Services } from "./services.ts";

/** `/metrics` and `/healthz` on a port of their own, which is not for clients. */
export async function startMetricsServer({ config, metrics, log }: Services, port: number): Promise<() => Promise<void>> {
  metrics.collectDefaults();
  const server = createServer(async (request, response) => {
    if (request.url === "/metrics") {
      response.setHeader("content-type", metrics.registry.contentType).end(await metrics.registry.metrics());
    } else if (request.url === "/healthz") {
      response.setHeader("content-type", "application/json").end('{"status":"ok"}');
    } else {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, config.host, resolve));
  log.info({ port: (server.address() as AddressInfo).port }, "metrics are served");
  return () => new Promise((resolve) => server.close(() => resolve()));
}

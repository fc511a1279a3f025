// oidc-provider in a process of its own. Its parent sends its settings, and gets its port.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createOidcService, type OidcSettings } from "./oidc-service.ts";

process.once("message", (settings: OidcSettings) => serve(settings));
process.once("disconnect", () => process.exit());

function serve(settings: OidcSettings): void {
  const { provider } = createOidcService(settings);
  const answer = provider.callback();
  const server = createServer((request, response) => void answer(request, response));
  // As long as Fastify keeps a socket open for the next request.
  server.keepAliveTimeout = 72_000;
  server.listen(0, "127.0.0.1", () => {
    process.send?.((server.address() as AddressInfo).port);
  });
}

import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import type { OpenRequests } from "./open-requests.ts";

/**
 * Time for requests that are on their way when the close begins. A proxy keeps sockets that it has used, and takes
 * one of them for the next request without asking.
 */
const silentGraceMs = { direct: 1_000, proxied: 5_000 };
/** Time for requests that are being read or answered. */
const drainLimitMs = 8_000;

/**
 * When the app closes, open requests get their answers and each socket ends after its answer. Node alone
 * would wait for every socket without a limit, even for silent ones, and would end idle ones at once: a
 * request that a proxy sends at that moment would be lost.
 */
export function drainOnClose(
  app: FastifyInstance,
  { openRequests, isProxied }: { openRequests: OpenRequests; isProxied: boolean },
): void {
  const server = app.server;
  const sockets = new Set<Socket>();
  let isClosing = false;
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  /** Not in the timer's own turn: what has arrived meanwhile is read after it. */
  const endSilent = (): void => {
    for (const socket of sockets) if (!openRequests.isAwaited(socket)) socket.destroy();
  };
  app.addHook("onSend", (_request, reply, _payload, done) => {
    if (isClosing) reply.header("connection", "close");
    done();
  });
  app.addHook("preClose", async () => {
    isClosing = true;
    server.closeIdleConnections = () => undefined;
    const graceMs = isProxied ? silentGraceMs.proxied : silentGraceMs.direct;
    setTimeout(() => setImmediate(endSilent), graceMs).unref();
    setTimeout(() => server.closeAllConnections(), drainLimitMs).unref();
  });
}

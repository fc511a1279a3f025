import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import type { OpenRequests } from "./open-requests.ts";

/** For requests that are on their way while the close begins. */
const silentGraceMs = 1_000;
/** For requests that are still being read or answered. */
const drainLimitMs = 8_000;

/**
 * When the app closes, what is being answered is answered, and the connection ends with it. Node waits for every connection
 * without a bound once it closes, also for those on which nobody says anything.
 */
export function drainOnClose(app: FastifyInstance, openRequests: OpenRequests): void {
  const server = app.server;
  const sockets = new Set<Socket>();
  let isClosing = false;
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  app.addHook("onSend", async (_request, reply) => {
    if (isClosing) reply.header("connection", "close");
  });
  app.addHook("preClose", async () => {
    isClosing = true;
    setTimeout(() => {
      for (const socket of sockets) if (!openRequests.isAwaited(socket)) socket.destroy();
    }, silentGraceMs).unref();
    setTimeout(() => server.closeAllConnections(), drainLimitMs).unref();
  });
}

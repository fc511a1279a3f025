import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** The limit for a caller that takes no bytes. Node gives a socket with queued bytes this time once more. */
const idleWhileSendingMs = 6_000;

/**
 * Node reads on while requests wait for Postgres or Redis, so that a few megabytes of short requests would take all memory
 * before the first of them is counted. When so many wait in the process, no socket may have more than a few of them.
 */
const mostWaiting = { inAll: 4_000, ofSocket: 16 };

/** Knows the open requests of each socket. Closes that of a caller that does not take its answers, or asks on and on. */
export class OpenRequests {
  readonly #waiting = new WeakMap<Socket, Set<IncomingMessage>>();
  readonly #sending = new WeakMap<Socket, Set<IncomingMessage>>();
  readonly #whenAnswered = new WeakMap<Socket, () => void>();
  #waitingInAll = 0;

  watch(app: FastifyInstance): void {
    app.addHook("onRequest", ({ raw }, reply, done) => {
      const waiting = this.#waitingOf(raw.socket);
      const isTooMuch =
        this.#waitingInAll >= mostWaiting.inAll && waiting.size >= mostWaiting.ofSocket;
      if (isTooMuch || raw.socket.destroyed) {
        reply.hijack();
        raw.socket.destroy();
        return;
      }
      waiting.add(raw);
      this.#waitingInAll += 1;
      done();
    });
    app.addHook("onSend", ({ raw }, _reply, _payload, done) => {
      requestsOf(this.#sending, raw.socket).add(raw);
      raw.socket.setTimeout(idleWhileSendingMs);
      done();
    });
    app.addHook("onResponse", ({ raw }, _reply, done) => {
      this.#answered(raw);
      done();
    });
  }

  /** True when a request has begun on this socket and has no answer yet. */
  isAwaited(socket: Socket): boolean {
    return (this.#waiting.get(socket)?.size ?? 0) > 0;
  }

  /** Runs the action after the answers to the requests that arrived complete; at once if there are none. */
  afterAnswers(socket: Socket, action: () => void): void {
    const isWaiting = [...(this.#waiting.get(socket) ?? [])].some(({ complete }) => complete);
    if (isWaiting) this.#whenAnswered.set(socket, action);
    else action();
  }

  /** Those of a socket that has closed wait no more. */
  #waitingOf(socket: Socket): Set<IncomingMessage> {
    if (!this.#waiting.has(socket))
      socket.once("close", () => {
        const waiting = requestsOf(this.#waiting, socket);
        this.#waitingInAll -= waiting.size;
        waiting.clear();
      });
    return requestsOf(this.#waiting, socket);
  }

  /** After the last answer, Node's own timeout for the next request of the socket applies. */
  #answered(request: IncomingMessage): void {
    const { socket } = request;
    const waiting = this.#waitingOf(socket);
    const sending = requestsOf(this.#sending, socket);
    if (waiting.delete(request)) this.#waitingInAll -= 1;
    sending.delete(request);
    if (waiting.size === 0) this.#whenAnswered.get(socket)?.();
    else if (sending.size === 0) socket.setTimeout(0);
  }
}

function requestsOf(
  map: WeakMap<Socket, Set<IncomingMessage>>,
  socket: Socket,
): Set<IncomingMessage> {
  const known = map.get(socket);
  if (known) return known;
  const made = new Set<IncomingMessage>();
  map.set(socket, made);
  return made;
}

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

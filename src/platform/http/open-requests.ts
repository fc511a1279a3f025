import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** A caller that takes no bytes for so long is cut off. Node grants a socket with queued bytes one more period. */
const idleWhileSendingMs = 6_000;

/** Knows which requests a socket still waits for an answer to, and cuts off callers that do not take theirs. */
export class OpenRequests {
  readonly #waiting = new WeakMap<Socket, Set<IncomingMessage>>();
  readonly #sending = new WeakMap<Socket, Set<IncomingMessage>>();
  readonly #whenAnswered = new WeakMap<Socket, () => void>();

  watch(app: FastifyInstance): void {
    app.addHook(
      "onRequest",
      async ({ raw }) => void requestsOf(this.#waiting, raw.socket).add(raw),
    );
    app.addHook("onSend", async ({ raw }) => {
      requestsOf(this.#sending, raw.socket).add(raw);
      raw.socket.setTimeout(idleWhileSendingMs);
    });
    app.addHook("onResponse", async ({ raw }) => this.#answered(raw));
  }

  /** Whether a request has begun on this socket that has no answer yet. */
  isAwaited(socket: Socket): boolean {
    return requestsOf(this.#waiting, socket).size > 0;
  }

  /** Runs the action now, or when the requests that arrived whole before have their answers: those come first on the wire. */
  afterAnswers(socket: Socket, action: () => void): void {
    const isWaiting = [...requestsOf(this.#waiting, socket)].some(({ complete }) => complete);
    if (isWaiting) this.#whenAnswered.set(socket, action);
    else action();
  }

  /** When nothing is waited for any more, Node's own timeout for the next request of the socket holds. */
  #answered(request: IncomingMessage): void {
    const { socket } = request;
    const waiting = requestsOf(this.#waiting, socket);
    const sending = requestsOf(this.#sending, socket);
    waiting.delete(request);
    sending.delete(request);
    if (waiting.size === 0) this.#whenAnswered.get(socket)?.();
    else if (sending.size === 0) socket.setTimeout(0);
  }
}

function requestsOf(
  map: WeakMap<Socket, Set<IncomingMessage>>,
  socket: Socket,
): Set<IncomingMessage> {
  const known = map.get(socket) ?? new Set();
  map.set(socket, known);
  return known;
}

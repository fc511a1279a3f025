import { STATUS_CODES, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { v7 as uuidv7 } from "uuid";
import type { Log } from "../log.ts";
import { type ToErrorReply, ProtocolRefusal, toParserRefusal } from "./protocol-refusal.ts";
import type { OpenRequests } from "./open-requests.ts";

/** For a reply that is on its way: a close with bytes unread resets the connection, and the reply is lost. */
const closeAfterMs = 2_000;

interface RawDependencies {
  log: Log;
  openRequests: OpenRequests;
  everyReply: Record<string, string>;
  toErrorReply: ToErrorReply;
}

/**
 * Answers what never becomes a request of the app: HTTP that Node's parser refuses, and CONNECT. The reply
 * has the usual shape, and the socket is closed after it, whether its client closes or not.
 */
export class RawReplies {
  readonly #dependencies: RawDependencies;

  constructor(dependencies: RawDependencies) {
    this.#dependencies = dependencies;
  }

  answerParserError(error: Error & { code?: string }, socket: Socket): void {
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    this.#dependencies.openRequests.afterAnswers(socket, () =>
      this.#refuse(socket, toParserRefusal(error), {}),
    );
  }

  /** Node has taken all its listeners off the socket: a reset would end the process. */
  answerConnect(_request: IncomingMessage, socket: Socket): void {
    socket.on("error", () => socket.destroy()).resume();
    this.#refuse(socket, new ProtocolRefusal(405, "The method is not allowed on this path."), {
      allow: "",
    });
  }

  #refuse(socket: Socket, refusal: ProtocolRefusal, extra: Record<string, string>): void {
    const { log, everyReply, toErrorReply } = this.#dependencies;
    const { status, headers, body } = toErrorReply(refusal);
    const reqId = uuidv7();
    const payload = JSON.stringify(body);
    const lines = Object.entries({
      "content-type": "application/json; charset=utf-8",
      "content-length": String(Buffer.byteLength(payload)),
      "x-request-id": reqId,
      connection: "close",
      ...everyReply,
      ...headers,
      ...extra,
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    if (socket.writable)
      socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${payload}`);
    setTimeout(() => socket.destroy(), closeAfterMs).unref();
    log.info({ reqId, route: "(none)", status });
  }
}

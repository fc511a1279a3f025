import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export type PublicEmployee = Record<string, unknown> & { id: string; remote_id: string };
export type WebhookBody = Record<"added" | "removed" | "updated", PublicEmployee[]>;

/** A request as the receiver got it. */
export interface Received {
  id: string;
  token: string;
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The names of the headers as they were sent. */
  headerNames: string[];
  bytes: Buffer;
  body: WebhookBody;
}

export type Answer = (response: ServerResponse, request: IncomingMessage) => Promise<void> | void;

export const answers = {
  status:
    (status: number, headers: Record<string, string> = {}, body = ""): Answer =>
    (response) =>
      void response.writeHead(status, headers).end(body),
  /** Reads the whole request and then resets the socket. */
  reset: ((_response, request) => void request.socket.resetAndDestroy()) as Answer,
  /** Never answers. */
  silence: (() => undefined) as Answer,
  /** Sends bytes as long as the other side reads them. */
  endless:
    (status: number): Answer =>
    (response) => {
      response.writeHead(status);
      const chunk = Buffer.alloc(16_384, "x");
      const push = (): void => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once("drain", push);
      };
      push();
    },
};

/** Receives webhooks on loopback and answers as the test tells it. */
export class Receiver {
  readonly received: Received[] = [];
  /** The number of sockets that were opened. */
  connections = 0;
  /** Requests without a whole answer, of which the sender is still there. */
  open = 0;
  /** The answer to requests for which `answerNext` gave none. */
  answer: Answer = answers.status(204);
  readonly #queued: Answer[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#take(request, response));
    this.#server.on("connection", () => (this.connections += 1));
  }

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    receiver.#server.listen(0, "127.0.0.1");
    await once(receiver.#server, "listening");
    return receiver;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  get ids(): string[] {
    return this.received.map(({ id }) => id);
  }

  /** The answers to the next requests, in this order. */
  answerNext(...queued: Answer[]): void {
    this.#queued.push(...queued);
  }

  get last(): Received {
    const last = this.received.at(-1);
    if (!last) throw new Error("nothing was received");
    return last;
  }

  /** Returns to the state after the start. */
  reset(): void {
    this.received.length = 0;
    this.#queued.length = 0;
    this.connections = 0;
    this.answer = answers.status(204);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.open += 1;
    response.once("close", () => (this.open -= 1));
    const bytes = await buffer(request);
    const { headers } = request;
    const header = (name: string): string => String(headers[name] ?? "");
    const headerNames = request.rawHeaders.filter((_value, index) => index % 2 === 0);
    this.received.push({
      id: header("webhook-id"),
      token: header("x-service-api-token"),
      method: request.method ?? "",
      path: request.url ?? "",
      headers,
      headerNames,
      bytes,
      body: JSON.parse(bytes.toString()) as WebhookBody,
    });
    await (this.#queued.shift() ?? this.answer)(response, request);
  }
}

/** The bytes of each id, in the order in which the ids came first, and how often one came again with others. */
export function bytesById(received: readonly Pick<Received, "id" | "bytes">[]): {
  bytes: Map<string, Buffer>;
  changed: number;
} {
  const bytes = new Map<string, Buffer>();
  let changed = 0;
  for (const { id, bytes: sent } of received) {
    const known = bytes.get(id);
    if (known && !known.equals(sent)) changed += 1;
    if (!known) bytes.set(id, sent);
  }
  return { bytes, changed };
}

/**
 * The employees, by remote id, of a receiver that applies each body once, however often it comes.
 */
export function rebuild(
  baseline: readonly PublicEmployee[],
  bodies: readonly Pick<Received, "id" | "body">[],
): Map<string, PublicEmployee> {
  const known = new Map(baseline.map((employee) => [employee.remote_id, employee]));
  const applied = new Set<string>();
  for (const { id, body } of bodies) {
    if (applied.has(id)) continue;
    applied.add(id);
    for (const { remote_id: remoteId } of body.removed) known.delete(remoteId);
    for (const employee of [...body.added, ...body.updated])
      known.set(employee.remote_id, employee);
  }
  return known;
}

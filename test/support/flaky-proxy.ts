import { once } from "node:events";
import {
  createConnection,
  createServer,
  type AddressInfo,
  type Server,
  type Socket,
} from "node:net";

/** A TCP proxy on loopback before a server, which can take the server away in the two ways in which servers go. */
export class FlakyProxy {
  readonly port: number;
  readonly #target: { host: string; port: number };
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #held: (() => void)[] = [];
  #isPaused = false;

  private constructor(server: Server, target: { host: string; port: number }) {
    this.#server = server;
    this.#target = target;
    this.port = (server.address() as AddressInfo).port;
    server.on("connection", (socket) => this.#accept(socket));
  }

  static async before(url: string): Promise<FlakyProxy> {
    const { hostname, port } = new URL(url);
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    return new FlakyProxy(server, { host: hostname, port: Number(port) });
  }

  /** The same address, by way of the proxy. */
  through(url: string): string {
    const changed = new URL(url);
    changed.hostname = "127.0.0.1";
    changed.port = String(this.port);
    return changed.toString();
  }

  /** Gone: every connection breaks, and new ones are refused. */
  async cut(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const socket of this.#sockets) socket.resetAndDestroy();
    await closed;
  }

  /** Hung: connections stay and new ones are accepted, but nothing moves in either direction. */
  pause(): void {
    this.#isPaused = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Back again, on the same port. What was held back moves on. */
  async restore(): Promise<void> {
    this.#isPaused = false;
    for (const socket of this.#sockets) socket.resume();
    for (const resume of this.#held.splice(0)) resume();
    if (this.#server.listening) return;
    this.#server.listen(this.port, "127.0.0.1");
    await once(this.#server, "listening");
  }

  async close(): Promise<void> {
    await this.cut();
  }

  #accept(near: Socket): void {
    this.#keep(near);
    if (!this.#isPaused) return this.#join(near);
    near.pause();
    this.#held.push(() => this.#join(near));
  }

  #join(near: Socket): void {
    if (near.destroyed) return;
    const far = createConnection(this.#target);
    this.#keep(far);
    forward(near, far);
    forward(far, near);
    if (this.#isPaused) for (const socket of [near, far]) socket.pause();
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#sockets.delete(socket));
  }
}

function forward(from: Socket, to: Socket): void {
  from.on("data", (chunk) => void to.write(chunk));
  from.on("close", () => to.destroy());
  from.on("end", () => to.end());
}

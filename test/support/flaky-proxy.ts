import { once } from "node:events";
import {
  createConnection,
  createServer,
  type AddressInfo,
  type NetConnectOpts,
  type Server,
  type Socket,
} from "node:net";

/** A TCP proxy on loopback in front of a server. It can make the server disappear, hang, or be another one. */
export class FlakyProxy {
  readonly port: number;
  /** How many sockets were opened to it. */
  accepted = 0;
  readonly #dead = new WeakSet<Socket>();
  #target: NetConnectOpts;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #waiting: (() => void)[] = [];
  #isPaused = false;
  #delayMs = 0;

  private constructor(server: Server, target: NetConnectOpts) {
    this.#server = server;
    this.#target = target;
    this.port = (server.address() as AddressInfo).port;
    server.on("connection", (socket) => this.#accept(socket));
  }

  static async before(url: string): Promise<FlakyProxy> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    return new FlakyProxy(server, targetOf(url));
  }

  /** The same address, but through the proxy. */
  through(url: string): string {
    const changed = new URL(url);
    changed.hostname = "127.0.0.1";
    changed.port = String(this.port);
    return changed.toString();
  }

  /** The server disappears: open sockets break and new ones are refused. */
  async cut(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const socket of this.#sockets) breakOff(socket);
    await closed;
  }

  /** The server hangs: sockets stay open and new ones are accepted, but no byte moves. */
  pause(): void {
    this.#isPaused = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Each socket that is opened from now on is accepted, and the server hears of it so much later. */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  /** What is sent on open sockets is lost from now on, without a sign. New ones work. */
  swallow(): void {
    for (const socket of this.#sockets) this.#dead.add(socket);
  }

  /** New sockets lead to another server. */
  leadTo(url: string): void {
    this.#target = targetOf(url);
  }

  /** The server is back on the same port. Bytes that waited move on. */
  async restore(): Promise<void> {
    this.#isPaused = false;
    for (const socket of this.#sockets) socket.resume();
    for (const resume of this.#waiting.splice(0)) resume();
    if (this.#server.listening) return;
    this.#server.listen(this.port, "127.0.0.1");
    await once(this.#server, "listening");
  }

  async close(): Promise<void> {
    await this.cut();
  }

  #accept(near: Socket): void {
    this.accepted += 1;
    this.#keep(near);
    if (this.#delayMs > 0) {
      setTimeout(() => this.#join(near), this.#delayMs);
      return;
    }
    if (!this.#isPaused) return this.#join(near);
    near.pause();
    this.#waiting.push(() => this.#join(near));
  }

  #join(near: Socket): void {
    if (near.destroyed) return;
    const far = createConnection(this.#target);
    this.#keep(far);
    this.#forward(near, far);
    this.#forward(far, near);
    if (this.#isPaused) for (const socket of [near, far]) socket.pause();
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#sockets.delete(socket));
  }

  #forward(from: Socket, to: Socket): void {
    const unlessDead = (action: () => void): void => {
      if (!this.#dead.has(from)) action();
    };
    from.on("data", (chunk) => unlessDead(() => void to.write(chunk)));
    from.on("close", () => unlessDead(() => to.destroy()));
    from.on("end", () => unlessDead(() => to.end()));
  }
}

/** A Unix socket cannot be reset. */
function breakOff(socket: Socket): void {
  if (socket.remoteAddress === undefined) socket.destroy();
  else socket.resetAndDestroy();
}

/** The socket of an embedded Postgres, or a server on TCP. */
function targetOf(url: string): NetConnectOpts {
  const { hostname, port } = new URL(url);
  const host = decodeURIComponent(hostname);
  return host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port: Number(port) };
}

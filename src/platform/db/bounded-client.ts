import type { Socket } from "node:net";
import { Client, type ClientConfig, type QueryResult } from "pg";
import { nameSession } from "./migration-files.ts";
import { NoLogin, NoSocket } from "./unavailable.ts";
import { withTimeout } from "../with-timeout.ts";

/** Called when a statement has got its answer or has failed. */
type OnSettled = (error?: unknown) => void;

export interface BoundedConfig extends ClientConfig {
  query_timeout: number;
  /** How long it waits for a socket. */
  socketTimeoutMs?: number;
  /** How long it waits for the end of its login, from the beginning. Without one, as long as for a socket. */
  loginTimeoutMs?: number;
  onSettled?: OnSettled;
  /** Called when it begins to connect. */
  onConnecting?: (client: BoundedClient) => void;
}

const longestSocketMs = 5_000;

/** Before the first probe; a socket whose other end is gone is then noticed even when nothing is sent. */
const keepAliveAfterMs = 10_000;

/**
 * A client whose socket is destroyed as soon as a statement got no answer in time: the socket may be dead without a
 * sign, so nobody may wait on it again. Whoever holds the client is told by its events.
 */
export class BoundedClient extends Client {
  /** Of its session; null before it is connected. */
  declare readonly processID: number | null;
  readonly #config: BoundedConfig;
  /** The one below TLS. */
  #socket: Socket | undefined;
  #unanswered = 0;
  #waitingSince: number | undefined;

  constructor(config: BoundedConfig) {
    super({
      ...config,
      ...(config.connectionString !== undefined && nameSession(config.connectionString)),
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveAfterMs,
    });
    this.#config = config;
  }

  /** Throws NoSocket or NoLogin when it takes too long. */
  override connect(): Promise<Client>;
  override connect(callback: (error: Error | null) => void): void;
  override connect(callback?: (error: Error | null) => void): Promise<Client> | void {
    const { socketTimeoutMs = longestSocketMs, loginTimeoutMs = socketTimeoutMs } = this.#config;
    const socket = this.connection.stream as Socket;
    this.#socket = socket;
    const giveUp = (): void => void this.connection.stream.destroy(this.explainDelay());
    const timers = [
      setTimeout(() => socket.connecting && giveUp(), socketTimeoutMs),
      setTimeout(giveUp, loginTimeoutMs),
    ];
    for (const timer of timers) timer.unref();
    const clear = (): void => timers.forEach(clearTimeout);
    this.once("connect", clear).connection.once("end", clear);
    this.#config.onConnecting?.(this);
    return callback ? super.connect(callback) : super.connect();
  }

  /** The error that names what it waits for while it connects. */
  explainDelay(): NoSocket | NoLogin {
    const { connecting = true, bytesRead = 0 } = this.#socket ?? {};
    return connecting ? new NoSocket() : new NoLogin({ isAnswered: bytesRead > 0 });
  }

  /** Since when it has heard nothing of a statement, as performance.now() tells; undefined when it waits for none. */
  get waitingSince(): number | undefined {
    return this.#waitingSince;
  }

  async send(text: string, values: unknown[] = []): Promise<QueryResult<Record<string, unknown>>> {
    const answer: Promise<QueryResult<Record<string, unknown>>> = this.query(text, values);
    return await answer;
  }

  // The overloads of pg cannot be repeated here.
  override query(...args: unknown[]): never {
    const send = super.query.bind(this) as (...all: unknown[]) => unknown;
    const callback = args.at(-1);
    this.#unanswered += 1;
    this.#waitingSince ??= performance.now();
    if (typeof callback === "function")
      return send(...args.slice(0, -1), (error: unknown, result: unknown) => {
        this.#note(error);
        (callback as (error: unknown, result: unknown) => void)(error, result);
      }) as never;
    const result = send(...args);
    if (result instanceof Promise)
      result.then(
        () => this.#note(undefined),
        (error: unknown) => this.#note(error),
      );
    return result as never;
  }

  #note(error: unknown): void {
    this.#unanswered -= 1;
    this.#waitingSince = this.#unanswered === 0 ? undefined : performance.now();
    if (error instanceof Error && error.message === "Query read timeout")
      this.connection.stream.destroy();
    this.#config.onSettled?.(error ?? undefined);
  }
}

const endLimitMs = 2_000;

interface ClientUse {
  socketTimeoutMs?: number;
  loginTimeoutMs?: number;
  /** How long a statement may take. Without one, as long as the socket lives, which is probed. */
  statementMs?: number;
  /** Ends the client at once. */
  signal?: AbortSignal;
  /** Called when the client is lost while it does nothing. */
  onLost?: (error: Error) => void;
}

/** Does the work with a client that nobody else has: those of a pool may all be in use, or dead. */
export async function withClient<Result>(
  databaseUrl: string,
  work: (client: BoundedClient) => Promise<Result>,
  {
    socketTimeoutMs = 10_000,
    loginTimeoutMs = 30_000,
    statementMs = 0,
    signal,
    onLost = () => undefined,
  }: ClientUse = {},
): Promise<Result> {
  const client = new BoundedClient({
    connectionString: databaseUrl,
    socketTimeoutMs,
    loginTimeoutMs,
    query_timeout: statementMs,
  });
  const destroy = (): void => void client.connection.stream.destroy();
  client.on("error", onLost);
  signal?.addEventListener("abort", destroy, { once: true });
  try {
    await client.connect();
    const result = await work(client);
    await withTimeout(endLimitMs, () => client.end()).catch(() => undefined);
    return result;
  } finally {
    destroy();
  }
}

import { Redis, type RedisOptions } from "ioredis";
import { refuseInTransaction } from "./open-transaction.ts";
import { doubled } from "./retry.ts";
import type { Log } from "./log.ts";
import { OutageLog } from "./outage-log.ts";
import { withTimeout } from "./with-timeout.ts";

type OpenRedisOptions = Pick<
  RedisOptions,
  | "commandTimeout"
  | "connectTimeout"
  | "enableOfflineQueue"
  | "enableReadyCheck"
  | "lazyConnect"
  | "maxRetriesPerRequest"
  | "retryStrategy"
>;

/** Longer than any command of ours waits, also one that waits for a notice. */
const answerTimeoutMs = 4_000;

/** After such an answer, a new socket may lead to another server. */
const refusalOfThisServer = /\b(?:READONLY|LOADING|MASTERDOWN)\b/;
const firstPauseMs = 50;
const longestPauseMs = 1_000;

/**
 * A client of Redis that replaces a socket which gives no answer for seconds, or leads to a server that has become a
 * replica or is not ready. The new socket comes from a new look-up.
 */
export function openRedis(url: string, options: OpenRedisOptions): Redis {
  refuseInTransaction("a socket to Redis");
  const client = new Redis(url, {
    keepAlive: 10_000,
    connectTimeout: 3_000,
    socketTimeout: answerTimeoutMs,
    retryStrategy: (times) => doubled(firstPauseMs, times, longestPauseMs),
    reconnectOnError: ({ message }) => refusalOfThisServer.test(message),
    ...options,
  });
  client.on("connect", () =>
    client.stream.once("data", (chunk: Buffer) => {
      const [line = ""] = chunk.toString("latin1").split("\r\n", 1);
      if (line.startsWith("-DENIED")) client.emit("error", new ReplyError(line.slice(1)));
    }),
  );
  return client;
}

/** For one look at a server: no command waits longer, and a failure is not repeated. */
export function openRedisOnce(url: string, timeoutMs: number): Redis {
  return openRedis(url, {
    lazyConnect: true,
    // A server that loads its data tells of itself all the same.
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
  });
}

/** A server in protected mode says so and hangs up, and the library tells nobody. */
class ReplyError extends Error {
  override readonly name = "ReplyError";
}

const timeoutMs = 300;
const pauseMs = 1_000;

/**
 * A Redis for what can do without it: while it is away, and for a second after a failure, nobody waits for it. The
 * log tells once that it is away, and once that it is back.
 */
export class OptionalRedis<Commands extends Redis = Redis> {
  readonly client: Commands;
  readonly #outage: OutageLog;
  #pausedUntil = 0;

  /** `scripts` are commands of its own, by name. Each takes the number of its keys first. */
  constructor({
    url,
    log,
    what,
    scripts,
  }: {
    url: string;
    log: Log;
    what: string;
    scripts: Readonly<Record<string, string>>;
  }) {
    this.#outage = new OutageLog(log, what);
    const client = openRedis(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
    });
    client.on("error", (error) => this.noteFailure(error));
    client.on("ready", () => this.#outage.recovered());
    for (const [name, lua] of Object.entries(scripts)) client.defineCommand(name, { lua });
    this.client = client as Commands;
  }

  noteFailure(error: unknown): void {
    this.#outage.failed(error);
  }

  /** Undefined while Redis is away. */
  async ask<Reply>(command: (redis: Commands) => Promise<Reply>): Promise<Reply | undefined> {
    refuseInTransaction("a question to Redis");
    if (this.client.status !== "ready" || performance.now() < this.#pausedUntil) return undefined;
    try {
      const reply = await withTimeout(timeoutMs, () => command(this.client));
      this.#outage.recovered();
      return reply;
    } catch (error) {
      this.noteFailure(error);
      this.#pausedUntil = performance.now() + pauseMs;
      return undefined;
    }
  }

  close(): void {
    this.client.disconnect();
  }
}

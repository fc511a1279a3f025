import { Redis, type RedisOptions } from "ioredis";
import { refuseInTransaction } from "./open-transaction.ts";
import { doubled } from "./retry.ts";

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

/** A server in protected mode says so and hangs up, and the library tells nobody. */
class ReplyError extends Error {
  override readonly name = "ReplyError";
}

import { once } from "node:events";
import { Redis } from "ioredis";
import { LRUCache } from "lru-cache";
import type { Clock } from "../clock.ts";
import { OutageLog, type Log } from "../log.ts";
import { withTimeout } from "../with-timeout.ts";

/** How often a key was counted in its window, with this time, and how many ms the window still lasts. */
export interface WindowCount {
  current: number;
  ttl: number;
}

type Answer = (error: Error | null, result?: WindowCount) => void;

export interface RateLimitStoreOptions {
  clock: Clock;
  log: Log;
  redis: { url: string; prefix: string } | undefined;
  /** Called for each request that is counted in this process because Redis is away. */
  onFallback: () => void;
}

const redisTimeoutMs = 300;
const redisPauseMs = 1_000;
const startTimeoutMs = 2_000;
const maxKeysInProcess = 200_000;

const countInRedis = `
local current = redis.call("INCR", KEYS[1])
if current == 1 then
  redis.call("PEXPIRE", KEYS[1], ARGV[1])
  return {current, tonumber(ARGV[1])}
end
return {current, redis.call("PTTL", KEYS[1])}
`;

/**
 * Counts requests in fixed windows, each of which starts at its first request. It counts in Redis, so that
 * replicas share the windows, or in this process when there is no Redis. While Redis is away, each process
 * counts for itself, so that no request fails or waits. @fastify/rate-limit defines the methods of a store.
 */
export class RateLimitStore {
  readonly #clock: Clock;
  readonly #onFallback: () => void;
  readonly #outage: OutageLog;
  readonly #redis: Redis | undefined;
  readonly #prefix: string;
  readonly #inProcess = new LRUCache<string, { current: number; endsAt: number }>({
    max: maxKeysInProcess,
  });
  #pausedUntil = 0;

  constructor({ clock, log, redis, onFallback }: RateLimitStoreOptions) {
    this.#clock = clock;
    this.#onFallback = onFallback;
    this.#outage = new OutageLog(log, "the rate limits' Redis");
    this.#prefix = `${redis?.prefix ?? ""}:limit:`;
    this.#redis =
      redis &&
      new Redis(redis.url, {
        enableOfflineQueue: false,
        maxRetriesPerRequest: 0,
        enableAutoPipelining: true,
      });
    this.#redis?.on("error", (error) => this.#outage.failed(error));
    this.#redis?.on("ready", () => this.#outage.recovered());
    this.#redis?.defineCommand("countWindow", { numberOfKeys: 1, lua: countInRedis });
  }

  incr(key: string, answer: Answer, windowMs: number): void {
    this.#count(key, windowMs).then(
      (result) => answer(null, result),
      (error: unknown) =>
        answer(error instanceof Error ? error : new Error("the request could not be counted")),
    );
  }

  /** Resolves when Redis answers, or after two seconds. So a new process shares its first counts. */
  async ready(): Promise<void> {
    const redis = this.#redis;
    if (!redis || redis.status === "ready") return;
    await once(redis, "ready", { signal: AbortSignal.timeout(startTimeoutMs) }).catch(
      (error: unknown) => this.#outage.failed(error),
    );
  }

  /** The name of a window in Redis. */
  keyOf(key: string): string {
    return this.#prefix + key;
  }

  child(): this {
    return this;
  }

  async close(): Promise<void> {
    this.#redis?.disconnect();
  }

  async #count(key: string, windowMs: number): Promise<WindowCount> {
    if (!this.#redis) return this.#countInProcess(key, windowMs);
    if (this.#redis.status === "ready" && performance.now() >= this.#pausedUntil) {
      try {
        return await this.#countInRedis(this.#redis, key, windowMs);
      } catch (error) {
        this.#outage.failed(error);
        this.#pausedUntil = performance.now() + redisPauseMs;
      }
    }
    this.#onFallback();
    return this.#countInProcess(key, windowMs);
  }

  async #countInRedis(redis: Redis, key: string, windowMs: number): Promise<WindowCount> {
    const command = redis as Redis & {
      countWindow(key: string, windowMs: number): Promise<[number, number]>;
    };
    const [current, ttl] = await withTimeout(redisTimeoutMs, () =>
      command.countWindow(this.keyOf(key), windowMs),
    );
    this.#outage.recovered();
    return { current, ttl: Math.max(0, ttl) };
  }

  #countInProcess(key: string, windowMs: number): WindowCount {
    const now = this.#clock.now().getTime();
    const known = this.#inProcess.get(key);
    const window = known && known.endsAt > now ? known : { current: 0, endsAt: now + windowMs };
    window.current += 1;
    this.#inProcess.set(key, window);
    return { current: window.current, ttl: window.endsAt - now };
  }
}

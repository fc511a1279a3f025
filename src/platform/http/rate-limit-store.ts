import { once } from "node:events";
import type { Redis } from "ioredis";
import type { SteadyClock } from "../clock.ts";
import type { Log } from "../log.ts";
import { OptionalRedis } from "../optional-redis.ts";
import { InProcessWindows, type WindowCount } from "./in-process-windows.ts";

type Answer = (error: Error | null, result?: WindowCount) => void;

export interface RateLimitStoreOptions {
  clock: SteadyClock;
  log: Log;
  redis: { url: string; prefix: string } | undefined;
  /** Whether the window of a key is never forgotten before its end. There have to be few of them. */
  isKept: (key: string) => boolean;
  /** Called for each request that is counted in this process because Redis is away. */
  onFallback: () => void;
}

const startTimeoutMs = 2_000;

/** A function of a script: counts once more in the window of a key. Returns how often, and the ms that are left. */
export const countLua = `
local function count(key, ms)
  local current = redis.call("INCR", key)
  if current > 1 then return current, redis.call("PTTL", key) end
  redis.call("PEXPIRE", key, ms)
  return current, tonumber(ms)
end
`;
const countWindowLua = `${countLua} return {count(KEYS[1], ARGV[1])}`;

type Commands = Redis & { countWindow(key: string, windowMs: number): Promise<[number, number]> };

/**
 * Counts requests in fixed windows, each of which starts at its first request. It counts in Redis, so that
 * replicas share the windows, or in this process when there is no Redis. While Redis is away, each process
 * counts for itself, so that no request fails or waits. @fastify/rate-limit defines the methods of a store.
 */
export class RateLimitStore {
  readonly #onFallback: () => void;
  readonly #redis: OptionalRedis<Commands> | undefined;
  readonly #prefix: string;
  readonly #inProcess: InProcessWindows;

  constructor({ clock, log, redis, isKept, onFallback }: RateLimitStoreOptions) {
    this.#inProcess = new InProcessWindows({ clock, isKept });
    this.#onFallback = onFallback;
    this.#prefix = `${redis?.prefix ?? ""}:limit:`;
    this.#redis =
      redis &&
      new OptionalRedis({
        url: redis.url,
        log,
        what: "the rate limits' Redis",
        scripts: { countWindow: { numberOfKeys: 1, lua: countWindowLua } },
      });
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
    if (!redis || redis.client.status === "ready") return;
    await once(redis.client, "ready", { signal: AbortSignal.timeout(startTimeoutMs) }).catch(
      (error: unknown) => redis.noteFailure(error),
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
    this.#redis?.close();
  }

  async #count(key: string, windowMs: number): Promise<WindowCount> {
    if (!this.#redis) return this.#inProcess.count(key, windowMs);
    const counted = await this.#redis.ask((redis) => redis.countWindow(this.keyOf(key), windowMs));
    if (counted) return { current: counted[0], ttl: Math.max(0, counted[1]) };
    this.#onFallback();
    return this.#inProcess.count(key, windowMs);
  }
}

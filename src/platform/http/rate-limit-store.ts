import { once } from "node:events";
import type { Redis } from "ioredis";
import { LRUCache } from "lru-cache";
import type { SteadyClock } from "../clock.ts";
import { loadTogether } from "../load-together.ts";
import type { Log } from "../log.ts";
import { OptionalRedis } from "../open-redis.ts";

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
const countWindowsLua = `${countLua}
local counts = {}
for i, key in ipairs(KEYS) do counts[i] = {count(key, ARGV[i])} end
return counts
`;

type Commands = Redis & {
  countWindows(
    keys: number,
    ...args: (string | number)[]
  ): Promise<[current: number, ttl: number][]>;
};

/** A request is counted once more in the window of a key. */
interface Counting {
  key: string;
  windowMs: number;
}

const mostTogether = 100;

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
  /** One script call counts all requests that arrived in the same turn of the event loop. */
  readonly #counts = loadTogether(
    (countings: readonly Counting[]) => this.#countTogether(countings),
    mostTogether,
  );

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
        scripts: { countWindows: countWindowsLua },
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
    const counted = await this.#counts.load({ key, windowMs });
    if (counted) return counted;
    this.#onFallback();
    return this.#inProcess.count(key, windowMs);
  }

  /** Undefined for each while Redis is away. */
  async #countTogether(countings: readonly Counting[]): Promise<(WindowCount | undefined)[]> {
    const counts = await this.#redis?.ask((redis) =>
      redis.countWindows(
        countings.length,
        ...countings.map(({ key }) => this.keyOf(key)),
        ...countings.map(({ windowMs }) => windowMs),
      ),
    );
    return countings.map((_, at) => {
      const [current, ttl] = counts?.[at] ?? [];
      return current === undefined || ttl === undefined
        ? undefined
        : { current, ttl: Math.max(0, ttl) };
    });
  }
}

/** How often a key was counted in its window, with this time, and how many ms the window still lasts. */
export interface WindowCount {
  current: number;
  ttl: number;
}

interface CountedWindow {
  current: number;
  endsAt: number;
}

const mostForgettable = 200_000;
const leastSwept = 1_000;

/**
 * Windows that this process counts by itself. Strangers can make any number of them, so beyond a bound the least
 * recently used one is forgotten. A window that is kept is never forgotten before its end.
 */
class InProcessWindows {
  readonly #clock: SteadyClock;
  readonly #isKept: (key: string) => boolean;
  /** Room is taken as it is needed: a bound by `max` takes all of it at once. */
  readonly #forgettable = new LRUCache<string, CountedWindow>({
    maxSize: mostForgettable,
    sizeCalculation: () => 1,
  });
  readonly #kept = new Map<string, CountedWindow>();
  #sweepsAt = leastSwept;

  constructor({ clock, isKept }: { clock: SteadyClock; isKept: (key: string) => boolean }) {
    this.#clock = clock;
    this.#isKept = isKept;
  }

  count(key: string, windowMs: number): WindowCount {
    const now = this.#clock.elapsedMs();
    const isKept = this.#isKept(key);
    const windows = isKept ? this.#kept : this.#forgettable;
    const known = windows.get(key);
    const window = known && known.endsAt > now ? known : { current: 0, endsAt: now + windowMs };
    window.current += 1;
    windows.set(key, window);
    if (isKept && this.#kept.size > this.#sweepsAt) this.#sweep(now);
    return { current: window.current, ttl: window.endsAt - now };
  }

  #sweep(now: number): void {
    for (const [key, { endsAt }] of this.#kept) if (endsAt <= now) this.#kept.delete(key);
    this.#sweepsAt = Math.max(leastSwept, 2 * this.#kept.size);
  }
}

import type { Redis } from "ioredis";
import type { Log } from "./log.ts";
import { refuseInTransaction } from "./open-transaction.ts";
import { openRedis } from "./open-redis.ts";
import { OutageLog } from "./outage-log.ts";
import { withTimeout } from "./with-timeout.ts";

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

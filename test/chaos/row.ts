import { Stage, type StageOptions } from "./stage.ts";
import type { VendorProgram } from "../support/vendors/vendor-program.ts";

export interface Measured {
  isOk: boolean;
  measured: string;
}

export interface Row {
  name: string;
  target: string;
  /** The row ends as missed after this time, at full scale. */
  limitMinutes: number;
  run(context: RowContext): Promise<Measured>;
}

/** What a row runs in. All that it starts is ended with it. */
export class RowContext {
  readonly scale: number;
  readonly onRedis: boolean;
  readonly signal: AbortSignal;
  readonly #ends: { what: string; end: () => Promise<unknown> }[] = [];
  readonly #isVerbose: boolean;
  #stage: Stage | undefined;
  readonly #startedAt = performance.now();

  constructor(options: {
    scale: number;
    onRedis: boolean;
    isVerbose: boolean;
    signal: AbortSignal;
  }) {
    this.scale = options.scale;
    this.onRedis = options.onRedis;
    this.#isVerbose = options.isVerbose;
    this.signal = options.signal;
  }

  /** The count or time at this run's scale, but at least so much. */
  scaled(full: number, least: number): number {
    return Math.max(Math.min(full, least), Math.round(full * this.scale));
  }

  readonly defer = (what: string, end: () => Promise<unknown>): void => {
    this.#ends.push({ what, end });
  };

  /** Why the service ended by itself, if it did. */
  get failure(): Error | undefined {
    return this.#stage?.failure;
  }

  /** With `--verbose`, what the processes of the service complained of. */
  noteComplaints(): void {
    for (const line of this.#stage?.listComplaints() ?? []) this.note(line);
  }

  async stage(
    env: Record<string, string> = {},
    options: Partial<Omit<StageOptions, "env" | "signal" | "defer">> = {},
  ): Promise<Stage> {
    const { signal, defer, onRedis } = this;
    this.#stage = await Stage.build({ onRedis, ...options, signal, defer, env });
    return this.#stage;
  }

  async use<Started extends Pick<VendorProgram, "stop">>(
    starting: Promise<Started>,
  ): Promise<Started> {
    const started = await starting;
    this.defer("a program", () => started.stop());
    return started;
  }

  /** With `--verbose`, what the row does now. */
  note(what: string): void {
    const seconds = ((performance.now() - this.#startedAt) / 1000).toFixed(0);
    if (this.#isVerbose) process.stderr.write(`  ${seconds.padStart(4)} s  ${what}\n`);
  }

  /** Ends everything, the newest first. Returns what could not be ended. */
  async end(): Promise<string[]> {
    const left: string[] = [];
    for (const { what, end } of this.#ends.splice(0).toReversed())
      await end().catch((error: unknown) => left.push(`${what}: ${String(error)}`));
    return left;
  }
}

/** Longer than anything takes on an idle machine: what took as long has failed. */
const mostIdleMs = 30_000;

/**
 * "Within twice the idle time or 2 s, whichever is more", of the worst measured. Throws when it failed while nothing
 * else went on, because nothing can be compared with that.
 */
export function allowedMs(idleMs: readonly number[]): number {
  const worstMs = Math.max(...idleMs);
  if (worstMs > mostIdleMs) throw new Error("it failed or took very long although it was alone");
  return Math.max(2 * worstMs, 2_000);
}

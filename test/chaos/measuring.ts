import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { setPriority } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { request } from "undici";
import { rollcall } from "../support/command-line.ts";
import { programEnvironment, projectDir } from "../support/program-environment.ts";
import type { LatencySummary } from "./latency.ts";
import type { ServiceProgram } from "./service-program.ts";
import type { Stage } from "./stage.ts";

export interface Prober {
  /** The answer times since the call before. */
  mark(): Promise<LatencySummary>;
  stop(): Promise<void>;
}

const proberPriority = -5;

export async function startProber(url: string, bearer?: string, everyMs = 20): Promise<Prober> {
  const file = join(import.meta.dirname, "prober.ts");
  const asked = ["--url", url, "--every-ms", String(everyMs)];
  const args = [file, "--with-parent", ...asked, ...(bearer ? ["--bearer", bearer] : [])];
  const child = spawn(join(projectDir, "node_modules/.bin/node"), args, {
    cwd: projectDir,
    env: programEnvironment({}),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  try {
    setPriority(child.pid ?? 0, proberPriority);
  } catch {
    // Only root may. Without it the prober's own delay, which is printed, may be larger.
  }
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  return {
    mark: async () => {
      child.stdin.write("\n");
      const { value } = await lines.next();
      return JSON.parse(String(value)) as LatencySummary;
    },
    stop: async () => {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/** The sum of a counter over its labels, of those that have the given ones. */
export async function readCounter(
  { metricsPort }: ServiceProgram,
  name: RegExp,
  labels: Record<string, string> = {},
): Promise<number> {
  const { body } = await request(`http://127.0.0.1:${metricsPort}/metrics`);
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  return (await body.text())
    .split("\n")
    .filter((line) => name.test(line) && wanted.every((part) => line.includes(part)))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);
}

export const pollsEnded = /^rollcall_polls_total\{/;
/** Of reads by outcome, whatever the metric is called. */
export const readsByOutcome = /^rollcall_(fetches|reads)_total\{/;

/** `rollcall poll now`. The command waits for the polls, up to a minute. */
export async function pollNow(
  stage: Stage,
  tokenId?: string,
): Promise<{ isDone: boolean; tookMs: number; output: string }> {
  const startedAt = performance.now();
  const args = ["poll", "now", ...(tokenId ? ["--token", tokenId] : []), "--json"];
  const { PORT: _, ...env } = stage.env;
  const { code, stdout, stderr } = await rollcall(args, env, { program: stage.commandsOf });
  return {
    isDone: code === 0,
    tookMs: performance.now() - startedAt,
    output: `${stdout}${stderr}`.trim(),
  };
}

/** False when the time was over first. */
export async function untilSo(
  { signal }: Pick<Stage, "signal">,
  limitMs: number,
  isSo: () => Promise<boolean> | boolean,
  everyMs = 200,
): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    signal.throwIfAborted();
    if (await isSo()) return true;
    if (performance.now() > deadline) return false;
    await delay(everyMs);
  }
}

export interface EventLoopSummary {
  count: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

/** The delays of the service's event loop since the call before, from `event-loop-delay.ts`. */
export class EventLoopWatch {
  static readonly preload = join(import.meta.dirname, "event-loop-delay.ts");
  readonly #file: string;
  #read = 0;

  constructor(folder: string) {
    this.#file = join(folder, "event-loop.jsonl");
  }

  get env(): Record<string, string> {
    return { CHAOS_EVENT_LOOP_FILE: this.#file };
  }

  async mark(stage: Stage, { pid }: ServiceProgram): Promise<EventLoopSummary> {
    process.kill(pid, "SIGUSR2");
    const lines = (): string[] =>
      existsSync(this.#file) ? readFileSync(this.#file, "utf8").trimEnd().split("\n") : [];
    const isWritten = await untilSo(stage, 60_000, () => lines().length > this.#read, 20);
    const line = lines()[this.#read];
    if (!isWritten || line === undefined)
      throw new Error("the event loop did not turn for a minute");
    this.#read += 1;
    return JSON.parse(line) as EventLoopSummary;
  }
}

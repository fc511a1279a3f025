import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, closeSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { request } from "undici";
import { programEnvironment, projectDir } from "../support/program-environment.ts";
import { freePort } from "../support/redis-server.ts";
import { endLeftovers, listTree } from "./process-tree.ts";

export interface ServiceProgram {
  pid: number;
  isRunning: boolean;
  metricsPort: number;
  /** Where its log is. */
  logFile: string;
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Waits for its end, and ends what it left behind. */
  stop(): Promise<void>;
}

const usualStartLimitMs = 90_000;
const stopLimitMs = 30_000;
let started = 0;

/** The service as an operator runs it. Its log goes to a file. */
export async function startServiceProgram(options: {
  role: "all" | "api" | "worker";
  env: Record<string, string>;
  folder: string;
  preload?: string | undefined;
  /** The folder of another version of the program. */
  program?: string | undefined;
  signal: AbortSignal;
  startLimitMs?: number;
  /** Called at once, before it does anything. */
  onSpawn?: (pid: number) => void;
  /** Called when it ends without being asked to. */
  onSurprise: (reason: string) => void;
}): Promise<ServiceProgram> {
  const { role, env, folder, preload, program = projectDir, signal, onSurprise } = options;
  const { startLimitMs = usualStartLimitMs, onSpawn } = options;
  const logFile = join(folder, `${role}-${(started += 1)}.log`);
  const metricsPort = await freePort();
  const log = openSync(logFile, "w");
  const child = spawn(join(program, "bin/start"), [], {
    cwd: program,
    env: programEnvironment({
      ...env,
      ROLE: role,
      METRICS_PORT: String(metricsPort),
      ...(preload && { NODE_OPTIONS: `--import ${JSON.stringify(preload)}` }),
    }),
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  const exited = once(child, "exit");
  const pid = child.pid ?? 0;
  onSpawn?.(pid);
  let isExpected = false;
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  child.once("exit", (code, by) => {
    if (!isExpected)
      onSurprise(`the ${role} ended by itself with ${String(code ?? by)}: ${lastLines(logFile)}`);
  });
  const end = async (by: NodeJS.Signals): Promise<void> => {
    if (!isRunning()) return;
    isExpected = true;
    const tree = listTree([pid]);
    child.kill(by);
    const timer = setTimeout(() => child.kill("SIGKILL"), stopLimitMs);
    await exited;
    clearTimeout(timer);
    await endLeftovers(tree);
  };
  await untilHealthy();
  return {
    pid,
    get isRunning() {
      return isRunning();
    },
    metricsPort,
    logFile,
    kill: end,
    stop: () => end("SIGTERM"),
  };

  async function untilHealthy(): Promise<void> {
    const url =
      role === "worker"
        ? `http://127.0.0.1:${metricsPort}/healthz`
        : `http://127.0.0.1:${env["PORT"]}/readyz`;
    const deadline = performance.now() + startLimitMs;
    while (performance.now() < deadline) {
      signal.throwIfAborted();
      const status = await request(url, { signal: AbortSignal.timeout(5_000) }).then(
        async ({ statusCode, body }) => (await body.dump(), statusCode),
        () => 0,
      );
      if (status === 200) return;
      await delay(50);
    }
    await end("SIGKILL");
    throw new Error(`the ${role} did not start: ${lastLines(logFile)}`);
  }
}

/** What V8 says of its end, or else the last lines. */
function lastLines(file: string): string {
  const lines = readFileSync(file, "utf8").trim().split("\n");
  const fatal = lines.find((line) => line.startsWith("FATAL ERROR"));
  return (fatal ?? lines.slice(-3).join(" / ")).slice(-400);
}

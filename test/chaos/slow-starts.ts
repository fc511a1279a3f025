import { randomBytes } from "node:crypto";
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mintCredential } from "../../src/platform/crypto/index.ts";
import { freePort } from "../support/redis-server.ts";
import { formatMs, percentile } from "./latency.ts";
import type { Measured, Row, RowContext } from "./row.ts";
import { startServiceProgram } from "./service-program.ts";
import { SlowTree } from "./slow-tree.ts";
import type { Stage } from "./stage.ts";

export const slowStarts: Row = {
  name: "slow-starts",
  target: "50 fresh starts, each with a twentieth of a core: all become ready, none ends",
  limitMinutes: 120,
  run: measure,
};

const partOfCore = 1 / 20;
/** Each has its own twentieth. */
const atOnce = 5;
const startLimitMs = 20 * 60_000;

interface Start {
  /** Until `/readyz` answered 200. */
  readyMs: number;
  /** Of the processor, for all processes of the start. */
  usedMs: number;
}

async function measure(context: RowContext): Promise<Measured> {
  const count = context.scaled(50, 3);
  const makeEnvironment = context.onRedis
    ? await prepareHosted(context)
    : (folder: string) => Promise.resolve({ STATE_DIR: join(folder, "state") });
  const starts: Start[] = [];
  const failures: string[] = [];
  let next = 0;
  const startNext = async (): Promise<void> => {
    while (next < count) {
      context.signal.throwIfAborted();
      const number = (next += 1);
      await startOnce(context, number, makeEnvironment).then(
        (start) => starts.push(start),
        (error: unknown) => failures.push(String(error)),
      );
      context.note(`${starts.length} are ready, ${failures.length} are not`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, startNext));
  const readyMs = starts.map((start) => start.readyMs);
  const usedMs = starts.map((start) => start.usedMs);
  const failed = failures.length > 0 ? `; ${failures[0]}` : "";
  return {
    isOk: starts.length === count,
    measured:
      `${starts.length} of ${count} ready, after ${formatMs(percentile(readyMs, 0.5))} in the median and ` +
      `${formatMs(Math.max(0, ...readyMs))} at most; ${formatMs(percentile(usedMs, 0.5))} of a core each${failed}`,
  };
}

/** From the first instruction of the program to its readiness. Then it ends at full speed. */
async function startOnce(
  context: RowContext,
  number: number,
  makeEnvironment: (folder: string, number: number) => Promise<Record<string, string>>,
): Promise<Start> {
  const folder = await mkdtemp(join(tmpdir(), "rollcall-slow-"));
  // The account of Postgres has to pass through.
  await chmod(folder, 0o711);
  await mkdir(join(folder, "state"));
  const surprise = new AbortController();
  let slow: SlowTree | undefined;
  try {
    const env = await makeEnvironment(folder, number);
    const startedAt = performance.now();
    const program = await startServiceProgram({
      role: "all",
      env: { PORT: String(await freePort()), ...env },
      folder,
      startLimitMs,
      signal: AbortSignal.any([context.signal, surprise.signal]),
      onSpawn: (pid) => void (slow = new SlowTree(pid, partOfCore)),
      onSurprise: (reason) => surprise.abort(new Error(reason)),
    });
    const readyMs = performance.now() - startedAt;
    await slow?.end();
    await program.stop();
    return { readyMs, usedMs: slow?.usedMs ?? 0 };
  } finally {
    await slow?.end();
    await rm(folder, { recursive: true, force: true, maxRetries: 20 });
  }
}

/** Each start has a database and a role of its own. The Postgres and the Redis are on other machines: they are fast. */
async function prepareHosted(
  context: RowContext,
): Promise<(folder: string, number: number) => Promise<Record<string, string>>> {
  const stage = await context.stage({}, { hasOwnStores: true, onRedis: true });
  return async (folder, number) => ({
    STATE_DIR: join(folder, "state"),
    DATABASE_URL: await makeDatabase(stage, `slow_${number}`),
    REDIS_URL: stage.env["REDIS_URL"] ?? "",
    REDIS_PREFIX: `slow${number}`,
    PUBLIC_URL: "https://api.example.com",
    TRUST_PROXY: "none",
    MASTER_KEYS: `slow:${randomBytes(32).toString("base64")}`,
    SANDBOX_ACCESS_TOKEN: mintCredential("at", "dev"),
  });
}

async function makeDatabase(stage: Stage, name: string): Promise<string> {
  const password = randomBytes(16).toString("hex");
  await stage.query(`create role ${name} login password '${password}'`);
  await stage.query(`create database ${name} owner ${name}`);
  const url = new URL(stage.databaseUrl);
  return Object.assign(url, { pathname: `/${name}`, username: name, password }).toString();
}

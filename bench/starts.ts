import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { request } from "undici";
import { readDemo } from "../src/start/local-state.ts";
import {
  makeStateDir,
  programEnvironment,
  projectDir,
} from "../test/support/program-environment.ts";
import { freePort } from "../test/support/redis-server.ts";
import { startProber } from "../test/chaos/measuring.ts";
import { employeesPath, headersOf, withCompaniesOf } from "./companies.ts";
import { cpuBetween, readCpuTimes } from "./cpu-meter.ts";
import { costPerRequest, serverAt } from "./load.ts";
import { memoryOf } from "./memory-meter.ts";
import { rounds } from "./options.ts";
import type { Claim, Cost } from "./report.ts";
import { startServer } from "./start-server.ts";

const startLimitMs = 60_000;
const afterStartMs = 60_000;
const idleMs = 20_000;
const allowedMb = 200;
const firstSeconds = 10;
const everyMs = 5;
const warmingRequests = 20_000;
const restarts = Math.min(rounds, 3);

/**
 * What a start takes: from `npm start` on an empty folder to the first data, on a used one to ready, both against a
 * Fastify of nothing; what an idle service uses; and how slow the first seconds of a new process are under load.
 */
export async function benchStarts(): Promise<Claim[]> {
  return [...(await measureStarts()), ...(await measureIdle()), await measureFirstSeconds()];
}

async function measureStarts(): Promise<Claim[]> {
  const empty: Cost[] = [];
  const used: Cost[] = [];
  // The first round fills the cache of compiled modules.
  for (let round = -1; round < rounds; round += 1) {
    const bare = (await timeOf(startBare)) * 1_000;
    const { stateDir, remove } = await makeStateDir();
    const first = await startService(stateDir, "data");
    await first.stop();
    const second = await startService(stateDir, "ready");
    await second.stop();
    await remove();
    if (round < 0) continue;
    empty.push({ ours: first.tookMs * 1_000, reference: bare });
    used.push({ ours: second.tookMs * 1_000, reference: bare });
  }
  return [
    {
      name: "from npm start on an empty folder to the first data, against the start of a bare Fastify",
      targetUs: 2_500_000,
      costs: empty,
    },
    {
      name: "from a start on a used folder to ready, against the start of a bare Fastify",
      targetUs: 900_000,
      costs: used,
    },
  ];
}

async function startBare(): Promise<void> {
  const ends: (() => Promise<unknown>)[] = [];
  const { origin } = await startServer("bare-server.ts", [], {
    defer: (_what, end) => void ends.push(end),
  });
  await (await request(`${origin}/healthz`)).body.dump();
  for (const end of ends) await end();
}

interface Started {
  pid: number;
  tookMs: number;
  stop(): Promise<void>;
}

/** `npm start`, until it says that it is ready or until the data of the sandbox token is there. */
async function startService(stateDir: string, until: "data" | "ready"): Promise<Started> {
  const port = String(await freePort());
  const metricsPort = String(await freePort());
  const beganAt = performance.now();
  const child = spawn("npm", ["start"], {
    cwd: projectDir,
    env: {
      ...programEnvironment({ STATE_DIR: stateDir, PORT: port, METRICS_PORT: metricsPort }),
      NODE_COMPILE_CACHE: join(projectDir, "node_modules/.cache/bench"),
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const exited = once(child, "exit");
  const baseUrl = `http://127.0.0.1:${port}`;
  await untilOk(`${baseUrl}/readyz`, {});
  if (until === "data") {
    const authorization = `Bearer ${(await readDemo(stateDir))?.sandbox_token}`;
    await untilOk(baseUrl + employeesPath, { authorization, prefer: "wait=30" });
  }
  return {
    pid: child.pid ?? 0,
    tookMs: performance.now() - beganAt,
    stop: async () => {
      child.kill("SIGTERM");
      await exited;
    },
  };
}

async function untilOk(url: string, headers: Record<string, string>): Promise<void> {
  const deadline = performance.now() + startLimitMs;
  for (;;) {
    const status = await request(url, { headers }).then(
      async ({ statusCode, body }) => (await body.dump(), statusCode),
      () => 0,
    );
    if (status === 200) return;
    if (performance.now() > deadline) throw new Error(`${url} was answered with ${status}`);
    await delay(5);
  }
}

/** An idle service, against a process that does little more than wake, and what is allowed for its memory. */
async function measureIdle(): Promise<Claim[]> {
  const ends: (() => Promise<unknown>)[] = [];
  const { stateDir, remove } = await makeStateDir();
  const { pid, stop } = await startService(stateDir, "ready");
  const { pids } = await startServer("bare-idle.ts", [], {
    defer: (_what, end) => void ends.push(end),
  });
  await delay(afterStartMs);
  const costs: Cost[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [ours, bare] = [readCpuTimes([pid]), readCpuTimes(pids())];
    await delay(idleMs);
    costs.push({
      ours: cpuBetween(ours, readCpuTimes([pid])) / (idleMs / 1_000),
      reference: cpuBetween(bare, readCpuTimes(pids())) / (idleMs / 1_000),
    });
  }
  const megabytes = memoryOf([pid]);
  await stop();
  for (const end of ends) await end();
  await remove();
  return [
    {
      name: "a second of an idle npm start, against one of a process that wakes as often",
      targetUs: 12_000,
      costs,
    },
    {
      name: `memory of an idle npm start, against ${allowedMb} MB`,
      target: 1,
      ratios: [allowedMb / megabytes],
    },
  ];
}

/** The 99th percentile of a new process under 200 requests a second, against that of the same one when it is warm. */
async function measureFirstSeconds(): Promise<Claim> {
  const env = {};
  return await withCompaniesOf([100], { store: "redis", env }, async ({ stage, tokens, defer }) => {
    const costs: Cost[] = [];
    for (let count = 0; count < restarts; count += 1) {
      const port = String(await freePort());
      const { pid, stop } = await stage.start("api", { env: { PORT: port } });
      const url = `http://127.0.0.1:${port}${employeesPath}`;
      const prober = await startProber(url, tokens[100], everyMs);
      defer("the prober", () => prober.stop());
      await prober.mark();
      await delay(firstSeconds * 1_000);
      const first = await prober.mark();
      const server = serverAt(`http://127.0.0.1:${port}`, () => [pid]);
      const load = { path: employeesPath, headers: headersOf(tokens[100], "br") };
      await costPerRequest(server, load, warmingRequests);
      await prober.mark();
      await delay(firstSeconds * 1_000);
      const warm = await prober.mark();
      if (first.failed + warm.failed > 0) throw new Error("a reply was missing");
      await server.pool.destroy();
      await prober.stop();
      await stop();
      costs.push({ ours: first.p99Ms * 1_000, reference: warm.p99Ms * 1_000 });
    }
    return {
      name: `p99 of the first ${firstSeconds} seconds of a new process at 200 GETs a second, against a warm one`,
      target: 0.5,
      costs,
    };
  });
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const beganAt = performance.now();
  await work();
  return performance.now() - beganAt;
}

import { performance } from "node:perf_hooks";
import { request } from "undici";
import { compress } from "../src/platform/compression.ts";
import { createClient } from "../test/chaos/accounts.ts";
import type { Stage } from "../test/chaos/stage.ts";
import { employeesPath, headersOf, sizes, type Size } from "./companies.ts";
import { connectInstant, instantEnvironment } from "./instant-connections.ts";
import { rounds } from "./options.ts";
import { profileProcess, type CpuProfile } from "./profile-process.ts";
import { medianOf, type Claim } from "./report.ts";
import { withContext, type Store } from "./with-context.ts";

const waitSeconds = 30;
const profiledSize = 100;
const profiledRequests = 60;
/** So many times the floor, and milliseconds more, are allowed. */
const target = { floors: 1.6, moreMs: 15 };
const guard = { floors: 2.2, moreMs: 30 };

interface Times {
  oursMs: number;
  floorMs: number;
}

/**
 * From a request with `Prefer: wait` for data that nobody has read yet to its 200, of a provider that takes no time.
 * The floor parses, stringifies and compresses the same bytes. One request at a time, workers in the same program.
 */
export async function benchCold(): Promise<Claim[]> {
  return [...(await benchStore("embedded")), ...(await benchStore("redis"))];
}

async function benchStore(store: Store): Promise<Claim[]> {
  return await withInstant(store, async ({ stage, connect }) => {
    const claims: Claim[] = [];
    for (const size of sizes) {
      // One for each round, so that each request is the first one of its connection.
      const tokens = await connect({ employees: size, companies: rounds + 1 });
      claims.push(await measureSize(stage, store, size, tokens));
    }
    return claims;
  });
}

/** Profiles the service, API and worker in one process, while each request is the first one of its connection. */
export async function profileCold(): Promise<CpuProfile> {
  return await withInstant("embedded", async ({ stage, pid, connect }) => {
    const tokens = await connect({ employees: profiledSize, companies: 2 * profiledRequests });
    const askAll = async (some: readonly string[]): Promise<void> => {
      for (const token of some) await ask(stage, token, "br", profiledSize);
    };
    await askAll(tokens.slice(profiledRequests));
    return await profileProcess(pid, async () => await askAll(tokens.slice(0, profiledRequests)));
  });
}

interface InstantStage {
  stage: Stage;
  /** Of the process that is API and worker. */
  pid: number;
  /** Returns the tokens of new connections. */
  connect: (company: Parameters<typeof connectInstant>[2]) => Promise<string[]>;
}

async function withInstant<Result>(
  store: Store,
  work: (instant: InstantStage) => Promise<Result>,
): Promise<Result> {
  return await withContext(store, async (context) => {
    // Each child process makes the employees once.
    const stage = await context.stage({ ...instantEnvironment, ADAPTER_PROCESSES: "1" });
    const client = await createClient(stage);
    const { pid } = await stage.start("all");
    const connect: InstantStage["connect"] = async (company) =>
      await stage.withServices((services) => connectInstant(services, client, company));
    return await work({ stage, pid, connect });
  });
}

async function measureSize(
  stage: Stage,
  store: Store,
  size: Size,
  tokens: readonly string[],
): Promise<Claim> {
  const times: Times[] = [];
  // The first one warms up.
  for (const [round, token] of tokens.entries()) {
    const oursMs = await timeOf(() => ask(stage, token, "br", size));
    const floorMs = await floorOf(Buffer.from(await ask(stage, token, "identity", size)));
    if (round > 0) times.push({ oursMs, floorMs });
  }
  const floorMs = medianOf(times.map((time) => time.floorMs));
  return {
    name: `${store}: a cold GET of ${size} employees, against what the floor of its run allows`,
    target: 1,
    guard: Number((allowedMs(target, floorMs) / allowedMs(guard, floorMs)).toFixed(2)),
    ratios: times.map(({ oursMs }) => allowedMs(target, floorMs) / oursMs),
    costs: times.map((time) => ({ ours: time.oursMs * 1_000, reference: time.floorMs * 1_000 })),
  };
}

function allowedMs({ floors, moreMs }: typeof target, floorMs: number): number {
  return floors * floorMs + moreMs;
}

async function ask(
  { baseUrl }: Stage,
  token: string,
  encoding: string,
  size: Size,
): Promise<Uint8Array> {
  const { statusCode, headers, body } = await request(baseUrl + employeesPath, {
    headers: { ...headersOf(token, encoding), prefer: `wait=${waitSeconds}` },
  });
  const bytes = await body.bytes();
  if (statusCode !== 200)
    throw new Error(
      `${size} employees were answered with ${statusCode} ${String(headers["retry-after"])}`,
    );
  return bytes;
}

async function floorOf(plain: Buffer): Promise<number> {
  return await timeOf(async () => {
    const parsed = JSON.parse(plain.toString()) as unknown;
    await compress(Buffer.from(JSON.stringify(parsed)), "br");
  });
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const beganAt = performance.now();
  await work();
  return performance.now() - beganAt;
}

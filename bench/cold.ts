import { performance } from "node:perf_hooks";
import { request } from "undici";
import { compress } from "../src/platform/compression.ts";
import { createClient } from "../test/chaos/accounts.ts";
import type { Stage } from "../test/chaos/stage.ts";
import { employeesPath, headersOf, sizes, type Size } from "./companies.ts";
import { connectInstant, instantEnvironment } from "./instant-connections.ts";
import { rounds } from "./options.ts";
import { profileProcess, type CpuProfile } from "./profile-process.ts";
import { medianOf, type Claim, type Cost } from "./report.ts";
import { withContext, type Store } from "./with-context.ts";

const waitSeconds = 30;
const profiledSize = 100;
const profiledRequests = 60;
/** Requests of one round, one at a time. Each is the first one of its connection. */
const requestsOf: Record<Size, number> = { 100: 10, 1_000: 4, 10_000: 1 };
/** Milliseconds, or so many times the floor. */
const targets: Record<Size, Pick<Claim, "target" | "targetUs">> = {
  100: { targetUs: 30_000 },
  1_000: { targetUs: 110_000 },
  10_000: { target: Number((1 / 1.6).toFixed(3)) },
};
const crowd = 50;
/** So many times the median of a crowd its slowest one may take. */
const slowestOfCrowd = 3;

/**
 * From a request with `Prefer: wait` for data that nobody has read yet to its 200, of a provider that takes no time.
 * The floor parses, stringifies and compresses the same bytes. API and worker are processes of their own.
 */
export async function benchCold(): Promise<Claim[]> {
  return [...(await benchStore("embedded")), ...(await benchStore("redis"))];
}

async function benchStore(store: Store): Promise<Claim[]> {
  return await withInstant(store, ["api", "worker"], async ({ stage, connect }) => {
    const claims: Claim[] = [];
    for (const size of sizes) {
      // The first round warms up.
      const companies = requestsOf[size] * (rounds + 1);
      const tokens = await connect({ employees: size, companies });
      claims.push(await measureSize(stage, store, size, tokens));
    }
    claims.push(
      await measureCrowd(
        stage,
        store,
        await connect({ employees: 100, companies: crowd * rounds }),
      ),
    );
    return claims;
  });
}

/** Profiles the service, API and worker in one process, while each request is the first one of its connection. */
export async function profileCold(): Promise<CpuProfile> {
  return await withInstant("embedded", ["all"], async ({ stage, pid, connect }) => {
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
  /** Of the process that was started first. */
  pid: number;
  /** Returns the tokens of new connections. */
  connect: (company: Parameters<typeof connectInstant>[2]) => Promise<string[]>;
}

async function withInstant<Result>(
  store: Store,
  [first, ...others]: ["all"] | ["api", "worker"],
  work: (instant: InstantStage) => Promise<Result>,
): Promise<Result> {
  return await withContext(store, async (context) => {
    // Each child process makes the employees once.
    const stage = await context.stage({ ...instantEnvironment, ADAPTER_PROCESSES: "1" });
    const client = await createClient(stage);
    const { pid } = await stage.start(first);
    for (const role of others) await stage.start(role);
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
  const times: { oursMs: number; floorMs: number }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const ours: number[] = [];
    const ofRound = tokens.slice(round * requestsOf[size], (round + 1) * requestsOf[size]);
    for (const token of ofRound) ours.push(await timeOf(() => ask(stage, token, "br", size)));
    const plain = Buffer.from(await ask(stage, ofRound[0] ?? "", "identity", size));
    const floorMs = await floorOf(plain);
    if (round > 0) times.push({ oursMs: medianOf(ours), floorMs });
  }
  return {
    name: `${store}: a cold GET of ${size} employees, against parse, stringify and brotli of them`,
    ...targets[size],
    costs: times.map((time) => ({ ours: time.oursMs * 1_000, reference: time.floorMs * 1_000 })),
  };
}

/** So many first requests of as many connections at a time: the slowest one against the median. */
async function measureCrowd(stage: Stage, store: Store, tokens: readonly string[]): Promise<Claim> {
  const costs: Cost[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const ofRound = tokens.slice(round * crowd, (round + 1) * crowd);
    const times = await Promise.all(
      ofRound.map((token) => timeOf(() => ask(stage, token, "br", 100))),
    );
    costs.push({ ours: Math.max(...times) * 1_000, reference: medianOf(times) * 1_000 });
  }
  return {
    name: `${store}: the slowest of ${crowd} cold GETs of 100 employees at once, against their median`,
    target: Number((1 / slowestOfCrowd).toFixed(3)),
    costs,
  };
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

import { setTimeout as delay } from "node:timers/promises";
import { Receiver } from "../support/receiver.ts";
import { startSlowVendorProgram } from "../support/vendors/vendor-program.ts";
import { connectAccount, connectAccounts, createClient, listenAt } from "./accounts.ts";
import { askOnce, askUntilEnded } from "./asking.ts";
import { formatMs } from "./latency.ts";
import {
  EventLoopWatch,
  pollNow,
  pollsEnded,
  readCounter,
  startProber,
  untilSo,
  type EventLoopSummary,
} from "./measuring.ts";
import { formatMegabytes, MemoryWatch } from "./memory-watch.ts";
import type { Measured, Row, RowContext } from "./row.ts";
import type { Stage } from "./stage.ts";

const delayP99Ms = 50;
const memoryFactor = 3;
const mostMemory = 1_500_000_000;
const smallP99Ms = 100;

export const fiftyThousand: Row = {
  name: "fifty-thousand",
  target:
    "event loop p99 under 50 ms in each phase; memory above idle at most 3 times the identity bytes",
  limitMinutes: 30,
  run: measureFiftyThousand,
};

export const fortyCompanies: Row = {
  name: "forty-companies",
  target:
    "all polled; under 1.5 GB over all processes; a small GET p99 within twice its idle p99 or 100 ms",
  limitMinutes: 60,
  run: measureFortyCompanies,
};

async function measureFiftyThousand(context: RowContext): Promise<Measured> {
  const employees = context.scaled(50_000, 1_000);
  const limitMs = context.scaled(900_000, 240_000);
  const stage = await context.stage();
  const watch = new EventLoopWatch(stage.folder);
  const service = await stage.start("all", { env: watch.env, preload: EventLoopWatch.preload });
  const memory = watchMemory(context, stage);
  const vendor = await context.use(startSlowVendorProgram({ employees }));
  const receiver = await Receiver.start();
  context.defer("the receiver", () => receiver.close());
  await warmUp(context, stage);
  const client = await createClient(stage);
  const account = await connectAccount(stage, client, { url: vendor.url, username: "large" });
  const idle = memory.latest;
  const beganAt = performance.now();
  const phases = new Map<string, EventLoopSummary>();
  const phase = async (name: string, work: () => Promise<boolean>): Promise<void> => {
    context.note(name);
    await watch.mark(stage, service);
    if (!(await work())) throw new Error(`it was not ${name} in ${formatMs(limitMs)}`);
    phases.set(name, await watch.mark(stage, service));
  };

  await phase(
    "read",
    async () => (await askUntilEnded(stage, account, { limitMs })).status === 200,
  );
  let identityBytes = 0;
  await phase("served", async () => {
    for (const encoding of ["identity", "gzip", "br", "identity"]) {
      const reply = await askOnce(stage, account, "employees", { "accept-encoding": encoding });
      if (reply.status !== 200) return false;
      if (encoding === "identity") identityBytes = reply.bytes;
    }
    return true;
  });
  const areOver = async (polls: number): Promise<boolean> =>
    await untilSo(stage, limitMs, async () => (await readCounter(service, pollsEnded)) >= polls);
  await phase("compared", async () => {
    await listenAt(stage, client, receiver.url);
    return await areOver(1);
  });
  await phase("delivered", async () => {
    await vendor.control({ change: Math.round(employees / 100) });
    void pollNow(stage);
    return (
      (await areOver(2)) && (await untilSo(stage, limitMs, () => receiver.received.length > 0))
    );
  });
  const above = memory.peak(beganAt) - idle;
  const updated = receiver.received[0]?.body.updated.length ?? 0;
  return {
    isOk:
      [...phases.values()].every(({ p99Ms }) => p99Ms < delayP99Ms) &&
      above <= memoryFactor * identityBytes,
    measured: [
      ...[...phases].map(
        ([name, { p99Ms, maxMs }]) => `${name} p99 ${formatMs(p99Ms)}, max ${formatMs(maxMs)}`,
      ),
      `memory ${formatMegabytes(above)} above idle, ${(above / identityBytes).toFixed(1)} times the ` +
        `${formatMegabytes(identityBytes)} of identity bytes`,
      `${updated} changed employees delivered`,
    ].join("; "),
  };
}

async function measureFortyCompanies(context: RowContext): Promise<Measured> {
  const companies = context.scaled(40, 4);
  const employees = context.scaled(10_000, 500);
  const stage = await context.stage();
  await stage.start("api");
  const worker = await stage.start("worker");
  const memory = watchMemory(context, stage);
  const vendor = await context.use(startSlowVendorProgram({ employees }));
  const receiver = await Receiver.start();
  context.defer("the receiver", () => receiver.close());
  const small = await warmUp(context, stage);
  const client = await createClient(stage);
  const signIns = Array.from({ length: companies }, (_, index) => ({
    url: vendor.url,
    username: `company-${index}`,
  }));
  await connectAccounts(stage, client, signIns);
  const path = `${stage.baseUrl}/2023-03-01/xhr/company`;
  const prober = await context.use(startProber(path, small.token));
  await delay(2_000);
  await prober.mark();
  await delay(15_000);
  const idle = await prober.mark();
  context.note(`idle p99 ${formatMs(idle.p99Ms)}; ${companies} companies become due`);

  const beganAt = performance.now();
  await listenAt(stage, client, receiver.url);
  const limitMs = context.scaled(2_700_000, 300_000);
  const countDone = (): Promise<number> => readCounter(worker, pollsEnded, { outcome: "baseline" });
  await untilSo(stage, limitMs, async () => (await countDone()) >= companies, 1_000);
  const tookMs = performance.now() - beganAt;
  const done = await countDone();
  const during = await prober.mark();
  const peak = memory.peak(beganAt);
  const allowed = Math.max(2 * idle.p99Ms, smallP99Ms);
  return {
    isOk: done === companies && peak < mostMemory && during.p99Ms <= allowed && during.failed === 0,
    measured:
      `${done} of ${companies} polled in ${formatMs(tookMs)}; memory at most ${formatMegabytes(peak)}; ` +
      `small GET p99 ${formatMs(idle.p99Ms)} → ${formatMs(during.p99Ms)}, ${during.failed} failed ` +
      `(prober's own ${formatMs(during.ownDelayP99Ms)})`,
  };
}

function watchMemory(context: RowContext, stage: Stage): MemoryWatch {
  const memory = new MemoryWatch(() => stage.pids);
  context.defer("the memory watch", async () => memory.stop());
  return memory;
}

/** A first small company, so that idle means: everything is loaded. */
async function warmUp(context: RowContext, stage: Stage): Promise<{ token: string }> {
  const vendor = await context.use(startSlowVendorProgram({ employees: 20 }));
  const client = await createClient(stage);
  const account = await connectAccount(stage, client, { url: vendor.url, username: "small" });
  for (const resource of ["employees", "company"]) {
    const { status } = await askUntilEnded(stage, account, { resource, limitMs: 60_000 });
    if (status !== 200) throw new Error(`the first small read ended with ${status}`);
  }
  await delay(3_000);
  return account;
}

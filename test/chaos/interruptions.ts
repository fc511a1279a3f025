import { setTimeout as delay } from "node:timers/promises";
import { startSlowVendorProgram, type VendorProgram } from "../support/vendors/vendor-program.ts";
import {
  connectAccount,
  connectAccounts,
  createClient,
  disconnect,
  type Account,
} from "./accounts.ts";
import { askOnce, askUntilEnded, describeEnd, describeOthers, type Ended } from "./asking.ts";
import { formatMs } from "./latency.ts";
import { untilSo } from "./measuring.ts";
import { loseHalfOfTheQueue } from "./lose-queue-entries.ts";
import type { Measured, Row, RowContext } from "./row.ts";
import type { Stage } from "./stage.ts";

export const disconnectDuringRead: Row = {
  name: "disconnect-during-read",
  target: "no request of the connection begins later than 2 s after",
  limitMinutes: 10,
  run: measureDisconnect,
};

export const halfLostQueue: Row = {
  name: "half-lost-queue",
  target: "every read ends with 200",
  limitMinutes: 20,
  run: measureHalfLostQueue,
};

export const workerKilled: Row = {
  name: "worker-killed",
  target: "the read ends with 200; with rolling restarts it is never broken",
  limitMinutes: 30,
  run: measureWorkerKilled,
};

const graceMs = 2_000;
const resources = ["company", "employees", "groups", "work-locations"];

/** A vendor whose reads of all employees take about so long. */
async function startVendorOf(context: RowContext, readSeconds: number): Promise<VendorProgram> {
  const employees = context.scaled(5_029, 1_200);
  // Five requests for a page of 200 employees.
  const delayMs = (readSeconds * 1_000) / ((employees / 200) * 5);
  return await context.use(startSlowVendorProgram({ employees, delayMs: Math.round(delayMs) }));
}

async function measureDisconnect(context: RowContext): Promise<Measured> {
  const stage = await context.stage();
  await stage.start("api");
  await stage.start("worker");
  const vendor = await startVendorOf(context, context.scaled(60, 40));
  const client = await createClient(stage);
  const signIns = Array.from({ length: 3 }, (_, index) => ({
    url: vendor.url,
    username: `leaving-${index}`,
  }));
  const accounts = await connectAccounts(stage, client, signIns);
  await vendor.control({ reset: true });
  await Promise.all(accounts.map((account) => askOnce(stage, account)));
  const areReading = await untilSo(stage, 60_000, async () => {
    const counts = await Promise.all(accounts.map(({ username }) => vendor.counts(username)));
    return counts.every(({ readsBegun, total }) => readsBegun > 0 && total > 10);
  });
  if (!areReading) throw new Error("the reads did not begin");
  const ends = new Map<Account, number>();
  for (const account of accounts) {
    await disconnect(stage, account);
    ends.set(account, Date.now());
  }
  await delay(context.scaled(60_000, 25_000));
  const late = await Promise.all(
    accounts.map(async (account) => {
      const times = await vendor.requestTimes(account.username);
      return times.map((at) => at - (ends.get(account) ?? 0)).filter((afterMs) => afterMs > 0);
    }),
  );
  const all = late.flat();
  const tooLate = all.filter((afterMs) => afterMs > graceMs);
  return {
    isOk: tooLate.length === 0,
    measured:
      `${tooLate.length} requests later than 2 s after, ${all.length} after the disconnect at all, ` +
      `the last ${formatMs(Math.max(0, ...all))} after`,
  };
}

/** The workers are away while the entries are lost, so all reads still wait for one. */
async function measureHalfLostQueue(context: RowContext): Promise<Measured> {
  const stage = await context.stage();
  await stage.start("api");
  const first = await stage.start("worker");
  const vendor = await context.use(startSlowVendorProgram({ employees: 20 }));
  const client = await createClient(stage);
  const count = context.scaled(125, 20);
  const signIns = Array.from({ length: count }, (_, index) => ({
    url: vendor.url,
    username: `waiting-${index}`,
  }));
  const accounts = await connectAccounts(stage, client, signIns);
  await first.stop();
  const asked = accounts.flatMap((account) => resources.map((resource) => ({ account, resource })));
  for (const { account, resource } of asked) await askOnce(stage, account, resource);
  const lost = await loseHalfOfTheQueue(stage);
  context.note(`${lost} queue entries are lost`);
  await stage.start("worker");
  const limitMs = context.scaled(600_000, 150_000);
  const ended = await Promise.all(
    asked.map(({ account, resource }) => askUntilEnded(stage, account, { resource, limitMs })),
  );
  const ready = ended.filter(({ status }) => status === 200);
  return {
    isOk: ready.length === asked.length && lost > 0,
    measured:
      `${lost} entries lost; ${ready.length} of ${asked.length} reads ready, the last after ` +
      `${formatMs(Math.max(...ended.map(({ tookMs }) => tookMs)))}; others: ${describeOthers(ended)}`,
  };
}

async function measureWorkerKilled(context: RowContext): Promise<Measured> {
  const stage = await context.stage();
  await stage.start("api");
  const readSeconds = context.scaled(60, 20);
  const vendor = await startVendorOf(context, readSeconds);
  const client = await createClient(stage);
  await stage.start("worker");
  const killed = await readWhile(context, { stage, vendor, client, readSeconds }, async () => {
    await stage.running.at(-1)!.kill("SIGKILL");
    context.note("the worker is killed");
    await stage.start("worker");
  });
  const rolled = await readWhile(context, { stage, vendor, client, readSeconds }, async () => {
    for (let restart = 0; restart < 3; restart += 1) {
      const old = stage.running.at(-1)!;
      await stage.start("worker");
      await old.stop();
      context.note("a worker is replaced");
      await delay((readSeconds * 1_000) / 3);
    }
  });
  const outcomes = [
    ["SIGKILL", killed],
    ["rolling restarts", rolled],
  ] as const;
  return {
    isOk: outcomes.every(([, { status }]) => status === 200),
    measured: outcomes
      .map(([name, end]) => `${name}: ${describeEnd(end)} after ${formatMs(end.tookMs)}`)
      .join("; "),
  };
}

let readers = 0;

/** A read of a new connection, in the middle of which something happens. */
async function readWhile(
  context: RowContext,
  {
    stage,
    vendor,
    client,
    readSeconds,
  }: {
    stage: Stage;
    vendor: VendorProgram;
    client: { clientId: string; secret: string };
    readSeconds: number;
  },
  happen: () => Promise<void>,
): Promise<Ended> {
  const username = `reader-${(readers += 1)}`;
  const account = await connectAccount(stage, client, { url: vendor.url, username });
  const limitMs = context.scaled(600_000, 240_000);
  const ending = askUntilEnded(stage, account, { limitMs });
  const hasBegun = await untilSo(
    stage,
    60_000,
    async () => (await vendor.counts(username)).readsBegun > 0,
  );
  if (!hasBegun) throw new Error("the read did not begin");
  await delay((readSeconds * 1_000) / 3);
  await happen();
  return await ending;
}

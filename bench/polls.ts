import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import {
  connectAccounts,
  createClient,
  listenAt,
  type TestClient,
} from "../test/chaos/accounts.ts";
import { listTree } from "../test/chaos/process-tree.ts";
import type { RowContext } from "../test/chaos/row.ts";
import type { Stage } from "../test/chaos/stage.ts";
import {
  startSlowVendorProgram,
  type VendorProgram,
} from "../test/support/vendors/vendor-program.ts";
import { cpuBetween, readCpuTimes, type CpuTimes } from "./cpu-meter.ts";
import { connectInstant, instantEnvironment } from "./instant-connections.ts";
import { rounds } from "./options.ts";
import { profileProcess, type CpuProfile } from "./profile-process.ts";
import type { Claim } from "./report.ts";
import { storePidsOf } from "./stage-pids.ts";
import { withContext, type Store } from "./with-context.ts";

const companies = 48;
const employees = 100;
const hosts = 12;
const roundLimitMs = 300_000;
const idleMs = 3_000;
const profiledRounds = 4;

/** What a million connections leave for one poll of an unchanged company of 100 employees, in microseconds. */
const need = { worker: 7_000, stores: 3_600 };

/** A worker with companies that are polled, and the receiver of its webhooks beside it. */
interface PollStage {
  stage: Stage;
  parts: { worker: () => readonly number[]; stores: readonly number[] };
  /** Processor time of each part while nothing is due, in microseconds a millisecond. */
  idle: PartTimes;
}

/** The shared sandbox has a poll too, which is never due. */
const isListening = "client_id in (select client_id from webhook_endpoints)";

type PartTimes = Record<"worker" | "stores", number>;

/**
 * Processor time of a poll of 100 employees against what a million connections need: unchanged at a provider that
 * takes no time, which is the part of ours, and unchanged and changed at one that is asked fourteen times for one list.
 */
export async function benchPolls(): Promise<Claim[]> {
  const claims: Claim[] = [];
  for (const store of ["embedded", "redis"] as const)
    claims.push(...(await benchInstant(store)), ...(await benchVendor(store)));
  return claims;
}

async function benchInstant(store: Store): Promise<Claim[]> {
  return await withContext(store, async (context) => {
    const stage = await context.stage(instantEnvironment);
    const polled = await buildPollStage(context, stage, async (client) => {
      await stage.withServices((services) =>
        connectInstant(services, client, { employees, companies }),
      );
    });
    const unchanged: PartTimes[] = [];
    // The first round warms up.
    for (let round = -1; round < rounds; round += 1) {
      const times = await pollAll(polled);
      if (round >= 0) unchanged.push(times);
    }
    return claimsOf(store, "of a provider that takes no time", unchanged, {
      worker: 0.7,
      stores: 0.7,
    });
  });
}

async function benchVendor(store: Store): Promise<Claim[]> {
  return await withVendor(store, async (polled, vendor) => {
    const unchanged: PartTimes[] = [];
    const changed: PartTimes[] = [];
    for (let round = -1; round < rounds; round += 1) {
      const same = await pollAll(polled);
      await vendor.control({ change: 1 });
      const other = await pollAll(polled);
      if (round < 0) continue;
      unchanged.push(same);
      changed.push(other);
    }
    const sum = ({ worker, stores }: PartTimes): number => worker + stores;
    return [
      ...claimsOf(store, "in fourteen requests", unchanged, { worker: 0.12, stores: 0.45 }),
      {
        name: `${store}: a poll of ${employees} unchanged employees, against one with its webhook`,
        target: 2,
        guard: 1.4,
        ratios: unchanged.map((times, round) => sum(changed[round] ?? times) / sum(times)),
        costs: unchanged.map((times, round) => ({
          ours: sum(times),
          reference: sum(changed[round] ?? times),
        })),
      },
    ];
  });
}

/** Profiles the adapter process that has the most to do while companies are polled in fourteen requests each. */
export async function profilePolls(): Promise<CpuProfile> {
  return await withVendor("embedded", async (polled) => {
    await pollAll(polled);
    const workers = polled.parts.worker();
    const before = new Map(
      listTree(workers)
        .filter((pid) => !workers.includes(pid))
        .map((pid) => [pid, readCpuTimes([pid])]),
    );
    await pollAll(polled);
    const [busiest] = [...before]
      .map(([pid, times]) => ({ pid, us: cpuBetween(times, readCpuTimes([pid])) }))
      .sort((one, other) => other.us - one.us);
    return await profileProcess(busiest?.pid ?? 0, async () => {
      for (let round = 0; round < profiledRounds; round += 1) await pollAll(polled);
    });
  });
}

async function withVendor<Result>(
  store: Store,
  work: (polled: PollStage, vendor: VendorProgram) => Promise<Result>,
): Promise<Result> {
  return await withContext(store, async (context) => {
    const stage = await context.stage();
    const vendor = await context.use(startSlowVendorProgram({ employees, hosts }));
    const polled = await buildPollStage(context, stage, async (client) => {
      const signIns = Array.from({ length: companies }, (_, index) => ({
        url: vendor.urls[index % hosts] ?? vendor.url,
        username: `company-${index}`,
      }));
      await connectAccounts(stage, client, signIns);
    });
    return await work(polled, vendor);
  });
}

function claimsOf(
  store: Store,
  how: string,
  measured: readonly PartTimes[],
  guards: PartTimes,
): Claim[] {
  return (["worker", "stores"] as const).map((part) => ({
    name: `${store}: ${part}, a poll of ${employees} unchanged employees ${how}`,
    target: 1,
    guard: guards[part],
    ratios: measured.map((times) => need[part] / times[part]),
    costs: measured.map((times) => ({ ours: times[part], reference: need[part] })),
  }));
}

/** Connects the companies of one client that listens, and polls them once. */
async function buildPollStage(
  context: RowContext,
  stage: Stage,
  connect: (client: TestClient) => Promise<void>,
): Promise<PollStage> {
  const receiver = createServer((request, response) => {
    request.resume().once("end", () => response.writeHead(204).end());
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  context.defer("the receiver", async () => {
    receiver.close();
    receiver.closeAllConnections();
  });
  const api = await stage.start("api");
  const worker = await stage.start("worker");
  const client = await createClient(stage);
  const { port } = receiver.address() as AddressInfo;
  await listenAt(stage, client, `http://127.0.0.1:${port}/`);
  await connect(client);
  await api.stop();
  const parts = { worker: () => [worker.pid], stores: await storePidsOf(stage) };
  await untilPolled(stage, performance.now());
  const before = readParts(parts);
  await delay(idleMs);
  const spent = since(before, readParts(parts));
  return {
    stage,
    parts,
    idle: { worker: spent.worker / idleMs, stores: spent.stores / idleMs },
  };
}

/** Makes every poll due and waits for the last one. Microseconds of a poll, above those of an idle worker. */
async function pollAll({ stage, parts, idle }: PollStage): Promise<PartTimes> {
  const beganAt = performance.now();
  const before = readParts(parts);
  await stage.query(`update polls set polled_at = null, next_poll_at = now() where ${isListening}`);
  await untilPolled(stage, beganAt);
  const spent = since(before, readParts(parts));
  const ms = performance.now() - beganAt;
  return {
    worker: (spent.worker - idle.worker * ms) / companies,
    stores: (spent.stores - idle.stores * ms) / companies,
  };
}

async function untilPolled(stage: Stage, beganAt: number): Promise<void> {
  for (;;) {
    const [left] = await stage.query(
      `select (select count(*)::integer from polls where ${isListening} and (polled_at is null or state = 'pending'))
         + (select count(*)::integer from deliveries where status = 'pending') as polls`,
    );
    if (left?.["polls"] === 0) return;
    if (performance.now() - beganAt > roundLimitMs) throw new Error("the polls did not end");
    await delay(100);
  }
}

type Readings = Record<keyof PartTimes, CpuTimes>;

function readParts({ worker, stores }: PollStage["parts"]): Readings {
  return { worker: readCpuTimes(worker()), stores: readCpuTimes(stores) };
}

function since(before: Readings, after: Readings): PartTimes {
  return {
    worker: cpuBetween(before.worker, after.worker),
    stores: cpuBetween(before.stores, after.stores),
  };
}

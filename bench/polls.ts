import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
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
import type { FloorTask } from "./peers/poll-floor.ts";
import { startTee, type Tee } from "./peers/tee.ts";
import { makeEmployee } from "./people.ts";
import { profileProcess, type CpuProfile } from "./profile-process.ts";
import type { Claim, Cost } from "./report.ts";
import { storePidsOf } from "./stage-pids.ts";
import { startServer } from "./start-server.ts";
import { withContext, type Store } from "./with-context.ts";

const companies = 48;
const employees = 100;
const hosts = 12;
const roundLimitMs = 300_000;
const idleMs = 3_000;
const profiledRounds = 4;

/** What a poll of an unchanged company of 100 employees may cost, in microseconds. */
const targets = {
  instant: { worker: 2_500, stores: 2_000 },
  vendor: { worker: 5_000, stores: 2_500 },
  watched: { worker: 2_500, stores: 2_000 },
} as const;
/** A poll that finds nothing new commits as often, each time a row. */
const commits = 3;
const committedPolls = 200;
/** A worker asks for as many companies at a time. */
const floorAtOnce = 8;
const floorWarmUps = 5;

/** A worker with companies that are polled, and the receiver of its webhooks beside it. */
interface PollStage {
  stage: Stage;
  parts: { worker: () => readonly number[]; stores: readonly number[] };
  /** The address of the receiver. */
  receiver: string;
  /** Processor time of each part while nothing is due, in microseconds a millisecond. */
  idle: PartTimes;
}

/** The shared sandbox has a poll too, which is never due. */
const isListening = "client_id in (select client_id from webhook_endpoints)";

type PartTimes = Record<"worker" | "stores", number>;

/**
 * Processor time of a poll of 100 employees: unchanged at a provider that takes no time, which is the part of ours, and
 * unchanged and changed at one that is asked many times for one list. The worker's is held against a process that makes
 * the same requests and nothing else, the stores' against as many commits of one row.
 */
export async function benchPolls(): Promise<Claim[]> {
  const claims: Claim[] = [];
  for (const store of ["embedded", "redis"] as const)
    claims.push(
      ...(await benchInstant(store)),
      ...(await benchVendor(store)),
      ...(await benchWatched(store)),
    );
  return claims;
}

async function benchInstant(store: Store): Promise<Claim[]> {
  return await withContext(store, async (context) => {
    const stage = await context.stage(instantEnvironment);
    const polled = await buildPollStage(context, { stage, worker: {} }, async (client) => {
      await stage.withServices((services) =>
        connectInstant(services, client, { employees, companies }),
      );
    });
    const floor = await startFloor(context, await instantFloor(context, polled));
    const measured = await measureRounds(polled, floor);
    return claimsOf(store, "of a provider that takes no time", measured, targets.instant);
  });
}

async function benchVendor(store: Store): Promise<Claim[]> {
  return await withVendor(store, {}, async (polled, beside) => {
    const { requests, floor } = await startVendorFloor(polled, beside);
    const changes: Cost[] = [];
    const measured = await measureRounds(polled, floor, async () => {
      await beside.vendor.control({ change: 1 });
      const { worker, stores } = await pollAll(polled);
      changes.push({ ours: worker + stores, reference: await floor.poll() });
    });
    // The first round warmed up.
    const costs = changes.slice(1);
    return [
      ...claimsOf(store, `in ${requests} requests`, measured, targets.vendor),
      {
        name: `${store}: from a changed employee to the receiver's reply, against the same in one process`,
        target: 0.4,
        costs,
      },
    ];
  });
}

/** At a vendor that gives all that employees are made of at once, so that a poll looks whether it is the same. */
async function benchWatched(store: Store): Promise<Claim[]> {
  return await withVendor(store, { isNested: true }, async (polled, beside) => {
    // The first poll looks at everybody for the first time.
    await pollAll(polled);
    const { requests, floor } = await startVendorFloor(polled, beside);
    const measured = await measureRounds(polled, floor);
    return claimsOf(store, `by a look in ${requests} requests`, measured, targets.watched);
  });
}

async function startVendorFloor(
  polled: PollStage,
  { context, tee, urls }: PolledVendor,
): Promise<{ requests: number; floor: Floor }> {
  tee.take();
  await pollAll(polled);
  const requests = tee.take();
  const { receiver } = polled;
  const floor = await startFloor(context, { requests, urls, atOnce: floorAtOnce, receiver });
  return { requests: requests.length, floor };
}

interface Round {
  ours: PartTimes;
  floor: PartTimes;
}

/** The first round warms up. */
async function measureRounds(
  polled: PollStage,
  floor: Floor,
  between: () => Promise<void> = async () => undefined,
): Promise<Round[]> {
  const measured: Round[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const ours = await pollAll(polled);
    await between();
    const times = { worker: await floor.poll(), stores: await costOfCommits(polled) };
    if (round >= 0) measured.push({ ours, floor: times });
  }
  return measured;
}

/** Profiles the adapter process that has the most to do while companies are polled in many requests each. */
export async function profilePolls(): Promise<CpuProfile> {
  const preload = join(import.meta.dirname, "allow-inspector.js");
  return await withVendor("embedded", { preload }, async (polled) => {
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

interface PolledVendor {
  context: RowContext;
  vendor: VendorProgram;
  /** The address of each company. */
  urls: readonly string[];
  /** Sees what the first company is asked. */
  tee: Tee;
}

async function withVendor<Result>(
  store: Store,
  { isNested = false, ...worker }: { preload?: string; isNested?: boolean },
  work: (polled: PollStage, beside: PolledVendor) => Promise<Result>,
): Promise<Result> {
  return await withContext(store, async (context) => {
    const stage = await context.stage();
    const vendor = await context.use(startSlowVendorProgram({ employees, hosts, isNested }));
    const tee = await startTee(vendor.url);
    context.defer("the tee", () => tee.close());
    const urls = Array.from(
      { length: companies },
      (_, index) => vendor.urls[index % hosts] ?? vendor.url,
    );
    const polled = await buildPollStage(context, { stage, worker }, async (client) => {
      const signIns = urls.map((url, index) => ({
        url: index === 0 ? tee.url : url,
        username: `company-${index}`,
      }));
      await connectAccounts(stage, client, signIns);
    });
    return await work(polled, { context, vendor, urls, tee });
  });
}

/** A server that has the list of each company, as it would be asked for in one request. */
async function instantFloor({ defer }: RowContext, { receiver }: PollStage): Promise<FloorTask> {
  const people = Array.from({ length: employees }, (_, index) => makeEmployee(index + 1));
  const bytes = Buffer.from(JSON.stringify(people));
  const reply = { name: "employees", encoding: undefined, bytes };
  const { origin } = await startServer("bare-server.ts", [reply], { defer });
  return {
    requests: [{ method: "GET", path: "/employees", headers: {}, body: "" }],
    urls: Array.from({ length: companies }, () => origin),
    atOnce: floorAtOnce,
    receiver,
  };
}

function claimsOf(
  store: Store,
  how: string,
  measured: readonly Round[],
  targetsUs: PartTimes,
): Claim[] {
  const references = { worker: "the same requests alone", stores: `${commits} commits of a row` };
  return (["worker", "stores"] as const).map((part) => ({
    name: `${store}: ${part}, a poll of ${employees} unchanged employees ${how}, against ${references[part]}`,
    targetUs: targetsUs[part],
    costs: measured.map(({ ours, floor }) => ({ ours: ours[part], reference: floor[part] })),
  }));
}

interface Floor {
  /** Microseconds of a poll. */
  poll(): Promise<number>;
}

async function startFloor(context: RowContext, task: FloorTask): Promise<Floor> {
  const child = fork(join(import.meta.dirname, "peers/poll-floor.ts"), {
    serialization: "advanced",
  });
  context.defer("the floor of polls", async () => child.disconnect());
  const answered = async (message: FloorTask | "poll"): Promise<void> => {
    child.send(message);
    await once(child, "message");
  };
  await answered(task);
  // V8 compiles what it needs.
  for (let count = 0; count < floorWarmUps; count += 1) await answered("poll");
  return {
    poll: async () => {
      const before = readCpuTimes([child.pid ?? 0]);
      await answered("poll");
      return cpuBetween(before, readCpuTimes([child.pid ?? 0])) / task.urls.length;
    },
  };
}

/** What the stores take for the commits of a poll. */
async function costOfCommits({ stage, parts }: PollStage): Promise<number> {
  await stage.query("create table if not exists bench_commits (id integer primary key, n integer)");
  await stage.query("insert into bench_commits values (1, 0) on conflict do nothing");
  const before = readCpuTimes(parts.stores);
  for (let count = 0; count < commits * committedPolls; count += 1)
    await stage.query("update bench_commits set n = n + 1 where id = 1");
  return cpuBetween(before, readCpuTimes(parts.stores)) / committedPolls;
}

/** Connects the companies of one client that listens, and polls them once. */
async function buildPollStage(
  context: RowContext,
  { stage, worker: options }: { stage: Stage; worker: { preload?: string } },
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
  const worker = await stage.start("worker", options);
  const client = await createClient(stage);
  const { port } = receiver.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  await listenAt(stage, client, url);
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
    receiver: url,
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

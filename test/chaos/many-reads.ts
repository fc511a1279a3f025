import { setTimeout as delay } from "node:timers/promises";
import { request } from "undici";
import { listStores, recordStores } from "../support/record-stores.ts";
import { startSlowVendorProgram } from "../support/vendors/vendor-program.ts";
import { connectAccounts, createClient, type Account } from "./accounts.ts";
import { askOnce, askUntilEnded, describeOthers } from "./asking.ts";
import { formatMs } from "./latency.ts";
import { loseHalfOfTheQueue } from "./lose-queue-entries.ts";
import type { Measured, Row, RowContext } from "./row.ts";
import type { ServiceProgram } from "./service-program.ts";
import type { Stage } from "./stage.ts";

export const thousandReads: Row = {
  name: "thousand-reads",
  target: "a worker killed every 0.9 s, 25 times: every read ends with 200, each stored once",
  limitMinutes: 30,
  run: measureThousand,
};

export const workersAway: Row = {
  name: "workers-away",
  target:
    "202 with Retry-After for a minute, then every read ends with 200, also where its entry was lost",
  limitMinutes: 30,
  run: measureAway,
};

const resources = ["company", "employees", "groups", "work-locations"];
const killEveryMs = 900;

interface Asked {
  account: Account;
  resource: string;
}

/** So many connections, each of whose resources is asked for while no worker runs. */
async function askAll(
  context: RowContext,
  stage: Stage,
  options: { connections: number; delayMs: number },
): Promise<Asked[]> {
  const worker = await stage.start("worker");
  const vendor = await context.use(
    startSlowVendorProgram({ employees: 20, delayMs: options.delayMs }),
  );
  const client = await createClient(stage);
  const signIns = Array.from({ length: options.connections }, (_, index) => ({
    url: vendor.url,
    username: `asked-${index}`,
  }));
  const accounts = await connectAccounts(stage, client, signIns);
  await worker.stop();
  const asked = accounts.flatMap((account) => resources.map((resource) => ({ account, resource })));
  for (const { account, resource } of asked) {
    const { status } = await askOnce(stage, account, resource);
    if (status !== 202) throw new Error(`a read that nobody runs was answered ${status}`);
  }
  context.note(`${asked.length} reads are asked for`);
  return asked;
}

async function endAll(stage: Stage, asked: readonly Asked[], limitMs: number) {
  return await Promise.all(
    asked.map(({ account, resource }) => askUntilEnded(stage, account, { resource, limitMs })),
  );
}

async function measureThousand(context: RowContext): Promise<Measured> {
  const stage = await context.stage();
  await stage.start("api");
  const connections = context.scaled(250, 25);
  const asked = await askAll(context, stage, { connections, delayMs: 150 });
  await recordStores((text) => stage.query(text));
  const kills = context.scaled(25, 5);
  const workers = await Promise.all(Array.from({ length: 4 }, () => startSmall(stage)));
  const times: number[] = [];
  let [pendingAtLast, killed] = [0, 0];
  const starting: Promise<void>[] = [];
  for (; killed < kills; killed += 1) {
    await delay(killEveryMs);
    while (workers.length === 0) await delay(20);
    times.push(performance.now());
    await workers.shift()!.kill("SIGKILL");
    pendingAtLast = await countPending(stage);
    starting.push(startSmall(stage).then((worker) => void workers.push(worker)));
  }
  context.note(`the last worker is killed; ${pendingAtLast} reads are pending`);
  await Promise.all(starting);
  const ended = await endAll(stage, asked, context.scaled(900_000, 240_000));
  const stores = await listStores((text) => stage.query(text));
  const ready = ended.filter(({ status }) => status === 200).length;
  const distinct = new Set(stores).size;
  const everyMs = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / Math.max(1, kills - 1);
  return {
    isOk:
      ready === asked.length &&
      stores.length === asked.length &&
      distinct === asked.length &&
      pendingAtLast > 0,
    measured:
      `${ready} of ${asked.length} reads ready, ${stores.length} stores of ${distinct} lists; ${killed} kills, one in ` +
      `${formatMs(everyMs)}, ${pendingAtLast} reads pending at the last; others: ${describeOthers(ended)}`,
  };
}

/** A worker that has not done everything before the first kill. */
async function startSmall(stage: Stage): Promise<ServiceProgram> {
  return await stage.start("worker", { env: { WORKER_CONCURRENCY: "4" } });
}

async function countPending(stage: Stage): Promise<number> {
  const rows = await stage.query("select count(*) as count from reads where state = 'pending'");
  return Number(rows[0]?.["count"]);
}

async function measureAway(context: RowContext): Promise<Measured> {
  const stage = await context.stage();
  await stage.start("api");
  const asked = await askAll(context, stage, {
    connections: context.scaled(125, 10),
    delayMs: 0,
  });
  const until = performance.now() + context.scaled(60_000, 12_000);
  let [answers, wrong] = [0, 0];
  while (performance.now() < until) {
    for (const each of asked) {
      if (!(await isPromised(stage, each))) wrong += 1;
      answers += 1;
    }
  }
  const lost = await loseHalfOfTheQueue(stage);
  context.note(`${answers} answers, ${wrong} wrong; ${lost} entries are lost`);
  await stage.start("worker");
  const ended = await endAll(stage, asked, context.scaled(600_000, 150_000));
  const ready = ended.filter(({ status }) => status === 200).length;
  return {
    isOk: wrong === 0 && lost > 0 && ready === asked.length,
    measured:
      `${answers} answers while no worker ran, ${wrong} of them not 202 with Retry-After; ${lost} entries lost; ` +
      `${ready} of ${asked.length} reads ready, the last after ` +
      `${formatMs(Math.max(...ended.map(({ tookMs }) => tookMs)))}; others: ${describeOthers(ended)}`,
  };
}

async function isPromised(stage: Stage, { account, resource }: Asked): Promise<boolean> {
  const { statusCode, headers, body } = await request(
    `${stage.baseUrl}/2023-03-01/xhr/${resource}`,
    { headers: { authorization: `Bearer ${account.token}` } },
  );
  await body.dump();
  return statusCode === 202 && Number(headers["retry-after"]) > 0;
}

import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { scopesOfMode } from "../../src/model/index.ts";
import { memoryOf } from "../../bench/memory-meter.ts";
import { storePidsOf } from "../../bench/stage-pids.ts";
import { projectDir } from "../support/program-environment.ts";
import { Receiver } from "../support/receiver.ts";
import { startPagedVendor, type PagedVendor } from "../support/vendors/paged-vendor.ts";
import { connectHere, createClient, listenAt } from "./accounts.ts";
import { formatMs, percentile } from "./latency.ts";
import { startProber, untilSo } from "./measuring.ts";
import { formatMegabytes, MemoryWatch } from "./memory-watch.ts";
import type { Measured, Row, RowContext } from "./row.ts";
import type { Stage } from "./stage.ts";

export const polledHour: Row = {
  name: "polled-hour",
  target:
    "10,000 companies of 100 employees at a vendor of three requests for an hour, 50 GETs a second beside it: each is " +
    "polled, p99 of the lag under 60 s, what changed is told within a minute, no process grows by 60 MB, 4 GB for all " +
    "processes and stores",
  limitMinutes: 110,
  run: measure,
};

const size = { employees: 100, pages: 3 };
const mostGrowth = 60_000_000;
const mostMegabytes = 4_096;
const everyMs = 20;
const leadMs = 5_000;
const minuteMs = 60_000;
const mostFirstMs = 20 * minuteMs;

async function measure(context: RowContext): Promise<Measured> {
  const count = context.scaled(10_000, 100);
  const lengthMs = context.scaled(60 * minuteMs, minuteMs);
  const vendor = await startPagedVendor(size);
  context.defer("the vendor", () => vendor.close());
  const companies = await connectCompanies(context, vendor, count);
  const { stage, told } = companies;
  const beganAt = await spreadPolls(stage, lengthMs);
  const changes = Math.ceil(count / 100);
  vendor.change(Array.from({ length: changes }, (_, index) => String(index * 100)));
  const asked = vendor.requests();
  const beside = await watchBeside(context, companies, lengthMs + leadMs);
  let polls: EndedPoll[] = [];
  await untilSo(stage, minuteMs, async () => {
    polls = await listPolls(stage, beganAt);
    return polls.length === count && told.size >= changes;
  });
  const isAsItShould = ({ outcome }: EndedPoll): boolean =>
    ["changed", "unchanged"].includes(outcome);
  const failed = polls.length - polls.filter(isAsItShould).length;
  const lags = polls.map(({ lagMs }) => lagMs);
  const tellings = polls.flatMap(({ tokenId, slotMs }) => {
    const at = told.get(tokenId);
    return at === undefined ? [] : [at - slotMs];
  });
  const lagP99Ms = percentile(lags, 0.99);
  const slowestMs = percentile(tellings, 1);
  return {
    isOk:
      beside.isOk &&
      polls.length === count &&
      failed === 0 &&
      lagP99Ms < minuteMs &&
      tellings.length === changes &&
      slowestMs < minuteMs,
    measured:
      `${polls.length} of ${count} polled in ${formatMs(lengthMs)} with ${vendor.requests() - asked} requests, ` +
      `${failed} failed; lag p50 ${formatMs(percentile(lags, 0.5))}, p99 ${formatMs(lagP99Ms)}, at most ${formatMs(percentile(lags, 1))}; ` +
      `${tellings.length} of ${changes} changes told, the last ${formatMs(slowestMs)} after its poll was due; ` +
      beside.measured,
  };
}

/** Asks for a list all the time, and looks at the memory. */
async function watchBeside(
  context: RowContext,
  { stage, token }: Companies,
  lengthMs: number,
): Promise<Measured> {
  const memory = new MemoryWatch(() => stage.pids);
  context.defer("the memory watch", async () => memory.stop());
  const url = `${stage.baseUrl}/2023-03-01/xhr/employees`;
  const prober = await context.use(startProber(url, token, everyMs));
  const stores = await storePidsOf(stage);
  const startedMs = performance.now();
  let megabytes = 0;
  while (performance.now() < startedMs + lengthMs) {
    await delay(lengthMs / 60, undefined, { signal: stage.signal });
    megabytes = Math.max(megabytes, memoryOf([...stage.pids, ...stores]));
    context.note(`${megabytes.toFixed(0)} MB`);
  }
  const gets = await prober.mark();
  const growth = memory.growthPerMinute(startedMs + lengthMs / 5) * (lengthMs / minuteMs);
  return {
    isOk: gets.failed === 0 && growth < mostGrowth && megabytes < mostMegabytes,
    measured:
      `GETs p50 ${formatMs(gets.p50Ms)}, p99 ${formatMs(gets.p99Ms)}, ${gets.failed} of ${gets.count} failed; ` +
      `${formatMegabytes(growth)} more in that time; ${megabytes.toFixed(0)} MB`,
  };
}

interface Companies {
  stage: Stage;
  /** When each token's webhook came first, in milliseconds. */
  told: ReadonlyMap<string, number>;
  /** Of one of them. */
  token: string;
}

/** All of one client, which listens, each with its first list. */
async function connectCompanies(
  context: RowContext,
  vendor: PagedVendor,
  count: number,
): Promise<Companies> {
  const stage = await context.stage({
    PROVIDERS: join(projectDir, "test/support/vendors/paged-provider.ts"),
    SNAPSHOT_FRESH_SECONDS: "86400",
    SNAPSHOT_STALE_SECONDS: "86400",
  });
  await stage.start("api");
  await stage.start("worker");
  const receiver = await Receiver.start();
  context.defer("the receiver", () => receiver.close());
  const told = new Map<string, number>();
  receiver.answer = (response, { headers }) => {
    const token = String(headers["x-service-api-token"]);
    if (!told.has(token)) told.set(token, Date.now());
    response.writeHead(204).end();
  };
  const client = await createClient(stage);
  await listenAt(stage, client, receiver.url);
  const request = { provider: "paged", mode: "xhr", scopes: scopesOfMode("xhr") } as const;
  const forms = Array.from({ length: count }, (_, index) => ({
    url: vendor.url,
    username: String(index),
  }));
  const [token = ""] = await stage.withServices((services) =>
    connectHere(services, client, request, forms),
  );
  context.note(`${count} companies are connected`);
  const areRead = await untilSo(stage, mostFirstMs, async () => {
    const [row] = await stage.query("select count(*)::integer as count from receiver_states");
    return row?.["count"] === count;
  });
  if (!areRead) throw new Error("the first polls did not end");
  context.note("each has its first list");
  return { stage, told, token };
}

/** Gives each poll its place in the time that comes, as each has one in an hour. Returns when that begins. */
async function spreadPolls(stage: Stage, lengthMs: number): Promise<Date> {
  const [row] = await stage.query(
    `with begun as (
       select at, extract(epoch from at - date_trunc('hour', at)) as second
       from (select service_now() + make_interval(secs => $2) as at) as begun),
     moved as (
       update polls set next_poll_at = at + make_interval(secs => poll_offset * $1::float8),
         poll_offset = (second + poll_offset * $1::float8)::integer % 3600
       from begun where is_readable)
     select at from begun`,
    [lengthMs / (60 * minuteMs), leadMs / 1_000],
  );
  return row?.["at"] as Date;
}

interface EndedPoll {
  tokenId: string;
  outcome: string;
  /** When it was due. */
  slotMs: number;
  /** From there to its end. */
  lagMs: number;
}

async function listPolls(stage: Stage, since: Date): Promise<EndedPoll[]> {
  const rows = await stage.query(
    `select token_id as "tokenId", outcome, extract(epoch from slot)::float8 * 1000 as "slotMs",
       extract(epoch from polled_at - slot)::float8 * 1000 as "lagMs"
     from polls where slot >= $1 and state = 'idle'`,
    [since],
  );
  return rows as unknown as EndedPoll[];
}

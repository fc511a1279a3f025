import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { projectDir } from "../support/program-environment.ts";
import { answers } from "../support/receiver.ts";
import { startPeopleVendor } from "../support/vendors/people-vendor.ts";
import { startSlowVendorProgram } from "../support/vendors/vendor-program.ts";
import { connectAccount, connectAccounts, createClient, type Account } from "./accounts.ts";
import { askUntilEnded, describeEnd } from "./asking.ts";
import { Callers } from "./callers.ts";
import { FakedClock, leapSeenMs } from "./faked-clock.ts";
import { Fleet } from "./fleet.ts";
import { formatMs } from "./latency.ts";
import { Load, type Answer } from "./load.ts";
import { pollNow, untilSo } from "./measuring.ts";
import type { Measured, Row, RowContext } from "./row.ts";
import { signInAsEndUsers } from "./soak-people.ts";
import type { Stage } from "./stage.ts";
import { WatchedEmployees } from "./watched-employees.ts";

export const clocks: Row = {
  name: "clocks",
  target:
    "the clocks of single processes leap by 90 s and an hour, both ways, and workers are killed meanwhile: no code, " +
    "read, poll or webhook is lost, doubled, early or later by a lease than with right clocks, and no request is over a quota",
  limitMinutes: 40,
  run: measure,
};

const leapsSeconds = [90, -90, 3_600, -3_600];
const leaseMs = 10_000;
/** The first wait of the retry schedule. */
const retryMs = 5_500;
const perMinute = 60;
/** What the vendor lets in: some requests are longer on their way than others. */
const mostPerMinute = 66;
const watchedCount = 3;
const good = new Set([200, 201, 202]);

async function build(context: RowContext) {
  const stage = await context.stage({
    PROVIDERS: join(projectDir, "test/support/vendors/people-provider.ts"),
    SNAPSHOT_FRESH_SECONDS: "5",
    SNAPSHOT_STALE_SECONDS: "5",
    WORKER_CONCURRENCY: "8",
  });
  const clocks = {
    api: new FakedClock(stage.folder, "clock-of-api"),
    worker: new FakedClock(stage.folder, "clock-of-worker"),
  };
  const fleet = await Fleet.start(context, stage, { workers: 1 });
  await fleet.replaceApi(1, clocks.api.env);
  await fleet.startWorker(1, clocks.worker.env);
  const callers = await Callers.connect(context, stage, {
    accounts: context.scaled(20, 6),
    codes: context.scaled(200, 40),
  });
  const { vendor, watched } = await WatchedEmployees.connect(context, stage, {
    employees: 60,
    count: watchedCount,
  });
  const slow = await context.use(
    startSlowVendorProgram({ employees: 400, delayMs: 300, hosts: 6 }),
  );
  const reading = await createClient(stage);
  const readers = await connectMany(stage, reading, slow.urls, "reader", 12);
  const limited = await startPeopleVendor({ people: 30, perMinute: mostPerMinute });
  context.defer("the limited vendor", () => limited.close());
  const signIn = { url: limited.url, username: "acme", provider: "people" as const };
  const drawer = await connectAccount(stage, await createClient(stage), signIn);
  return { stage, clocks, fleet, callers, vendor, watched, readers, limited, drawer };
}

type Scene = Awaited<ReturnType<typeof build>>;

async function connectMany(
  stage: Stage,
  client: Awaited<ReturnType<typeof createClient>>,
  urls: readonly string[],
  name: string,
  count: number,
): Promise<Account[]> {
  const signIns = Array.from({ length: count }, (_, index) => ({
    url: urls[index % urls.length]!,
    username: `${name}-${index}`,
  }));
  return await connectAccounts(stage, client, signIns);
}

function beginLoad({ stage, callers, drawer }: Scene): Load {
  const load = new Load(stage, ({ status }: Answer) => good.has(status));
  load.begin(4, callers.stored, 20);
  load.begin(1, callers.introspect, 50);
  load.begin(2, callers.anew, 100);
  load.begin(1, callers.exchange, 500);
  load.begin(2, signInAsEndUsers(stage, callers), 1_000);
  const resources = ["employees", "groups", "company"];
  load.begin(3, async (turn) => {
    const resource = resources[turn % 3]!;
    const ended = await askUntilEnded(stage, drawer, { resource, limitMs: 240_000 });
    return { what: "of the quota", status: ended.status, message: ended.message };
  });
  return load;
}

/** What was found while one clock was wrong. */
interface Found {
  webhookMs: number;
  readMs: number;
  earlyPolls: number;
  /** Reads that another worker took over. Less than none: not all were read anew. */
  takenOver: number;
  ends: string[];
}

async function measure(context: RowContext): Promise<Measured> {
  if (!FakedClock.isInstalled)
    return {
      isOk: false,
      measured: "nothing: libfaketime is not installed (apt-get install faketime)",
    };
  const scene = await build(context);
  const { limited, callers, watched } = scene;
  const load = beginLoad(scene);
  const startedAt = performance.now();
  const asked = requestsOf(limited);
  const right = {
    api: await useWithLeap(context, scene, { role: "api", seconds: 0 }),
    worker: await useWithLeap(context, scene, { role: "worker", seconds: 0 }),
  };
  const lines = Object.entries(right).map(([role, found]) => `${role}: ${describe(found)}`);
  context.note(`with right clocks: ${lines.join("; ")}`);
  let areAllOk = true;
  for (const seconds of leapsSeconds)
    for (const role of ["api", "worker"] as const) {
      const found = await useWithLeap(context, scene, { role, seconds });
      const isOk =
        found.ends.length === 0 &&
        found.earlyPolls === 0 &&
        found.takenOver >= (role === "worker" ? 1 : 0) &&
        found.webhookMs <= right[role].webhookMs + leaseMs &&
        found.readMs <= right[role].readMs + leaseMs;
      areAllOk &&= isOk;
      lines.push(`${role} ${seconds > 0 ? "+" : ""}${seconds} s: ${describe(found)}`);
      context.note(`${isOk ? "ok" : "not ok"}: ${lines.at(-1)}`);
    }
  await load.end();
  const minutes = (performance.now() - startedAt) / 60_000;
  const drawn = requestsOf(limited) - asked;
  const { refused } = limited.counts();
  const limitMs = context.scaled(240_000, 120_000);
  const unread = await callers.settle(limitMs);
  const areRedeemed = await callers.exchangeTried();
  const usable = await callers.countUsable();
  const isQuiet = await watched.becomeQuiet(limitMs);
  const violations = await watched.findViolations();
  return {
    isOk:
      areAllOk &&
      load.notAllowed.length === 0 &&
      refused === 0 &&
      drawn >= (minutes * perMinute) / 3 &&
      unread === 0 &&
      areRedeemed &&
      usable === callers.tokens.length &&
      isQuiet &&
      violations.length === 0,
    measured:
      `with right clocks ${lines.join("; ")}; ${load.total} answers: ${load.describe()}; ${drawn} requests of a ` +
      `quota of ${perMinute} a minute in ${minutes.toFixed(1)} minutes, ${refused} refused; ${unread} reads not ready, ` +
      `${usable} of ${callers.tokens.length} tokens usable; ${watched.describe()}, ` +
      `${isQuiet ? "nothing" : "something"} left pending, violations: ${violations.slice(0, 3).join(", ") || "none"}`,
  };
}

/** The clock of one process leaps, which is killed in the middle of reads when it is a worker. */
async function useWithLeap(
  context: RowContext,
  scene: Scene,
  { role, seconds }: { role: "api" | "worker"; seconds: number },
): Promise<Found> {
  const { stage, clocks, fleet } = scene;
  clocks[role].leapTo(seconds);
  await delay(leapSeenMs + context.scaled(10_000, 2_000), undefined, { signal: stage.signal });
  const found = await use(context, scene, { kills: role === "worker" });
  clocks[role].leapTo(0);
  if (role === "worker") await fleet.startWorker(1, clocks.worker.env);
  return found;
}

/** One webhook that its receiver refuses at first, and reads of both workers. */
async function use(
  context: RowContext,
  { stage, fleet, vendor, watched, readers }: Scene,
  { kills }: { kills: boolean },
): Promise<Found> {
  const { receiver } = watched;
  receiver.answerNext(answers.status(500));
  await vendor.control({ change: 3 });
  const before = new Set(receiver.ids).size;
  const told = receiver.received.length;
  await pollNow(stage);
  const polledAt = performance.now();
  const limitMs = retryMs + 3 * leaseMs;
  const isTold = await untilSo(
    stage,
    limitMs,
    () =>
      new Set(receiver.ids).size >= before + watchedCount &&
      receiver.received.length > told + watchedCount,
    50,
  );
  const webhookMs = isTold ? performance.now() - polledAt : Infinity;
  const runs = await countRuns(stage, readers);
  const askedAt = performance.now();
  const ending = readers.map((reader) => askUntilEnded(stage, reader, { limitMs: 60_000 }));
  if (kills) {
    await untilSo(
      stage,
      limitMs,
      async () => (await countLeased(stage, readers)) === readers.length,
      50,
    );
    await fleet.workers[1]!.kill("SIGKILL");
    context.note("the worker is killed");
  }
  const ends = await Promise.all(ending);
  const readMs = performance.now() - askedAt;
  const early = await stage.query(
    "select count(*)::integer as count from polls where slot > now() + interval '1 second'",
  );
  return {
    webhookMs,
    readMs,
    earlyPolls: Number(early[0]?.["count"]),
    takenOver: (await countRuns(stage, readers)) - runs - readers.length,
    ends: ends.filter(({ status }) => status !== 200).map(describeEnd),
  };
}

async function countLeased(stage: Stage, readers: readonly Account[]): Promise<number> {
  return await countReads(stage, "count(*) filter (where lease_until is not null)", readers);
}

async function countRuns(stage: Stage, readers: readonly Account[]): Promise<number> {
  return await countReads(stage, "coalesce(sum(run), 0)", readers);
}

async function countReads(
  stage: Stage,
  what: string,
  [reader]: readonly Account[],
): Promise<number> {
  const rows = await stage.query(
    `select (${what})::integer as count from reads where client_id = $1 and resource = 'employees'`,
    [reader?.clientId],
  );
  return Number(rows[0]?.["count"]);
}

function requestsOf(vendor: { counts(): { requests: Record<string, number> } }): number {
  return Object.values(vendor.counts().requests).reduce((sum, count) => sum + count, 0);
}

function describe({ webhookMs, readMs, earlyPolls, takenOver, ends }: Found): string {
  const webhook = Number.isFinite(webhookMs) ? `after ${formatMs(webhookMs)}` : "not in time";
  return (
    `webhook ${webhook}, reads after ${formatMs(readMs)} (${takenOver} taken over), ` +
    `${earlyPolls} polls too early` +
    (ends.length === 0 ? "" : `, ${ends.length} reads ${[...new Set(ends)].join(", ")}`)
  );
}

import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { hostileCases, type HostileCase } from "../support/vendors/hostile-answers.ts";
import {
  startAllHostilePrograms,
  startHostileProgram,
  startSlowVendorProgram,
} from "../support/vendors/vendor-program.ts";
import {
  connectAccounts,
  createClient,
  openForm,
  sendForm,
  untilAnswered,
  type Account,
  type TestClient,
} from "./accounts.ts";
import { askUntilEnded, askUntilSettled, describeEnd, type Ended } from "./asking.ts";
import { formatMs, type LatencySummary } from "./latency.ts";
import { startProber } from "./measuring.ts";
import { formatMegabytes, MemoryWatch } from "./memory-watch.ts";
import { connectNeighbour, type Neighbour, type NeighbourTimes } from "./neighbour.ts";
import { allowedMs, type Measured, type Row, type RowContext } from "./row.ts";
import type { Stage } from "./stage.ts";

const healthP99Ms = 100;
const growthPerMinute = 1_000_000;
const cacheBytes = 8_000_000;
/** Nobody signs in faster: the row is about hostile answers, not about many requests. */
const strangerPauseMs = 2_000;
const target =
  "/healthz p99 under 100 ms, the offender ends broken or unavailable, another's read and sign-in within twice " +
  "their idle time or 2 s";

/**
 * One row for each hostile server: sign-ins at one that is hostile at once, and reads of one that signs in as it
 * should, while somebody else reads and signs in. The last row has all of them together and watches the memory.
 */
export const hostileServers: readonly Row[] = [
  ...[...hostileCases, "unresolvable-names" as const].map((name) => ({
    name: `hostile-servers:${name}`,
    target,
    limitMinutes: 25,
    run: (context: RowContext) => measureCase(context, name),
  })),
  {
    name: "hostile-servers:all-together",
    target: `${target}; no process grows by 1 MB a minute over the last ten minutes, caches full`,
    limitMinutes: 40,
    run: measureAll,
  },
];

interface Play {
  stage: Stage;
  offender: TestClient;
  neighbour: Neighbour;
  memory: MemoryWatch;
}

/** The idle times, and the service with a neighbour that uses it. */
async function begin(
  context: RowContext,
  options: { preload?: string } = {},
): Promise<Play & { idle: NeighbourTimes }> {
  const stage = await context.stage({
    SNAPSHOT_FRESH_SECONDS: "1",
    SNAPSHOT_STALE_SECONDS: "1",
    CACHE_MAX_BYTES: String(cacheBytes),
  });
  await stage.start("all", options);
  const memory = new MemoryWatch(() => stage.pids);
  context.defer("the memory watch", async () => memory.stop());
  const employees = 300;
  const vendor = await context.use(startSlowVendorProgram({ employees }));
  const neighbour = await connectNeighbour(stage, vendor);
  const offender = await createClient(stage);
  const idle = await neighbour.use((round) => round < 3);
  return { stage, offender, neighbour, memory, idle };
}

async function measureCase(
  context: RowContext,
  name: HostileCase | "unresolvable-names",
): Promise<Measured> {
  const play = await begin(context);
  const { stage, memory } = play;
  const atSignIn =
    name === "unresolvable-names"
      ? undefined
      : await context.use(startHostileProgram({ case: name, phase: "sign-in" }));
  const accounts =
    name === "unresolvable-names"
      ? []
      : await connectOffenders(context, play, name, context.scaled(8, 2));
  const prober = await context.use(startProber(`${stage.baseUrl}/healthz`));
  const idleBytes = memory.latest;
  const until = performance.now() + context.scaled(60_000, 15_000);
  context.note(`${name}: it begins`);
  const signIns = playSignIns(context, play, until, () =>
    atSignIn ? atSignIn.url : `http://${randomUUID()}.invalid`,
  );
  const reads = Promise.all(
    accounts.map((account) =>
      askUntilSettled(stage, account, { limitMs: context.scaled(900_000, 90_000) }),
    ),
  );
  const isOver = { reads: false };
  const times = play.neighbour.use(() => performance.now() < until || !isOver.reads);
  const ended = await reads.finally(() => (isOver.reads = true));
  await signIns;
  const during = await times;
  return describeCase({
    health: await prober.mark(),
    ended,
    idle: play.idle,
    during,
    memory: `memory ${formatMegabytes(idleBytes)}, at most ${formatMegabytes(memory.peak())}`,
  });
}

/** Everything at once, again and again. */
async function measureAll(context: RowContext): Promise<Measured> {
  const play = await begin(context, { preload: join(import.meta.dirname, "collect-garbage.ts") });
  const { stage, memory } = play;
  const [atSignIn, atRead] = await Promise.all([
    context.use(startAllHostilePrograms("sign-in")),
    context.use(startAllHostilePrograms("read")),
  ]);
  const accounts = await connectAccounts(
    stage,
    play.offender,
    [...atRead.urls].map(([username, url]) => ({ username, url })),
  );
  await fillCaches(context, play);
  const prober = await context.use(startProber(`${stage.baseUrl}/healthz`));
  // A child process reaches the size of its heap with the first large reads that it gets, which can be late.
  const lengthMs = context.scaled(1_500_000, 120_000);
  const startedAt = performance.now();
  const until = startedAt + lengthMs;
  const urls = [...atSignIn.urls.values()];
  let turn = 0;
  const signIns = playSignIns(context, play, until, () => urls[(turn += 1) % urls.length] ?? "");
  const reads = Promise.all(
    accounts.map(async (account) => {
      let last: Ended | undefined;
      while (performance.now() < until) {
        const end = await askUntilSettled(stage, account, { limitMs: until - performance.now() });
        // A read that the end of the row cut off says nothing beside one that has ended.
        if (performance.now() < until || !last) last = end;
        await delay(5_000);
      }
      return last;
    }),
  );
  const during = await play.neighbour.use(() => performance.now() < until);
  const ended = await reads;
  await signIns;
  const growth = memory.growthPerMinute(startedAt + lengthMs * 0.6);
  const { isOk, measured } = describeCase({
    health: await prober.mark(),
    ended: ended.filter((end) => end !== undefined),
    idle: play.idle,
    during,
    memory: `the most growing process ${growth < 0 ? "-" : "+"}${(Math.abs(growth) / 1e6).toFixed(2)} MB a minute`,
  });
  return { isOk: isOk && growth < growthPerMinute, measured };
}

function describeCase({
  health,
  ended,
  idle,
  during,
  memory,
}: {
  health: LatencySummary;
  ended: readonly Ended[];
  idle: NeighbourTimes;
  during: NeighbourTimes;
  memory: string;
}): Measured {
  const ends = ended.map(describeEnd);
  const isOffenderEnded = ends.every((end) => end === "broken" || end === "unavailable");
  const isUnaffected =
    during.failures.length === 0 &&
    Math.max(...during.readsMs) <= allowedMs(idle.readsMs) &&
    Math.max(...during.signInsMs) <= allowedMs(idle.signInsMs);
  const isHealthy = health.p99Ms < healthP99Ms && health.failed === 0;
  return {
    isOk: isHealthy && isOffenderEnded && isUnaffected,
    measured: [
      `/healthz p99 ${formatMs(health.p99Ms)}, max ${formatMs(health.maxMs)}, ${health.failed} failed` +
        ` (prober's own ${formatMs(health.ownDelayP99Ms)})`,
      ...(ends.length > 0 ? [`offender ${[...new Set(ends)].join(", ")}`] : []),
      `read ${worst(idle.readsMs)} → ${worst(during.readsMs)}`,
      `sign-in ${worst(idle.signInsMs)} → ${worst(during.signInsMs)}`,
      ...new Set(during.failures),
      memory,
    ].join("; "),
  };
}

async function connectOffenders(
  context: RowContext,
  { stage, offender }: Play,
  name: HostileCase,
  count: number,
): Promise<Account[]> {
  const { url } = await context.use(startHostileProgram({ case: name, phase: "read" }));
  const usernames = Array.from({ length: count }, (_, index) => `offender-${index}`);
  return await connectAccounts(
    stage,
    offender,
    usernames.map((username) => ({ url, username })),
  );
}

/** Several sign-ins at once, each of another account and network, one after the other until the time is over. */
async function playSignIns(
  context: RowContext,
  { stage, offender }: Play,
  until: number,
  nextUrl: () => string,
): Promise<void> {
  let count = 0;
  const signInOnce = async (network: string, username: string): Promise<void> => {
    const form = await openForm(stage, offender, { network });
    const page = await sendForm(form, { url: nextUrl(), username });
    await untilAnswered(stage, form.visitor, page, until - performance.now());
  };
  const repeat = async (): Promise<void> => {
    while (performance.now() < until) {
      stage.signal.throwIfAborted();
      count += 1;
      const network = `203.${count >> 16}.${(count >> 8) & 255}.${count & 255}`;
      // A stranger whose sign-in fails comes again. What others notice of it is measured elsewhere.
      await signInOnce(network, `stranger-${count}`).catch(() => undefined);
      await delay(strangerPauseMs);
    }
  };
  await Promise.all(Array.from({ length: context.scaled(32, 4) }, repeat));
}

/** Opens more replies than the caches keep. */
async function fillCaches(context: RowContext, { stage }: Play): Promise<void> {
  const vendor = await context.use(startSlowVendorProgram({ employees: 1_500 }));
  const client = await createClient(stage);
  const signIns = Array.from({ length: 6 }, (_, index) => ({
    url: vendor.url,
    username: `cached-${index}`,
  }));
  for (const account of await connectAccounts(stage, client, signIns)) {
    const { status } = await askUntilEnded(stage, account, { limitMs: 120_000 });
    if (status !== 200) throw new Error(`a read that fills the caches ended with ${status}`);
  }
}

function worst(times: readonly number[]): string {
  return formatMs(Math.max(...times));
}

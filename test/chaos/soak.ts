import { join } from "node:path";
import { Callers } from "./callers.ts";
import { Fleet } from "./fleet.ts";
import { Load, type Answer } from "./load.ts";
import { pollNow } from "./measuring.ts";
import { formatMegabytes, MemoryWatch } from "./memory-watch.ts";
import type { Measured, Row, RowContext } from "./row.ts";
import { proxyStatus } from "./small-proxy.ts";
import { playFaults } from "./soak-faults.ts";
import { HostileConnections, signInAsEndUsers } from "./soak-people.ts";
import type { Stage } from "./stage.ts";
import { WatchedEmployees } from "./watched-employees.ts";

export const soak: Row = {
  name: "soak",
  target:
    "15 minutes of mixed load with every kind of fault: nothing lost, no 500, neither the API nor the worker grows by " +
    "1 MB a minute over the last ten, no child process has more than 200 MB, caches full",
  limitMinutes: 60,
  run: measure,
};

const minuteMs = 60_000;
const growthPerMinute = 1_000_000;
/** What an adapter's process grows to under full load and stays at is 165 MB. */
const mostChildBytes = 200_000_000;
/** Less than the lists of the connections, so that it is full. */
const cacheBytes = 32_000_000;
/** Shorter than this, what comes and goes is more than a slow leak adds. */
const leastWatchMs = 8 * minuteMs;
/** Of the answers, those that say to come again while something is away. */
const mostAway = 0.06;
const honest = new Set([200, 201, 202, 503, proxyStatus]);

async function build(context: RowContext) {
  const stage = await context.stage(
    {
      SNAPSHOT_FRESH_SECONDS: "5",
      SNAPSHOT_STALE_SECONDS: "15",
      CACHE_MAX_BYTES: String(cacheBytes),
    },
    { hasOwnStores: true },
  );
  const preload = join(import.meta.dirname, "collect-garbage.ts");
  const fleet = await Fleet.start(context, stage, { preload });
  const callers = await Callers.connect(context, stage, {
    accounts: context.scaled(100, 10),
    codes: context.scaled(600, 60),
    employees: 300,
  });
  const { vendor: watchedVendor, watched } = await WatchedEmployees.connect(context, stage, {
    employees: 100,
    count: 5,
  });
  const hostile = await HostileConnections.connect(context, stage);
  return { stage, fleet, callers, watched, watchedVendor, hostile };
}

type Soak = Awaited<ReturnType<typeof build>>;

function beginLoad({ stage, callers, hostile }: Soak): Load {
  const load = new Load(stage, ({ status }: Answer) => honest.has(status));
  load.begin(6, callers.stored, 20);
  load.begin(2, callers.introspect, 20);
  load.begin(4, callers.anew, 100);
  load.begin(2, callers.page, 50);
  load.begin(2, callers.exchange, 500);
  load.begin(1, callers.disconnect, 3_000);
  load.begin(2, signInAsEndUsers(stage, callers), 1_000);
  load.begin(2, hostile.ask, 1_000);
  load.begin(1, () => pollAsOperator(stage), 10_000);
  return load;
}

/** The command may fail while a store is away. */
async function pollAsOperator(stage: Stage): Promise<Answer> {
  await pollNow(stage);
  return { what: "poll now", status: 200 };
}

async function measure(context: RowContext): Promise<Measured> {
  const soaked = await build(context);
  const { stage, fleet, callers, watched, watchedVendor } = soaked;
  const memory = new MemoryWatch(() => [fleet.apis[0]!.pid, fleet.workers[0]!.pid]);
  context.defer("the memory watch", async () => memory.stop());
  const lastsMs = context.scaled(15 * minuteMs, 90_000);
  const startedAt = performance.now();
  const sinceMs = startedAt + lastsMs / 3;
  const load = beginLoad(soaked);
  const scene = { stage, fleet, watched, watchedVendor, vendors: [callers.vendor, watchedVendor] };
  const faults = await playFaults(context, scene, {
    lastsMs,
    sparesFirstAt: sinceMs - lastsMs / 10,
  });
  await load.end();
  const roles = new Map([
    [fleet.apis[0]!.pid, "the api"],
    [fleet.workers[0]!.pid, "the worker"],
  ]);
  const away = load.shareOf([503, proxyStatus]);
  const growths = memory.growths(sinceMs);
  const leasts = memory.leasts(sinceMs);
  const isWatched = performance.now() - sinceMs >= leastWatchMs;
  const isBounded = (pid: number, role: string | undefined): boolean =>
    role === undefined
      ? Math.max(...(leasts.get(pid) ?? [])) <= mostChildBytes
      : (growths.get(pid) ?? Infinity) < growthPerMinute;
  const isSteady = [...new Set([...roles.keys(), ...growths.keys()])].every((pid) =>
    isBounded(pid, roles.get(pid)),
  );
  context.note(`${load.describe()}; the load has ended`);
  const { isNothingLost, described } = await findLosses(context, soaked);
  const count = [...faults.values()].reduce((sum, times) => sum + times, 0);
  for (const [pid, least] of leasts)
    context.note(
      `${roles.get(pid) ?? "a child process"}: ${least.map(formatMegabytes).join(", ")}`,
    );
  context.note([...faults].map(([name, times]) => `${times} × ${name}`).join(", "));
  return {
    isOk:
      isNothingLost && load.notAllowed.length === 0 && away <= mostAway && (!isWatched || isSteady),
    measured:
      `${count} faults of ${faults.size} kinds; ${load.total} answers: ${load.describe()}; ` +
      `${(away * 100).toFixed(1)} % of them to come again; ${described}; ` +
      `growth a minute: ${describeGrowths(growths, roles)}` +
      `${isWatched ? "" : " (too short to count)"}, ${formatMegabytes(memory.peak(sinceMs))} in all at most`,
  };
}

function describeGrowths(
  growths: ReadonlyMap<number, number>,
  roles: ReadonlyMap<number, string>,
): string {
  return [...growths]
    .map(
      ([pid, bytes]) =>
        `${roles.get(pid) ?? "a child process"} ${(bytes / 1_000_000).toFixed(2)} MB`,
    )
    .join(", ");
}

async function findLosses(
  context: RowContext,
  { stage, callers, watched, hostile }: Soak,
): Promise<{ isNothingLost: boolean; described: string }> {
  const limitMs = context.scaled(600_000, 240_000);
  const unread = await callers.settle(limitMs);
  const areRedeemed = await callers.exchangeTried();
  const usable = await callers.countUsable();
  const refused = await callers.countRefused();
  const ends = await hostile.describeEnds(limitMs);
  const isQuiet = await watched.becomeQuiet(limitMs);
  const violations = await watched.findViolations();
  const [pending] = await stage.query(
    "select count(*) as count from reads where state = 'pending' and requested_at < now() - interval '15 minutes'",
  );
  const forgotten = Number(pending?.["count"]);
  return {
    isNothingLost:
      unread === 0 &&
      areRedeemed &&
      usable === callers.tokens.length &&
      refused === callers.ended.length &&
      [...ends].every((end) => end === "broken" || end === "unavailable") &&
      isQuiet &&
      violations.length === 0 &&
      forgotten === 0,
    described:
      `${unread} reads not ready, ${forgotten} forgotten; ${usable} of ${callers.tokens.length} tokens usable, ` +
      `${refused} of ${callers.ended.length} disconnected ones refused, ${callers.lostReplies} replies with a token ` +
      `lost; hostile reads ended ${[...ends].join(" and ")}; ${watched.describe()}, ` +
      `${isQuiet ? "nothing" : "something"} left pending, violations: ${violations.slice(0, 3).join(", ") || "none"}`,
  };
}

import { setTimeout as delay } from "node:timers/promises";
import { Callers } from "./callers.ts";
import { Fleet } from "./fleet.ts";
import { formatMs } from "./latency.ts";
import { Load, type Answer } from "./load.ts";
import type { StoreFault } from "./own-stores.ts";
import type { Measured, Row, RowContext } from "./row.ts";
import type { Stage } from "./stage.ts";

export const postgresOutages: Row = {
  name: "postgres-outages",
  target: "under load only 200, 202 and 503, none after 20 s; everything goes within 5 s",
  limitMinutes: 20,
  run: (context) =>
    measure(context, { isAllowed: isAwayOrGood, faultsOf: ({ postgres }) => postgres.faults }),
};

export const redisOutages: Row = {
  name: "redis-outages",
  target:
    "under load only 200 and 202, none after 20 s; everything goes within 5 s; on Redis always",
  limitMinutes: 20,
  run: (context) =>
    measure(context, {
      onRedis: true,
      isAllowed: isGood,
      faultsOf: ({ redis }) => redis!.faults,
    }),
};

const hangMs = 20_000;
const recoveryMs = 5_000;
const good = new Set([200, 201, 202]);

function isGood({ status }: Answer): boolean {
  return good.has(status);
}

function isAwayOrGood({ status }: Answer): boolean {
  return status === 503 || good.has(status);
}

interface Options {
  onRedis?: boolean;
  isAllowed: (answer: Answer) => boolean;
  faultsOf: (stage: Stage) => Readonly<Record<string, StoreFault>>;
}

async function measure(context: RowContext, options: Options): Promise<Measured> {
  const { onRedis = context.onRedis, isAllowed, faultsOf } = options;
  const stage = await context.stage(
    { SNAPSHOT_FRESH_SECONDS: "5" },
    { onRedis, hasOwnStores: true },
  );
  await Fleet.start(context, stage, { workers: 1 });
  const callers = await connectCallers(context, stage);
  const ofFaults: Measured[] = [];
  for (const [name, fault] of Object.entries(faultsOf(stage)))
    ofFaults.push(await measureFault(context, { stage, callers, isAllowed }, { name, fault }));
  return combine([...ofFaults, await measureLosses(callers)]);
}

/** Callers who have something to lose. */
export async function connectCallers(context: RowContext, stage: Stage): Promise<Callers> {
  return await Callers.connect(context, stage, {
    accounts: context.scaled(40, 8),
    codes: context.scaled(200, 40),
  });
}

/**
 * One fault under load. It goes on until each kind of request has succeeded again. A fault that `mustBeSeen` makes the
 * service put requests off.
 */
export async function measureFault(
  context: RowContext,
  {
    stage,
    callers,
    isAllowed = isAwayOrGood,
    mustBeSeen = false,
  }: {
    stage: Stage;
    callers: Callers;
    isAllowed?: (answer: Answer) => boolean;
    mustBeSeen?: boolean;
  },
  { name, fault }: { name: string; fault: StoreFault },
): Promise<Measured> {
  const load = new Load(stage, isAllowed);
  load.begin(16, callers.stored);
  load.begin(4, callers.introspect);
  load.begin(4, callers.anew, 100);
  load.begin(2, callers.page, 50);
  load.begin(1, callers.exchange, 400);
  load.begin(1, callers.link, 50);
  await delay(context.scaled(5_000, 2_000));
  context.note(name);
  await fault(context.scaled(20_000, 6_000));
  const tookMs = await untilAllGo(context, stage, callers);
  await delay(1_000);
  await load.end();
  context.note(`${load.describe()}; slowest ${formatMs(load.slowestMs)}`);
  const putOff = Math.round(load.shareOf([503]) * load.total);
  const isSeen = putOff > 0 || !mustBeSeen;
  return {
    isOk: isSeen && load.notAllowed.length === 0 && load.slowestMs < hangMs && tookMs <= recoveryMs,
    measured:
      `${name}: ${putOff} of ${load.total} answers are to come again; goes again after ${formatMs(tookMs)}, ` +
      `slowest answer ${formatMs(load.slowestMs)}` +
      (load.notAllowed.length === 0 ? "" : `, ${load.describe()}`),
  };
}

/** What callers were told is there. */
export async function measureLosses(callers: Callers): Promise<Measured> {
  const unread = await callers.settle();
  const areRedeemed = await callers.exchangeTried();
  const usable = await callers.countUsable();
  return {
    isOk: areRedeemed && unread === 0 && usable === callers.tokens.length,
    measured:
      `afterwards ${unread} reads not ready, ${usable} of ${callers.tokens.length} tokens usable, ` +
      `${callers.lostReplies} replies with a token lost`,
  };
}

export function combine(parts: readonly Measured[]): Measured {
  return {
    isOk: parts.every(({ isOk }) => isOk),
    measured: parts.map(({ measured }) => measured).join("; "),
  };
}

/** How long it takes from now until each kind of request has succeeded. */
async function untilAllGo(context: RowContext, stage: Stage, callers: Callers): Promise<number> {
  const startedAt = performance.now();
  const kinds = { stored: callers.stored, introspect: callers.introspect, anew: callers.anew };
  const times = await Promise.all(
    Object.entries({ ...kinds, page: callers.page }).map(async ([name, ask]) => {
      while (performance.now() - startedAt < hangMs) {
        stage.signal.throwIfAborted();
        const { status } = await ask(0).catch(() => ({ status: 0 }));
        if (good.has(status)) break;
        await delay(50);
      }
      const tookMs = performance.now() - startedAt;
      context.note(`${name} goes again after ${formatMs(tookMs)}`);
      return tookMs;
    }),
  );
  return Math.max(...times);
}

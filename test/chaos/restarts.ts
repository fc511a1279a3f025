import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { rollcall } from "../support/command-line.ts";
import { Callers } from "./callers.ts";
import { Fleet } from "./fleet.ts";
import { formatMs } from "./latency.ts";
import { Load } from "./load.ts";
import type { Measured, Row, RowContext } from "./row.ts";
import type { Stage } from "./stage.ts";

export const rollingRestarts: Row = {
  name: "rolling-restarts",
  target: "two APIs and two workers restarted 20 times, a key rotated: no failed request, no reset",
  limitMinutes: 30,
  run: measure,
};

const newKey = (name: string): string => `${name}:${randomBytes(32).toString("base64")}`;

/**
 * What every process has as its keys from a turn on, and the command that runs after it. Each process is restarted
 * in every second turn, so a step lasts for two.
 */
function keySteps(first: string, second: string) {
  return [
    { keys: first },
    { keys: `${first},${second}` },
    {
      keys: `${second},${first}`,
      commands: [
        ["keys", "rewrap"],
        ["keys", "retire", "chaos"],
      ],
    },
    { keys: second },
  ];
}

async function measure(context: RowContext): Promise<Measured> {
  const restarts = context.scaled(20, 8);
  const stage = await context.stage({ SNAPSHOT_FRESH_SECONDS: "5" }, { hasOwnStores: true });
  const fleet = await Fleet.start(context, stage);
  const callers = await Callers.connect(context, stage, {
    accounts: context.scaled(40, 8),
    codes: context.scaled(300, 60),
    delayMs: 100,
  });
  const load = new Load(stage, ({ status }) => [200, 201, 202].includes(status));
  load.begin(8, callers.stored);
  load.begin(2, callers.introspect);
  load.begin(4, callers.anew, 100);
  load.begin(2, callers.page, 20);
  load.begin(1, callers.exchange, 200);
  const done = await restartAll(context, stage, fleet, restarts);
  await delay(1_000);
  await load.end();
  const unread = await callers.settle();
  const usable = await callers.countUsable();
  const broken = fleet.proxy.broken;
  context.note(broken.slice(0, 10).join("\n"));
  return {
    isOk:
      load.notAllowed.length === 0 &&
      broken.length === 0 &&
      unread === 0 &&
      usable === callers.tokens.length &&
      done.every(({ code }) => code === 0),
    measured:
      `${restarts} restarts of each role; ${load.total} requests: ${load.describe()}; ${broken.length} sockets broke; ` +
      `slowest ${formatMs(load.slowestMs)}; ${unread} reads not ready; ${usable} of ${callers.tokens.length} tokens usable; ` +
      done.map(({ name, code, said }) => `${name} ${code === 0 ? "done" : said}`).join(", "),
  };
}

interface Done {
  name: string;
  code: number | null;
  said: string;
}

async function restartAll(
  context: RowContext,
  stage: Stage,
  fleet: Fleet,
  restarts: number,
): Promise<Done[]> {
  const done: Done[] = [];
  const steps = keySteps(stage.env["MASTER_KEYS"] ?? "", newKey("next"));
  const turnsPerStep = Math.max(2, Math.floor(restarts / steps.length));
  for (let turn = 0; turn < restarts; turn += 1) {
    const at = Math.min(steps.length - 1, Math.floor(turn / turnsPerStep));
    const { keys: MASTER_KEYS, commands = [] } = steps[at]!;
    context.note(`restart ${turn + 1} of ${restarts}, keys of step ${at + 1}`);
    await Promise.all([
      fleet.replaceApi(turn % 2, { MASTER_KEYS }),
      fleet.replaceWorker(turn % 2, { MASTER_KEYS }),
    ]);
    if ((turn + 1) % turnsPerStep > 0 || at === steps.length - 1) continue;
    for (const command of commands) {
      const { code, stderr } = await rollcall(command, { ...stage.env, MASTER_KEYS });
      done.push({ name: command.slice(0, 2).join(" "), code, said: stderr.trim().slice(-200) });
      context.note(`${command.join(" ")}: ${String(code)} ${stderr.trim().slice(-200)}`);
    }
  }
  return done;
}

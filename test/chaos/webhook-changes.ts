import { setTimeout as delay } from "node:timers/promises";
import { answers, type Answer } from "../support/receiver.ts";
import { pollNow } from "./measuring.ts";
import type { Measured, Row, RowContext } from "./row.ts";
import type { Stage } from "./stage.ts";
import { WatchedEmployees } from "./watched-employees.ts";

export const webhookChanges: Row = {
  name: "webhook-changes",
  target:
    "1,000 changes for each connection, receiver down, flapping, slow, resetting, senders killed before they settle: " +
    "the bodies rebuild the provider's list, in order, the same id with the same bytes",
  limitMinutes: 40,
  run: measure,
};

const changesPerRound = 50;
const employees = 120;

let flips = 0;
const flapping: Answer = (response, request) => {
  const turns = [answers.status(200), answers.reset, answers.status(500), answers.status(200)];
  return turns[(flips += 1) % turns.length]!(response, request);
};
const slow: Answer = async (response) => {
  await delay(1_000);
  response.writeHead(202).end();
};

/** How the receiver answers, round by round. In each fourth round its sender dies before it can settle. */
const moods: readonly Answer[] = [answers.status(502), flapping, slow, answers.reset];

async function measure(context: RowContext): Promise<Measured> {
  const rounds = context.scaled(1_000 / changesPerRound, 8);
  const stage = await context.stage();
  await stage.start("api");
  await stage.start("worker");
  const count = context.scaled(10, 3);
  const { vendor, watched } = await WatchedEmployees.connect(context, stage, { employees, count });
  let kills = 0;
  for (let round = 0; round < rounds; round += 1) {
    context.note(`round ${round + 1} of ${rounds}; ${watched.describe()}`);
    watched.receiver.answer = moods[round % moods.length]!;
    await vendor.control({
      change: changesPerRound,
      employees: employees + (round % 3) * 5,
    });
    const polling = pollNow(stage);
    if (round % 4 === 3) {
      kills += await killBeforeItSettles(stage, watched);
      await stage.start("worker");
    }
    await polling;
    await watched.hurry();
    await delay(1_500, undefined, { signal: stage.signal });
  }
  watched.receiver.answer = answers.status(200);
  const isQuiet = await watched.becomeQuiet(context.scaled(600_000, 240_000));
  const violations = await watched.findViolations();
  return {
    isOk: isQuiet && violations.length === 0 && kills > 0,
    measured:
      `${rounds * changesPerRound} changes for each of ${count} connections; ${watched.describe()}; ` +
      `${kills} senders killed before they settled; ${isQuiet ? "nothing" : "something"} left pending; ` +
      `violations: ${violations.slice(0, 3).join(", ") || "none"}`,
  };
}

/** Kills the worker when the receiver has the body and has not answered. */
async function killBeforeItSettles(stage: Stage, { receiver }: WatchedEmployees): Promise<number> {
  const arrived = Promise.withResolvers<void>();
  receiver.answerNext(() => arrived.resolve());
  const worker = stage.running.at(-1)!;
  const isHere = await Promise.race([
    arrived.promise.then(() => true),
    delay(60_000, false, { signal: stage.signal }),
  ]);
  await worker.kill("SIGKILL");
  return isHere ? 1 : 0;
}

import { setTimeout as delay } from "node:timers/promises";
import { answers } from "../support/receiver.ts";
import { SeededRandom } from "../support/seeded-random.ts";
import type { VendorProgram } from "../support/vendors/vendor-program.ts";
import type { Fleet } from "./fleet.ts";
import { loseHalfOfTheQueue } from "./lose-queue-entries.ts";
import type { RowContext } from "./row.ts";
import type { Stage } from "./stage.ts";
import type { WatchedEmployees } from "./watched-employees.ts";

interface Scene {
  stage: Stage;
  fleet: Fleet;
  /** Of those who read, and of those who are watched. */
  vendors: readonly VendorProgram[];
  watchedVendor: VendorProgram;
  watched: WatchedEmployees;
}

type Fault = () => Promise<void>;

const seed = 7;
/** Longer than the leases of a worker. */
const standStillMs = 12_000;
const storeAwayMs = 4_000;

/**
 * Every kind of fault, one after the other in an order of chance, until the time is over. Any process suffers until
 * `sparesFirstAt`. From then on the first of each role lives on, so that its memory can be watched.
 */
export async function playFaults(
  context: RowContext,
  scene: Scene,
  { lastsMs, sparesFirstAt }: { lastsMs: number; sparesFirstAt: number },
): Promise<Map<string, number>> {
  const { stage } = scene;
  const random = new SeededRandom(seed);
  const pickProcess = (): number => (performance.now() < sparesFirstAt ? random.below(2) : 1);
  const faults = Object.entries(listFaults(scene, random, pickProcess));
  const played = new Map<string, number>();
  const until = performance.now() + lastsMs;
  let left: typeof faults = [];
  while (performance.now() < until) {
    stage.signal.throwIfAborted();
    if (left.length === 0) left = [...faults];
    const [[name, fault]] = left.splice(random.below(left.length), 1) as [[string, Fault]];
    context.note(name);
    await fault();
    played.set(name, (played.get(name) ?? 0) + 1);
    await delay(1_000 + random.below(2_000), undefined, { signal: stage.signal });
  }
  await endFaults(scene);
  return played;
}

function listFaults(
  scene: Scene,
  random: SeededRandom,
  pickProcess: () => number,
): Record<string, Fault> {
  const { stage, fleet, vendors, watchedVendor, watched } = scene;
  const ofStores = { ...stage.postgres.faults, ...stage.redis?.faults };
  const { receiver } = watched;
  return {
    ...Object.fromEntries(
      Object.entries(ofStores).map(([name, fault]) => [name, () => fault(storeAwayMs)]),
    ),
    "an API is killed": () => fleet.replaceApi(pickProcess(), {}, "SIGKILL"),
    "an API restarts": () => fleet.replaceApi(pickProcess()),
    "a worker is killed": () => fleet.replaceWorker(pickProcess(), {}, "SIGKILL"),
    "a worker restarts": () => fleet.replaceWorker(pickProcess()),
    "all workers are killed at once": async () => {
      const struck = fleet.workers.keys().filter((index) => index >= 1 || pickProcess() === 0);
      await Promise.all(struck.map((index) => fleet.replaceWorker(index, {}, "SIGKILL")));
    },
    "a worker stands still": async () => {
      const { pid } = fleet.workers[pickProcess()]!;
      process.kill(pid, "SIGSTOP");
      await delay(standStillMs);
      process.kill(pid, "SIGCONT");
    },
    "the receiver changes its mind": async () => {
      receiver.answer = random.pick([
        answers.status(200),
        answers.status(500),
        answers.status(429, { "retry-after": "2" }),
        answers.reset,
        answers.silence,
      ]);
      await watched.hurry().catch(() => undefined);
    },
    "people come, go and change": () =>
      watchedVendor.control({ change: 20, employees: 100 + random.below(20) }),
    "providers are slow": async () => {
      const delayMs = random.pick([0, 100, 500]);
      for (const vendor of vendors) await vendor.control({ delayMs });
    },
    "the queue loses entries": async () => {
      await loseHalfOfTheQueue(stage).catch(() => undefined);
    },
  };
}

async function endFaults({ vendors, watched }: Scene): Promise<void> {
  watched.receiver.answer = answers.status(200);
  for (const vendor of vendors) await vendor.control({ delayMs: 0 });
}

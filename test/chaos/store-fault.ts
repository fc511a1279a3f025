import { Fleet } from "./fleet.ts";
import { pollNow } from "./measuring.ts";
import { combine, connectCallers, measureFault, measureLosses } from "./outages.ts";
import type { StoreFault } from "./own-stores.ts";
import type { Measured, RowContext } from "./row.ts";
import type { Stage } from "./stage.ts";
import { WatchedEmployees } from "./watched-employees.ts";

const employees = 100;

/**
 * A fault of the stage's Postgres under load, which the service has to feel. People come and change while it lasts, and
 * nothing that a caller or a receiver was told, or has to be told, may be lost.
 */
export async function measureStoreFault(
  context: RowContext,
  stage: Stage,
  { name, fault }: { name: string; fault: StoreFault },
): Promise<Measured> {
  await Fleet.start(context, stage, { workers: 1 });
  const callers = await connectCallers(context, stage);
  const count = context.scaled(10, 3);
  const { vendor, watched } = await WatchedEmployees.connect(context, stage, { employees, count });
  let polling: Promise<unknown> = Promise.resolve();
  const withChanges: StoreFault = async (lastsMs) => {
    await vendor.control({ change: 20, employees: employees + 5 });
    // The command may fail while the store is away.
    polling = pollNow(stage);
    await fault(lastsMs);
    await stage.forgetClient();
  };
  const scene = { stage, callers, mustBeSeen: true };
  const ofFault = await measureFault(context, scene, { name, fault: withChanges });
  const ofCallers = await measureLosses(callers);
  await polling;
  return combine([ofFault, ofCallers, await measureWatched(context, watched)]);
}

async function measureWatched(context: RowContext, watched: WatchedEmployees): Promise<Measured> {
  const isQuiet = await watched.becomeQuiet(context.scaled(600_000, 240_000));
  const violations = await watched.findViolations();
  return {
    isOk: isQuiet && violations.length === 0,
    measured: [
      watched.describe(),
      isQuiet ? "nothing left pending" : "something left pending",
      `violations: ${violations.slice(0, 3).join(", ") || "none"}`,
    ].join(", "),
  };
}

import { setTimeout as delay } from "node:timers/promises";
import { systemRandom } from "../random.ts";
import { doubled, retry } from "../retry.ts";
import { isLostTransaction, isStalePlan } from "./unavailable.ts";

const mostTries = 5;
const firstPauseMs = 10;

/**
 * Makes a whole transaction again that lost against others: a serialization failure or a deadlock. A statement whose
 * plan is older than a migration is sent once more, and then without its name.
 */
export async function tryAgain<Result>(
  work: (options: { isPrepared: boolean }) => Promise<Result>,
): Promise<Result> {
  let isPrepared = true;
  // In the work of a transaction too, where the clock refuses to sleep.
  const clock = { sleep: async (ms: number) => delay(ms) };
  const findPause = (error: unknown, tries: number): number | undefined => {
    if (isPrepared && isStalePlan(error)) {
      isPrepared = false;
      return 0;
    }
    if (tries >= mostTries || !isLostTransaction(error)) return undefined;
    return systemRandom.between(0, doubled(firstPauseMs, tries));
  };
  return await retry(() => work({ isPrepared }), { findPause, clock });
}

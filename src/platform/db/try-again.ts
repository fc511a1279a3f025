import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
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
  for (let tries = 1; ; tries += 1) {
    try {
      return await work({ isPrepared });
    } catch (error) {
      const isStale = isPrepared && isStalePlan(error);
      if (!isStale && (tries >= mostTries || !isLostTransaction(error))) throw error;
      if (isStale) isPrepared = false;
      else await delay(randomInt(firstPauseMs * 2 ** tries));
    }
  }
}

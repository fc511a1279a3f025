import { systemClock, type Clock } from "../clock.ts";
import { refuseInTransaction } from "../open-transaction.ts";

interface WaitOptions {
  everyMs: number;
  clock?: Clock;
  /** Ends the wait: it rejects. */
  signal?: AbortSignal;
}

/** Calls `find` at once and then every `everyMs`, until it finds something. `withTimeout` adds a limit. */
export async function waitUntil<Found>(
  find: () => Promise<Found | false> | Found | false | undefined,
  { everyMs, clock = systemClock, signal }: WaitOptions,
): Promise<Found> {
  refuseInTransaction("a wait");
  for (;;) {
    const found = await find();
    if (found !== undefined && found !== false) return found;
    await clock.sleep(everyMs, signal);
  }
}

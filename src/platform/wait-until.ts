import { setTimeout as delay } from "node:timers/promises";
import { refuseInTransaction } from "./open-transaction.ts";

export interface WaitOptions {
  everyMs: number;
  /** Ends the wait: it rejects. */
  signal?: AbortSignal;
  /** True when the process may end while it waits. */
  isBackground?: boolean;
}

/** Calls `find` at once and then every `everyMs`, until it finds something. `withTimeout` adds a limit. */
export async function waitUntil<Found>(
  find: () => Found | false | undefined,
  { everyMs, signal, isBackground = false }: WaitOptions,
): Promise<Found> {
  refuseInTransaction("a wait");
  for (;;) {
    const found = find();
    if (found !== undefined && found !== false) return found;
    await delay(everyMs, undefined, { ref: !isBackground, ...(signal && { signal }) });
  }
}

import { IdleLimit } from "../reading/records/index.ts";
import { NotConforming } from "./expect-failure.ts";

/** A fake is on this machine, so its pages come fast. */
const longestPageMs = 10_000;

/** Gives up a read that gives no page for long, with a sentence for its developer. */
export function limitPages(resource: string): IdleLimit {
  const limit = new IdleLimit(
    longestPageMs,
    () =>
      new NotConforming(
        `the read of ${resource} gave no page for ${longestPageMs / 1_000} seconds: a promise in it does not settle`,
      ),
  );
  limit.start();
  return limit;
}

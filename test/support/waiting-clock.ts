import { secondsBetween } from "../../src/platform/clock.ts";
import type { Harness } from "./harness.ts";
import { TestClock } from "./test-clock.ts";

/** Who waits moves the time on. */
export class WaitingClock extends TestClock {
  override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.advance(ms / 1000);
    await super.sleep(ms, signal);
  }
}

const mostRuns = 30;

/** Runs what is due until the read is settled, at the times at which it is due. */
export async function untilSettled(
  { services, clock, drain }: Pick<Harness, "services" | "clock" | "drain">,
  get: () => Promise<{ status: number }>,
): Promise<number> {
  for (let runs = 0; runs < mostRuns; runs += 1) {
    const { status } = await get();
    if (status !== 202) return status;
    const { rows } = await services.pool.query<{ due: Date | null }>(
      "select max(due_at) as due from reads where state = 'pending'",
    );
    const seconds = secondsBetween(clock.now(), rows[0]?.due ?? clock.now());
    if (seconds > 0) clock.advance(seconds);
    await drain();
  }
  return 202;
}

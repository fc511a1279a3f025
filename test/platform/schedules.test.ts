import { expect, test } from "vitest";
import { createLog } from "../../src/platform/log.ts";
import { Metrics } from "../../src/platform/metrics.ts";
import { Schedules } from "../../src/platform/repeat.ts";
import { TestClock } from "../support/test-clock.ts";

test("a schedule is late after three turns and a minute without a success, and no longer after one", async () => {
  const clock = new TestClock();
  const metrics = new Metrics();
  const schedules = new Schedules({ clock, log: createLog({ level: "silent" }), metrics });
  let fails = false;
  schedules.add("winding the clock", 10, async () => {
    await Promise.resolve();
    if (fails) throw new Error("it fails");
  });
  await expect
    .poll(() => metrics.registry.metrics())
    .toMatch(/last_success_timestamp_seconds\{schedule="winding the clock"\} \d/);
  fails = true;
  clock.advance(60);
  expect(schedules.listLate()).toEqual([]);
  clock.advance(60);
  expect(schedules.listLate()).toEqual(["winding the clock"]);
  fails = false;
  await expect.poll(() => schedules.listLate()).toEqual([]);
  await schedules.stop();
});

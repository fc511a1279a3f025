import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLog } from "../../src/platform/log.ts";
import { OutageLog } from "../../src/platform/outage-log.ts";

let lines: string[];
let outages: OutageLog;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  lines = [];
  const destination = {
    write: (line: string) => void lines.push((JSON.parse(line) as { msg: string }).msg),
  };
  outages = new OutageLog(createLog({ level: "info", destination }), "the store");
});
afterEach(() => void vi.useRealTimers());

const away = "the store is away; it is tried again until it is back";
const back = "the store is back";
const fail = (): void => outages.failed(new Error("Connection terminated unexpectedly"));

test("an outage is one line a minute, however often it was tried, and one when it is over", () => {
  for (let seconds = 0; seconds < 150; seconds += 1) {
    fail();
    vi.advanceTimersByTime(1_000);
  }
  outages.recovered();
  outages.recovered();
  expect(lines).toEqual([away, away, away, back]);
});

test("an outage within a minute of the last one is told when it lasts", () => {
  fail();
  vi.advanceTimersByTime(5_000);
  outages.recovered();
  vi.advanceTimersByTime(5_000);
  for (let seconds = 0; seconds < 10; seconds += 1) {
    fail();
    vi.advanceTimersByTime(1_000);
  }
  outages.recovered();
  vi.advanceTimersByTime(120_000);
  expect(lines).toEqual([away, back, away, back]);
});

test("short outages within a minute of the last one are counted, and told after a minute", () => {
  for (let time = 0; time < 500; time += 1) {
    fail();
    outages.recovered();
    vi.advanceTimersByTime(100);
  }
  expect(lines).toEqual([away, back]);
  vi.advanceTimersByTime(60_000);
  expect(lines.slice(2)).toEqual(["the store could not be used 499 more times within a minute"]);
});

test("one short outage within a minute of the last one is told", () => {
  for (let time = 0; time < 2; time += 1) {
    fail();
    outages.recovered();
  }
  vi.advanceTimersByTime(60_000);
  expect(lines.slice(2)).toEqual(["the store could not be used once more within a minute"]);
});

import { beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../src/platform/clock.ts";
import { DatabaseClock } from "../../src/platform/db/index.ts";
import { createLog } from "../../src/platform/log.ts";
import { createHarness } from "../support/harness.ts";
import { TestClock } from "../support/test-clock.ts";

let machine: TestClock;
let lines: { level: number; seconds?: number; msg: string }[];
let clock: DatabaseClock;
beforeEach(() => {
  machine = new TestClock();
  lines = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as (typeof lines)[0]);
  clock = new DatabaseClock(machine, createLog({ level: "info", destination: { write } }));
});

/** One look at a database that is so far ahead of the machine. Each way takes so long. */
async function look({ aheadSeconds = 0, thereSeconds = 0, backSeconds = 0 } = {}): Promise<void> {
  await clock.look(async () => {
    machine.advance(thereSeconds);
    const now = machine.now().getTime() + aheadSeconds * 1_000;
    machine.advance(backSeconds);
    return { rows: [{ now: String(now) }] };
  });
}

describe("the clock of the program", () => {
  test("is the database's, and goes on with the steady clock when that of the machine leaps", async () => {
    await look({ aheadSeconds: -90 });
    expect(clock.aheadSeconds).toBe(90);
    const before = clock.now().getTime();
    machine.correct(3_600);
    machine.advance(5);
    expect(clock.now().getTime() - before).toBe(5_000);
    expect(clock.aheadSeconds).toBe(3_690);
  });

  test("is wrong by no more than the answer took, and a slow answer does not undo a quick one", async () => {
    await look({ aheadSeconds: 100 });
    expect(clock.aheadSeconds).toBe(-100);
    await look({ aheadSeconds: 100, thereSeconds: 8, backSeconds: 1 });
    expect(clock.aheadSeconds).toBe(-100);
    // Another server has taken its place.
    await look({ aheadSeconds: 50, thereSeconds: 2, backSeconds: 2 });
    expect(clock.aheadSeconds).toBeGreaterThanOrEqual(-52);
    expect(clock.aheadSeconds).toBeLessThanOrEqual(-48);
  });

  test("stays as it is when the database does not answer", async () => {
    await look({ aheadSeconds: 7 });
    await expect(clock.look(() => Promise.reject(new Error("away")))).rejects.toThrow("away");
    expect(clock.aheadSeconds).toBe(-7);
  });
});

test("a process looks again and again, so it follows a database whose time is another one", async () => {
  const harness = await createHarness({ clock: systemClock });
  const { clock: ofProcess } = harness.services;
  expect(Math.round(ofProcess.aheadSeconds)).toBe(0);
  harness.database.setTime("1 hour");
  await expect.poll(() => Math.round(ofProcess.aheadSeconds)).toBe(-3_600);
  await harness.close();
});

describe("the log", () => {
  test("says once for each change which way the clock of the process is wrong, by how much, and that it is right again", async () => {
    for (let looks = 0; looks < 3; looks += 1) await look();
    machine.correct(90);
    for (let looks = 0; looks < 3; looks += 1) await look({ aheadSeconds: -90 });
    machine.correct(-91.5);
    for (let looks = 0; looks < 3; looks += 1) await look({ aheadSeconds: 1.5 });
    machine.correct(-3_600);
    for (let looks = 0; looks < 3; looks += 1) await look({ aheadSeconds: 3_601.5 });
    expect(lines.map(({ level, seconds, msg }) => [level, seconds, msg])).toEqual([
      [
        40,
        90,
        "the clock of this process is 90.0 s ahead of the database's; the service goes by the database's",
      ],
      [30, undefined, "the clock of this process is that of the database again"],
      [
        40,
        -3601.5,
        "the clock of this process is 3601.5 s behind the database's; the service goes by the database's",
      ],
    ]);
  });

  test("says that it is right again however small the offset was, and nothing of one that is about the same", async () => {
    for (const aheadSeconds of [-3, -2.5, -4.5, -1.2, -1.9, 0, -2.1, -1.2])
      await look({ aheadSeconds });
    const again = "the clock of this process is that of the database again";
    expect(lines.map(({ msg }) => msg)).toEqual([
      "the clock of this process is 3.0 s ahead of the database's; the service goes by the database's",
      again,
      "the clock of this process is 2.1 s ahead of the database's; the service goes by the database's",
      again,
    ]);
  });
});

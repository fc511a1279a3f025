import fs, { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { openBatches } from "../../src/platform/log-batches.ts";
import { createLog } from "../../src/platform/log.ts";
import { untilTrue } from "../support/until-true.ts";

type Done = (error: Error) => void;

function openFile(): { file: string; descriptor: number } {
  const folder = mkdtempSync(join(tmpdir(), "rollcall-log-"));
  const file = join(folder, "log");
  const descriptor = openSync(file, "w");
  onTestFinished(() => {
    closeSync(descriptor);
    rmSync(folder, { recursive: true });
  });
  return { file, descriptor };
}

test("a log that has nothing to tell does nothing, and a line is written soon", async () => {
  const { file, descriptor } = openFile();
  const write = vi.spyOn(fs, "write");
  const writes = () => write.mock.calls.filter(([to]) => to === descriptor).length;
  const log = openBatches(descriptor);
  await delay(350);
  expect(writes()).toBe(0);
  log.write("one\n");
  log.write("two\n");
  await untilTrue("the lines are written", () => readFileSync(file, "utf8") === "one\ntwo\n");
  await delay(250);
  expect(writes()).toBe(1);
});

test("a disk that is full for a moment ends nothing, and what waited is written", async () => {
  const { file, descriptor } = openFile();
  const write = vi.spyOn(fs, "write");
  onTestFinished(() => write.mockRestore());
  write.mockImplementationOnce((...args: unknown[]) =>
    (args.at(-1) as Done)(Object.assign(new Error("full"), { code: "ENOSPC" })),
  );
  const log = openBatches(descriptor);
  log.write("one\n");
  await untilTrue("it was tried", () => write.mock.calls.length > 0);
  log.write("two\n");
  await untilTrue("it is tried again", () => readFileSync(file, "utf8") === "one\ntwo\n");
  log.write("three\n");
  await expect.poll(() => readFileSync(file, "utf8")).toBe("one\ntwo\nthree\n");
});

test("a disk that is full keeps no process from its end, and what waits is written if there is room again", async () => {
  const { file, descriptor } = openFile();
  let tries = 0;
  const writeSync = vi.spyOn(fs, "writeSync");
  onTestFinished(() => writeSync.mockRestore());
  writeSync.mockImplementation((...args) => {
    tries += 1;
    if (tries < 5) throw Object.assign(new Error("full"), { code: "ENOSPC" });
    return (args[1] as string | Buffer).length;
  });
  const log = openBatches(descriptor);
  log.write("one\n");
  log.flushSync();
  expect(tries).toBe(1);
  log.write("two\n");
  await expect.poll(() => readFileSync(file, "utf8")).toBe("one\ntwo\n");
});

test("a line without words of its own does not get those of its error", () => {
  const lines: string[] = [];
  const log = createLog({ level: "info", destination: { write: (line) => void lines.push(line) } });
  log.error(new Error("quotes Ada"));
  log.error({ err: new Error("quotes Ada") });
  log.error({ err: new Error("quotes Ada") }, undefined);
  log.info({ count: 1 });
  log.info("some words");
  expect(lines.join("")).not.toContain("Ada");
  expect(lines.map((line) => (JSON.parse(line) as { msg?: string }).msg)).toEqual([
    "an error",
    "an error",
    "an error",
    undefined,
    "some words",
  ]);
});

import fs, { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { openBatches } from "../../src/platform/log.ts";
import { untilTrue } from "../support/until-true.ts";

test("a log that has nothing to tell does nothing, and a line is written soon", async () => {
  const folder = mkdtempSync(join(tmpdir(), "rollcall-log-"));
  const file = join(folder, "log");
  const descriptor = openSync(file, "w");
  onTestFinished(() => {
    closeSync(descriptor);
    rmSync(folder, { recursive: true });
  });
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

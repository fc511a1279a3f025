import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { explainRefusal } from "../../src/start/explain-start.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { reachDatabase } from "../../src/platform/db/index.ts";
import { createLog } from "../../src/platform/log.ts";
import { StartSteps } from "../../src/start/start-steps.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { FlakyProxy } from "../support/flaky-proxy.ts";
import { testEnvironment } from "../support/harness.ts";
import { spawnService } from "../support/service-process.ts";

let database: TestDatabase;
let proxy: FlakyProxy;
let environment: Record<string, string>;
beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await FlakyProxy.before(inject("postgresUrl"));
  environment = testEnvironment(proxy.through(database.url));
});
afterAll(async () => {
  await proxy.close();
  await database.drop();
});

const waiting = "the start waits: it reaches the database. The database is away.";

test("a service that starts before its database says so, and serves when the database is there", async () => {
  await proxy.cut();
  const service = await spawnService(environment);
  await expect.poll(() => service.output).toContain(waiting);
  expect(service.output).toMatch(/"detail":"connect ECONNREFUSED [^"]+","secondsLeft":60/);
  await proxy.restore();
  await service.untilServing();
  expect(await service.stop()).toEqual({ code: 0, signal: null });
});

test("a database whose logins take longer than any caller waits is waited for, and then served with", async () => {
  await proxy.restore();
  proxy.delay(7_000);
  const service = await spawnService(environment);
  await service.untilServing();
  proxy.delay(0);
  expect(await service.stop()).toEqual({ code: 0, signal: null });
});

test("what takes sockets and answers nothing is waited for, and then is the reason", async () => {
  const lines: string[] = [];
  const log = createLog({ level: "info", destination: { write: (line) => void lines.push(line) } });
  proxy.pause();
  const patience = { awayMs: 0, silentMs: 6_000, busyMs: 0 };
  const steps = new StartSteps({ clock: systemClock, log }, patience);
  const failed = steps.open("reaches it", () =>
    reachDatabase(proxy.through(database.url), { patienceMs: 3_000 }),
  );
  await expect(failed).rejects.toThrow("no login to the database in time");
  const sentence = (await failed.catch(explainRefusal)) ?? "";
  expect(sentence).toMatch(
    /^The database takes a connection and says nothing in time \(no login .*\): it hangs, is very slow, or /,
  );
  expect(sentence).not.toContain("DATABASE_URL");
  await proxy.restore();
  expect(lines.join("")).toMatch(/"detail":"no login to the database in time"/);
});

test.each([
  ["a wrong password", { password: "hunter2" }, "(28P01): it refuses the password in DATABASE_URL"],
  [
    "an unknown database",
    { pathname: "/none" },
    "(3D000): it has no database of the name in DATABASE_URL",
  ],
])("%s is not waited for", async (_what, change, sentence) => {
  const url = Object.assign(new URL(proxy.through(database.url)), change);
  await proxy.restore();
  const service = await spawnService(testEnvironment(url.toString()));
  expect(await service.exited).toEqual({ code: 1, signal: null });
  expect(service.output).toContain(
    `Rollcall could not start. The database cannot be used ${sentence}`,
  );
  expect(service.output).not.toContain(waiting);
  expect(service.output).not.toContain("hunter2");
});

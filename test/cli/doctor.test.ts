import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../src/platform/clock.ts";
import { rollcall } from "../support/command-line.ts";
import { dumpTables } from "../support/dump-tables.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { makeStateDir } from "../support/program-environment.ts";

interface Finding {
  check: string;
  result: "ok" | "warning" | "failed";
  found: string;
  advice?: string;
}

const password = `hunter2${randomBytes(4).toString("hex")}`;
/** Nothing listens there. */
const nowhere = "https://127.0.0.1:1";

let harness: Harness;
let env: Record<string, string>;
beforeAll(async () => {
  harness = await createHarness({ clock: systemClock });
  await harness.connect();
  env = { ...harness.environment, PUBLIC_URL: nowhere };
});
afterAll(() => harness.close());

const secretsOf = (set: Record<string, string>): string[] =>
  [
    set["MASTER_KEYS"]?.split(":")[1],
    set["SANDBOX_ACCESS_TOKEN"],
    new URL(set["DATABASE_URL"] ?? "x:").password,
    password,
  ].filter((secret): secret is string => Boolean(secret));

/** What it finds; nothing of it holds a secret. */
async function examine(set: Record<string, string>) {
  const { code, stdout, stderr, json } = await rollcall(["doctor", "--json"], set);
  for (const secret of secretsOf(set)) expect(stdout + stderr).not.toContain(secret);
  const findings = json<Finding[]>();
  expect(code).toBe(findings.some(({ result }) => result === "failed") ? 1 : 0);
  const of = (check: string): Finding | undefined => findings.find((each) => each.check === check);
  return { code, findings, of };
}

describe("npx rollcall doctor", () => {
  test("of a service that is well finds nothing failed, and changes nothing", async () => {
    const telling = harness.services.keys.tellKeys("all", {
      version: "0.1.0",
      listSchedules: () => [
        { schedule: "removing old snapshots", everySeconds: 600, succeededAt: null },
      ],
    });
    await expect
      .poll(async () => (await harness.services.keys.processes()).length)
      .toBeGreaterThan(0);
    const before = await dumpTables(harness.database.url);
    const { code, findings, of } = await examine(env);
    expect(findings.filter(({ result }) => result === "failed")).toEqual([]);
    expect(code).toBe(0);
    expect(await dumpTables(harness.database.url)).toBe(before);
    await telling.stop();

    for (const check of ["configuration", "node", "database", "database clock", "schema"])
      expect(of(check)).toMatchObject({ result: "ok" });
    expect(of("database")?.found).toMatch(/^Postgres 1\d/);
    expect(of("schema")?.found).toMatch(/^\d{4}_\w+, current$/);
    expect(of("master keys")?.found).toMatch(/^test: active, [1-9]\d* rows/);
    expect(of("PUBLIC_URL")).toMatchObject({
      result: "warning",
      advice: expect.stringContaining("proxy"),
    });
    expect(of("clean-up")?.found).toBe("removing old snapshots: last succeeded not yet");
    expect(of("reads")?.found).toBe("no read waits");
  });

  test("names every variable that is wrong", async () => {
    const { code, findings } = await examine({
      ...env,
      PORT: "x",
      TRUST_PROXY: "",
      LOG_LEVEL: password,
    });
    expect(code).toBe(1);
    const failed = findings.filter(({ result }) => result === "failed").map(({ found }) => found);
    expect(failed.map((found) => found.split(":")[0]).toSorted()).toEqual([
      "LOG_LEVEL",
      "PORT",
      "TRUST_PROXY",
    ]);
  });

  test("finds a wrong password, a key that is another one and a Redis that is away, each with what to do", async () => {
    const url = Object.assign(new URL(harness.database.url), { password });
    const wrong = await examine({
      ...env,
      DATABASE_URL: url.toString(),
      REDIS_URL: `redis://:${password}@127.0.0.1:1`,
    });
    expect(wrong.of("database")).toMatchObject({
      result: "failed",
      found: expect.stringContaining("refuses the password"),
    });
    expect(wrong.of("Redis")).toMatchObject({
      result: "failed",
      found: expect.stringContaining("ECONNREFUSED"),
      advice: expect.stringContaining("REDIS_URL"),
    });
    expect(wrong.of("work")).toMatchObject({ result: "warning" });

    const other = await examine({
      ...env,
      MASTER_KEYS: `test:${randomBytes(32).toString("base64")}`,
    });
    expect(other.of("master keys")).toMatchObject({
      result: "failed",
      found: expect.stringMatching(/^The master key test in MASTER_KEYS is another one/),
    });
  });

  test("says that the database is read-only, and that it is older or newer than the program", async () => {
    const name = new URL(harness.database.url).pathname.slice(1);
    await harness.database.query(
      "insert into migrations (name, run_on) values ('9999_of_the_future', now())",
    );
    await harness.database.query(`alter database ${name} set default_transaction_read_only = on`);
    try {
      const { of } = await examine(env);
      expect(of("database writes")).toMatchObject({ result: "failed" });
      expect(of("schema")).toMatchObject({
        result: "failed",
        found: expect.stringContaining("9999_of_the_future"),
      });
    } finally {
      await harness.database.query(
        `begin read write; alter database ${name} reset default_transaction_read_only;
         delete from migrations where name = '9999_of_the_future'; commit`,
      );
    }
  });

  test("advises PKCE, with the clients whose links are taken without it", async () => {
    const { client } = await harness.createClient();
    const { clients } = harness.services;
    for (const each of await clients.list()) await clients.update(each, { requirePkce: true });
    expect((await examine(env)).of("PKCE")).toMatchObject({ result: "ok" });
    const found = await clients.find(client.clientId);
    await clients.update(found!, { requirePkce: false });
    expect((await examine(env)).of("PKCE")).toMatchObject({
      result: "warning",
      found: `sign-in links without it are taken of ${client.clientId}`,
      advice: expect.stringContaining("--require-pkce"),
    });
  });

  test("names the clients of ranges that there are not", async () => {
    const { client } = await harness.createClient();
    const there = `${client.clientId}=10.1.2.0/24:443`;
    expect(
      (await examine({ ...env, OUTBOUND_ALLOW_WEBHOOKS: there })).of("ranges of clients"),
    ).toMatchObject({ result: "ok" });
    const misspelt = "00000000-00000000-00000000-00000000";
    const set = { ...env, OUTBOUND_ALLOW_PROVIDERS: `${there},${misspelt}=10.1.2.0/24:443` };
    expect((await examine(set)).of("ranges of clients")).toMatchObject({
      result: "warning",
      found: expect.stringMatching(new RegExp(`clients that there are not: ${misspelt}$`)),
      advice: expect.stringContaining("client list"),
    });
  });

  test("in a folder without a service says so and makes nothing", async () => {
    const { stateDir, remove } = await makeStateDir();
    await remove();
    const { of } = await examine({ STATE_DIR: stateDir });
    expect(of("database")).toMatchObject({
      result: "warning",
      advice: expect.stringContaining("npm start"),
    });
    const status = await rollcall(["status"], { STATE_DIR: stateDir });
    expect(status).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("No service was started"),
    });
  });

  test("prints a line for each check for a person", async () => {
    const away = { ...env, REDIS_URL: "redis://127.0.0.1:1" };
    const { stdout, code, stderr } = await rollcall(["doctor"], away);
    expect(stdout).toMatch(/^ok {7}configuration {6}all \d+ variables are valid: hosted$/m);
    expect(stdout).toMatch(/^failed {3}Redis {14}\S.*ECONNREFUSED/m);
    expect(stdout).toMatch(/^ {10,}\S.*REDIS_URL/m);
    expect(code).toBe(1);
    expect(stderr).toMatch(/1 of \d+ checks failed/);
  });
});

const databaseName = (): string => new URL(harness.database.url).pathname.slice(1);

describe("while the database takes no writes", () => {
  beforeAll(async () => {
    // One that was killed before, and one that told last.
    for (const age of ["30 minutes", "10 minutes"])
      await harness.database.query(
        `insert into running_processes (id, role, key_ids, active_key, seen_at, version, started_at)
         values (gen_random_uuid(), 'all', '{test}', 'test', now() - $1::interval, '0.1.0', now())`,
        [age],
      );
    await harness.database.query(
      `alter database ${databaseName()} set default_transaction_read_only = on`,
    );
  });
  afterAll(async () => {
    await harness.database.query(
      `begin read write; alter database ${databaseName()} reset default_transaction_read_only;
       delete from running_processes; commit`,
    );
  });

  test("npx rollcall status says so, and which processes told last that they run", async () => {
    const person = await rollcall(["status"], env);
    expect(person.stdout).toMatch(/^database +takes no writes: no process can tell that it runs$/m);
    expect(person.stdout).toMatch(/^all +0\.1\.0 +/m);
    expect(person.stdout).not.toContain("No process has told");
    const script = await rollcall(["status", "--json"], env);
    expect(script.json()).toMatchObject({
      database: { takes_writes: false },
      processes: [{ role: "all", seen_seconds_ago: expect.closeTo(600, -2) as number }],
    });
  });

  test("npx rollcall doctor does not say that no process runs", async () => {
    const { of } = await examine(env);
    expect(of("processes")).toMatchObject({
      result: "warning",
      found: "1 all, 0 api, 0 worker told last; none can tell while the database takes no writes",
    });
  });
});

test("npx rollcall status shows what runs and waits, to a person and to a program, and changes nothing", async () => {
  const telling = harness.services.keys.tellKeys("worker", {
    version: "0.1.0",
    listSchedules: () => [
      { schedule: "scheduling polls", everySeconds: 5, succeededAt: new Date().toISOString() },
    ],
  });
  const { token: bearer } = await harness.connect();
  await harness.http.get("/2023-03-01/xhr/employees", { bearer });
  await expect.poll(async () => (await harness.services.keys.processes()).length).toBe(1);
  await expect.poll(() => harness.services.queue.depths(["read"])).toMatchObject([{ waiting: 1 }]);
  const before = await dumpTables(harness.database.url);
  const script = await rollcall(["status", "--json"], env);
  expect(script).toMatchObject({ code: 0, stderr: "" });
  expect(script.json()).toMatchObject({
    version: "0.1.0",
    database: { takes_writes: true },
    schema: { state: "current" },
    processes: [{ role: "worker", version: "0.1.0" }],
    reads: expect.arrayContaining([expect.objectContaining({ state: "waiting", reads: 1 })]),
    polls: { due: expect.any(Number), lag_seconds: expect.any(Number) },
    deliveries: [],
    sign_ins: { running: 0, waiting: 0 },
    queues: expect.arrayContaining([expect.objectContaining({ queue: "read", waiting: 1 })]),
    schedules: [{ schedule: "scheduling polls", role: "worker", every_seconds: 5 }],
  });
  const person = await rollcall(["status"], env);
  expect(person.code).toBe(0);
  for (const text of [
    /^version +0\.1\.0$/m,
    /^waiting +1 +/m,
    /^read +1 +0 +0 +/m,
    /^scheduling polls +worker/m,
  ])
    expect(person.stdout).toMatch(text);
  expect(await dumpTables(harness.database.url)).toBe(before);
  await telling.stop();
});

import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Audit } from "../../src/audit/index.ts";
import { findMasterKeySource } from "../../src/start/master-key-source.ts";
import { openKeys } from "../../src/start/open-keys.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { createPool, DatabaseClock } from "../../src/platform/db/index.ts";
import { createLog } from "../../src/platform/log.ts";
import { rollcall } from "../support/command-line.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { createHarness } from "../support/harness.ts";
import { makeStateDir, makeUsedStateDir } from "../support/program-environment.ts";
import { untilNoProcessOf } from "../support/processes.ts";
import { spawnService, startService } from "../support/service-process.ts";

const newKey = (name: string): string => `${name}:${randomBytes(32).toString("base64")}`;
const log = createLog({ level: "silent", destination: { write: () => undefined } });

/** The content of a key file with another key. */
const fileOf = ({ id, key }: { id: string; key: Buffer }): string =>
  JSON.stringify({ master_keys: [{ id, key: key.toString("base64") }] });
const otherFile = (id: string, bytes = 32): string => fileOf({ id, key: randomBytes(bytes) });

/** What a start says that ends by itself. It has one sentence or two, on one line, and no stack. */
async function refusedStart(env: Record<string, string>): Promise<string> {
  const service = await spawnService(env);
  try {
    expect(await service.exited).toEqual({ code: 1, signal: null });
    expect(service.output).not.toMatch(/^ +at |node:internal|remove|delete/m);
    const said = service.output.split("\n").filter((line) => line.startsWith("Rollcall could not"));
    expect(said).toHaveLength(1);
    expect(
      service.output.split("\n").filter((line) => line !== "" && !line.startsWith("{")),
    ).toEqual(said);
    return said[0]!;
  } finally {
    await service.stop();
  }
}

describe("a hosted service whose database was used with other keys", () => {
  const key = newKey("k1");
  let database: TestDatabase;
  let env: Record<string, string>;
  beforeAll(async () => {
    database = await createTestDatabase();
    const harness = await createHarness({ database, env: { MASTER_KEYS: key } });
    env = harness.environment;
    await harness.connect();
    await harness.close();
  });
  afterAll(() => database.drop());

  const wrong = /The master key k1 in MASTER_KEYS is another one .* Put the right key there/;
  const missing = /The master key k1 is not in MASTER_KEYS, and \d+ rows .* Put it back/;
  /** A command opens the keys as a start does. The last ones are the roles that are tried as processes, too. */
  const cases: [string, string, RegExp, string[]][] = [
    ["another key of the same name", newKey("k1"), wrong, ["api", "worker", "all"]],
    ["another key of the same name behind a new one", `${newKey("k2")},${newKey("k1")}`, wrong, []],
    ["a key that is lost", newKey("k2"), missing, []],
    ["no key that is one", "k1:hunter2", /The configuration is not valid:/, []],
  ];

  test.each(cases)("%s is a sentence and no start", async (_, keys, sentence, roles) => {
    for (const ROLE of roles) {
      const service = await spawnService({ ...env, ROLE, MASTER_KEYS: keys });
      expect(await service.exited).toEqual({ code: 1, signal: null });
      expect(service.output).toMatch(sentence);
      expect(service.output).toMatch(/^Rollcall could not start\. [A-Z]/m);
      expect(service.output).not.toMatch(/^ +at |hunter2/m);
    }
    const command = await rollcall(["client", "list"], { ...env, MASTER_KEYS: keys });
    expect({ code: command.code, stdout: command.stdout }).toEqual({ code: 1, stdout: "" });
    expect(command.stderr).toMatch(sentence);
  });

  test.each(cases.slice(0, 3))(
    "%s is found in data of before there were canaries",
    async (_, keys, sentence) => {
      const kept = await database.query("delete from master_keys returning *");
      expect(await refusedStart({ ...env, MASTER_KEYS: keys })).toMatch(sentence);
      expect(await database.query("select * from master_keys")).toEqual([]);
      await database.query(
        "insert into master_keys select (json_populate_recordset(null::master_keys, $1)).*",
        [
          JSON.stringify(
            kept.map((row) => ({
              ...row,
              canary: `\\x${(row["canary"] as Buffer).toString("hex")}`,
            })),
          ),
        ],
      );
    },
  );

  test("it starts with its key, and records each key once", async () => {
    const service = await startService({ ...env, MASTER_KEYS: `${key},${newKey("k2")}` });
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    expect(
      await database.query(
        "select action, detail from audit_entries where action like 'key.%' order by id",
      ),
    ).toEqual([
      { action: "key.activated", detail: { key: "k1" } },
      { action: "key.added", detail: { key: "k2" } },
    ]);
    // A key that has never been the first one has sealed nothing, so a process without it may start.
    const without = await startService({ ...env, MASTER_KEYS: key });
    expect(await without.stop()).toEqual({ code: 0, signal: null });
  });
});

describe("many first starts at once", () => {
  test("with two keys of one name: one of them becomes the key, and the other one is refused", async () => {
    const database = await createTestDatabase();
    const pool = createPool({ databaseUrl: database.url, max: 10, patienceMs: 60_000, log });
    const keys = [randomBytes(32), randomBytes(32)];
    const starts = Array.from({ length: 10 }, async (_, index) => {
      const key = { id: "k1", key: keys[index % 2]! };
      const source = findMasterKeySource({ stateDir: "" }, { masterKeys: [key] });
      const clock = new DatabaseClock(systemClock, log);
      const opened = { pool, clock, log, audit: new Audit(clock) };
      await openKeys(opened, source, { isChecked: true });
      return index % 2;
    });
    const settled = await Promise.allSettled(starts);
    const winners = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    expect([winners.length, new Set(winners).size]).toEqual([5, 1]);
    expect((await database.query("select id from master_keys")).length).toBe(1);
    await pool.end();
    await database.drop();
  });

  test("in local mode: one key is made, and all have it", async () => {
    const database = await createTestDatabase();
    const folder = await makeStateDir();
    const pool = createPool({ databaseUrl: database.url, max: 10, patienceMs: 60_000, log });
    const clock = new DatabaseClock(systemClock, log);
    const opened = { pool, clock, log, audit: new Audit(clock) };
    const open = async () =>
      await openKeys(
        opened,
        findMasterKeySource({ stateDir: folder.stateDir }, { masterKeys: undefined }),
        { isChecked: true },
      );
    const rings = await Promise.all(Array.from({ length: 8 }, open));
    const digests = rings.map(({ keyring }) => keyring.digest("local", "x").toString("hex"));
    expect(new Set(digests).size).toBe(1);
    const file = join(folder.stateDir, "master-keys.json");
    rmSync(file);
    await expect(open()).rejects.toThrow(/master-keys\.json is missing, .* Restore the file/);
    expect(existsSync(file)).toBe(false);
    await pool.end();
    await folder.remove();
    await database.drop();
  });
});

describe("local mode beside data of an earlier start", () => {
  let folder: Awaited<ReturnType<typeof makeStateDir>>;
  let file: string;
  let kept: string;
  beforeAll(async () => {
    folder = await makeUsedStateDir();
    file = join(folder.stateDir, "master-keys.json");
    const service = await (await startService({ STATE_DIR: folder.stateDir })).untilStarted();
    await service.stop();
    kept = readFileSync(file, "utf8");
  });
  afterAll(() => folder.remove());

  /** A command reads the file as a start does, which is tried with some of them. */
  const triedAtStart = new Set(["missing", "garbage", "of another key"]);
  const cases: [string, () => void, RegExp][] = [
    ["missing", () => undefined, /is missing, and the data .* local\. Restore the file/],
    ["unreadable", () => mkdirSync(file), /cannot be read \(EISDIR\)\. Let this account read/],
    ["garbage", () => writeFileSync(file, "\0\0\0\0"), /does not hold master keys any more/],
    ["empty", () => writeFileSync(file, ""), /does not hold master keys any more/],
    ["cut", () => writeFileSync(file, kept.slice(0, 60)), /does not hold master keys any more/],
    [
      "of a short key",
      () => writeFileSync(file, otherFile("local", 31)),
      /does not hold master keys/,
    ],
    [
      "of a key of zeros",
      () => writeFileSync(file, fileOf({ id: "local", key: Buffer.alloc(32) })),
      /local in .*master-keys\.json is one byte again and again, .* Restore the file/,
    ],
    ["of another key", () => writeFileSync(file, otherFile("local")), /local in .* is another one/],
    [
      "of a key of another name",
      () => writeFileSync(file, otherFile("k2")),
      /local is not in .* rows/,
    ],
    ...(process.getuid?.() === 0
      ? []
      : ([
          [
            "forbidden",
            () => {
              writeFileSync(file, kept);
              chmodSync(file, 0);
            },
            /cannot be read \(EACCES\)/,
          ],
        ] as [string, () => void, RegExp][])),
  ];

  test.each(cases)(
    "a key file that is %s is a sentence to a command",
    async (_, damage, sentence) => {
      rmSync(file, { force: true, recursive: true });
      damage();
      const before = existsSync(file);
      const command = await rollcall(["client", "list"], { STATE_DIR: folder.stateDir });
      expect([command.code, command.stdout]).toEqual([1, ""]);
      expect(command.stderr).toMatch(sentence);
      expect(existsSync(file)).toBe(before);
    },
  );

  test.each(cases.filter(([name]) => triedAtStart.has(name)))(
    "nor does a start go on with a key file that is %s",
    async (_, damage, sentence) => {
      rmSync(file, { force: true, recursive: true });
      damage();
      const before = existsSync(file);
      expect(await refusedStart({ STATE_DIR: folder.stateDir })).toMatch(sentence);
      await untilNoProcessOf(folder.stateDir);
      expect(existsSync(file)).toBe(before);
    },
  );

  test("it starts again when the file is back, with the data that it had", async () => {
    rmSync(file, { force: true, recursive: true });
    writeFileSync(file, kept);
    const service = await (await startService({ STATE_DIR: folder.stateDir })).untilStarted();
    const demo = JSON.parse(readFileSync(join(folder.stateDir, "demo.json"), "utf8")) as {
      client_id: string;
      client_secret: string;
    };
    const reply = await service.http.get("/2023-03-01/management/client", {
      basic: [demo.client_id, demo.client_secret],
    });
    expect(reply.status).toBe(200);
    await service.stop();
  });
});

describe("local mode", () => {
  test("gets its new key from keys add, while nothing runs", async () => {
    const folder = await makeUsedStateDir();
    const env = { STATE_DIR: folder.stateDir };
    const service = await (await startService(env)).untilStarted();
    const early = await rollcall(["keys", "add"], env);
    expect([early.code, early.stdout]).toEqual([1, ""]);
    expect(early.stderr).toMatch(/a process of this service runs \(all\).*stop it/);
    await service.stop();
    const added = (await rollcall(["keys", "add", "--json"], env)).json<{ key: string }>();
    expect(added.key).toMatch(/^k\d{8}$/);
    const again = await (await startService(env)).untilStarted();
    expect((await rollcall(["keys", "rewrap"], env)).code).toBe(0);
    expect(await rollcall(["keys", "retire", "local"], env)).toMatchObject({ code: 0 });
    const rows = (await rollcall(["keys", "status", "--json"], env)).json<
      { key: string; state: string; connections: number }[]
    >();
    expect(rows.map(({ key, state }) => [key, state])).toEqual([
      ["local", "retired"],
      [added.key, "active"],
    ]);
    expect(rows.map(({ connections }) => connections > 0)).toEqual([false, true]);
    await again.stop();
    await folder.remove();
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../src/platform/clock.ts";
import { migrate } from "../../src/platform/db/index.ts";
import { listMigrations } from "../../src/platform/db/migration-files.ts";
import { createLog } from "../../src/platform/log.ts";
import { rollcall } from "../support/command-line.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { testEnvironment } from "../support/harness.ts";

const start = (): Promise<void> =>
  migrate(database.url, { clock: systemClock, log: createLog({ level: "silent" }) });

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** As a newer program leaves it. */
async function migrateFurther(name: string, startsFrom: string | null, version: string | null) {
  await database.query(
    "insert into migrations (name, run_on, program_version, starts_from) values ($1, now(), $2, $3)",
    [name, version, startsFrom],
  );
}

describe("a database that has migrations of a newer program", () => {
  beforeEach(async () => {
    await database.query("delete from migrations where name > '8'");
  });

  test("is refused, with the version that it needs", async () => {
    await migrateFurther("9001_more", null, "1.4.0");
    await expect(start()).rejects.toThrow(
      /^The database is newer .* 9001_more of version 1\.4\.0, .* Start version 1\.4\.0 or a newer one\./,
    );
  });

  test("is refused when its program was ended before it said its version", async () => {
    await migrateFurther("9001_more", null, null);
    await expect(start()).rejects.toThrow(/9001_more, .* Start the version that brought it/);
  });

  test("is used when each of them says that a program as old as this one may start", async () => {
    await migrateFurther("9001_more", "0029_delivery_errors", "1.4.0");
    await start();
    await migrateFurther("9002_more", "9001_more", "1.5.0");
    await expect(start()).rejects.toThrow(/9002_more of version 1\.5\.0/);
  });
});

test("a migration is stored with its version, and with who may start on it; a kill in between is mended", async () => {
  await database.query("delete from migrations where name > '8'");
  await database.query("update migrations set program_version = null, starts_from = null");
  await start();
  const rows = await database.query(
    "select name, program_version, starts_from from migrations where program_version is not null order by name limit 1",
  );
  expect(rows).toEqual([
    {
      name: "0032_upgrades",
      program_version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      starts_from: "0029_delivery_errors",
    },
  ]);
});

test("database migrate brings the schema without a service", async () => {
  await database.query("drop schema public cascade; create schema public");
  const count = listMigrations().length - 1;
  await migrate(database.url, {
    clock: systemClock,
    log: createLog({ level: "silent" }),
    count,
  });
  const { code, stdout } = await rollcall(
    ["database", "migrate", "--json"],
    testEnvironment(database.url),
  );
  expect(code).toBe(0);
  const [newest] = await database.query("select max(name) as name from migrations");
  expect(JSON.parse(stdout)).toEqual({
    migration: newest?.["name"],
    run_on: expect.stringMatching(/^20/),
  });
  expect(newest).toEqual({ name: listMigrations().at(-1) });
});

test.each([
  [
    "0033_sealed_account",
    1,
    /newest migration is 0033_sealed_account, .* npx rollcall database migrate/,
  ],
  ["0036_service_time", 0, /0036_service_time \(older than this program\)/],
])(
  "status says of a database at %s that it is older than this program",
  async (last, code, said) => {
    await database.query("drop schema public cascade; create schema public");
    const count = listMigrations().indexOf(last) + 1;
    await migrate(database.url, {
      clock: systemClock,
      log: createLog({ level: "silent" }),
      count,
    });
    const result = await rollcall(["status"], testEnvironment(database.url));
    expect(result).toMatchObject({ code });
    expect(result.stdout + result.stderr).toMatch(said);
    expect(result.stdout + result.stderr).toContain("older than this program");
  },
);

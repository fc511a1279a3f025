import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { expect, test } from "vitest";
import { systemClock } from "../../src/platform/clock.ts";
import { migrate } from "../../src/platform/db/index.ts";
import { listMigrations } from "../../src/platform/db/migration-files.ts";
import { createLog } from "../../src/platform/log.ts";
import { StartSteps } from "../../src/start/start-steps.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { TestClock } from "../support/test-clock.ts";

/** A migration gives its lock up after 500 ms. The rest is for a slow machine. */
const longestWaitMs = 2_000;
const log = createLog({ level: "silent" });
const undefinedTable = "42P01";
const migrations = listMigrations();

/** With a client that reads for long, and one for the traffic of others. */
async function withDatabase(
  work: (database: TestDatabase, reader: Client, traffic: Client) => Promise<void>,
): Promise<void> {
  const database = await createTestDatabase();
  const [reader, traffic] = [database, database].map(
    ({ url }) => new Client({ connectionString: url }),
  ) as [Client, Client];
  await Promise.all([reader.connect(), traffic.connect()]);
  try {
    await work(database, reader, traffic);
  } finally {
    await Promise.all([reader.end(), traffic.end()]);
    await database.drop();
  }
}

/** Reads every table again and again. Returns how long the longest statement took. */
async function readTables(
  traffic: Client,
  tables: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  let longestMs = 0;
  while (!signal.aborted) {
    for (const table of tables) {
      const startedAt = performance.now();
      await traffic.query(`select from ${table} limit 1`).catch((error: { code: string }) => {
        if (error.code !== undefinedTable) throw error;
      });
      longestMs = Math.max(longestMs, performance.now() - startedAt);
    }
    await delay(10);
  }
  return longestMs;
}

// Each begins with the schema before its migrations. What is named changes tables that every request reads.
test.concurrent.each([
  [0, 14, "0014_reads_that_go_on"],
  [14, 20, "0020_bound_tokens"],
  [20, migrations.length, "0029_delivery_errors"],
])(
  "migrations %i to %i let others pass while a read is open, and run when it has ended",
  async (from, to, changing) => {
    await withDatabase(async (database, reader, traffic) => {
      await database.query("drop schema public cascade; create schema public");
      if (from > 0) await migrate(database.url, { clock: systemClock, log, count: from });
      const waited: string[] = [];
      const longestMs = new Map<string, number>();
      for (const name of migrations.slice(from, to)) {
        const rows = await database.query(
          "select tablename from pg_tables where schemaname = 'public'",
        );
        const tables = rows.map(({ tablename }) => String(tablename));
        await reader.query("begin");
        for (const table of tables) await reader.query(`lock table ${table} in access share mode`);
        const over = new AbortController();
        const longest = readTables(traffic, tables, over.signal);
        const sleep = async (): Promise<void> => {
          waited.push(name);
          await reader.query("rollback");
        };
        await migrate(database.url, { clock: { ...systemClock, sleep }, log, count: 1 });
        over.abort();
        await reader.query("rollback");
        longestMs.set(name, await longest);
        const [newest] = await database.query("select max(name) as name from migrations");
        expect(newest).toEqual({ name });
      }
      expect([...longestMs].filter(([, ms]) => ms > longestWaitMs)).toEqual([]);
      expect(waited).toContain(changing);
      expect(new Set(waited).size).toBe(waited.length);
    });
  },
);

test("who holds a table for minutes is named, and waited for by a start, and not by a command", async () => {
  await withDatabase(async (database, reader) => {
    await database.query("delete from migrations where name >= '0032_upgrades'");
    await reader.query("set application_name = 'pg_dump'");
    await reader.query("begin; lock table migrations in access share mode");
    await delay(1_100);
    const clock = new TestClock();
    const sleep = async (): Promise<void> => clock.advance(121);
    const migrating = (): Promise<void> =>
      migrate(database.url, { clock: { now: () => clock.now(), sleep }, log });
    const lines: string[] = [];
    const told = createLog({
      level: "info",
      destination: {
        write: (line) => {
          lines.push(line);
          if (lines.length === 2) void reader.query("rollback");
        },
      },
    });
    const hurried = { elapsedMs: () => clock.elapsedMs(), sleep, now: () => clock.now() };
    const stepsOf = (busyMs: number): StartSteps =>
      new StartSteps({ clock: hurried, log: told }, { awayMs: 0, silentMs: 0, busyMs });
    const holder = /waited 2 minutes .*process \d+ \(pg_dump\) since 20/;
    await expect(stepsOf(20_000).open("migrates", migrating)).rejects.toThrow(holder);
    expect(lines).toEqual([]);
    // It has got its table: the columns of the migration are there, because its row alone was removed.
    await expect(stepsOf(Infinity).open("migrates", migrating)).rejects.toThrow("already exists");
    expect(lines.join("")).toMatch(holder);
  });
});

test("tokens that nobody has bound are refused in a sentence, and are not bound any more", async () => {
  await withDatabase(async (database) => {
    await database.query("drop schema public cascade; create schema public");
    const count = migrations.indexOf("0034_bound_connections");
    await migrate(database.url, { clock: systemClock, log, count });
    await database.query("alter table tokens drop constraint tokens_are_bound");
    await database.query(`insert into clients (client_id, name, redirect_uris, created_at, updated_at)
      values ('one', 'One', '{}', now(), now())`);
    await database.query(`insert into tokens (id, client_id, digest, provider, mode, scopes, created_at)
      values (gen_random_uuid(), 'one', 'x', 'sandbox', 'xhr', '{}', now())`);
    await expect(migrate(database.url, { clock: systemClock, log })).rejects.toThrow(
      /^tokens of a version before .* are not bound yet\. Start the version that brought 0033/,
    );
  });
});

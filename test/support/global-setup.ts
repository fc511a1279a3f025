import { chmod, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import type { TestProject } from "vitest/node";
import { systemClock } from "../../src/platform/clock.ts";
import { createPool, migrate } from "../../src/platform/db/index.ts";
import { startEmbeddedPostgres } from "../../src/platform/embedded/index.ts";
import { createLog } from "../../src/platform/log.ts";
import { migratePostgresQueue } from "../../src/platform/queue/index.ts";
import { letFilesSetTime } from "./database-time.ts";
import { startRedis } from "./redis-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgresUrl: string;
    redisUrl: string | undefined;
    /** For what the workers of the run share. It is removed at its end. */
    runFolder: string;
    /** Where files say what time databases show. */
    timeFolder: string;
  }
}

const runFolderName = "rollcall-run-";

/** One Postgres for the run. Each test file clones its database from the migrated template. */
// oxlint-disable-next-line import/no-default-export
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const log = createLog({ level: "warn" });
  await removeLeftRuns();
  const stateDir = await mkdtemp(join(tmpdir(), `${runFolderName}${process.pid}-`));
  const timeFolder = join(stateDir, "time");
  await mkdir(timeFolder);
  // The account of Postgres reads there.
  await Promise.all([chmod(stateDir, 0o711), chmod(timeFolder, 0o711)]);
  const postgres = await startEmbeddedPostgres({ stateDir, isDurable: false, log });
  const onRedis = project.config.env?.["TEST_ON_REDIS"] !== undefined;
  const redis = onRedis ? await startRedis() : undefined;

  await easeLogins(postgres.databaseUrl);
  const template = await createTemplate(postgres.databaseUrl);
  await migrate(template, { clock: systemClock, log });
  await letFilesSetTime(template, timeFolder);
  const pool = createPool({ databaseUrl: template, max: 2, patienceMs: 60_000, log });
  await migratePostgresQueue(pool);
  await pool.end();

  project.provide("postgresUrl", postgres.databaseUrl);
  project.provide("redisUrl", redis?.url);
  project.provide("runFolder", stateDir);
  project.provide("timeFolder", timeFolder);
  return async () => {
    await redis?.stop();
    await postgres.stop();
    await rm(stateDir, { recursive: true, force: true });
  };
}

/** A run that was killed leaves a tenth of a gigabyte, in memory where the folder is. */
async function removeLeftRuns(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = new RegExp(`^${runFolderName}(\\d+)-`).exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    await rm(join(tmpdir(), name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** A login costs 4,096 rounds of a hash at both ends otherwise, and a run has tens of thousands. */
async function easeLogins(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("set scram_iterations = 1");
  const { username, password } = new URL(databaseUrl);
  const secret = client.escapeLiteral(decodeURIComponent(password));
  await client.query(`alter role ${client.escapeIdentifier(username)} password ${secret}`);
  await client.end();
}

async function createTemplate(databaseUrl: string): Promise<string> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("create database template_rollcall");
  await client.end();
  const url = new URL(databaseUrl);
  url.pathname = "/template_rollcall";
  return url.toString();
}

import { randomBytes } from "node:crypto";
import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { systemClock } from "../../src/platform/clock.ts";
import { rollcall } from "../support/command-line.ts";
import { createTestDatabase, queryOnce, type TestDatabase } from "../support/database.ts";
import { findDumpTools, startDumpServer } from "../support/dump-server.ts";
import {
  createHarness,
  exchangeBody,
  redirectUri,
  signIn,
  type Harness,
} from "../support/harness.ts";
import { readWhenReady } from "../support/read-when-ready.ts";
import { startService, type ServiceProcess } from "../support/service-process.ts";

const employees = "/2023-03-01/xhr/employees";

/** Where the service runs, where its backup is restored to, and how. */
interface Place {
  first: TestDatabase;
  backUp: () => Promise<void>;
  restore: () => Promise<TestDatabase>;
  close: () => Promise<void>;
}

const nameOf = (url: string): string => new URL(url).pathname.slice(1);

/** A copy by the server itself has the same rows as a dump. */
async function placeOfCopies(): Promise<Place> {
  const [first, second] = [await createTestDatabase(), await createTestDatabase()];
  return {
    first,
    backUp: async () => {
      const admin = new Client({ connectionString: inject("postgresUrl") });
      await admin.connect();
      await admin.query(`drop database ${nameOf(second.url)}`);
      await admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${nameOf(first.url)}'`,
      );
      await admin.query(`create database ${nameOf(second.url)} template ${nameOf(first.url)}`);
      await admin.end();
    },
    restore: async () => second,
    close: async () => void (await Promise.all([first.drop(), second.drop()])),
  };
}

/** The commands are those of docs/backups.md. */
async function placeOfDumps(bin: string): Promise<Place> {
  const servers = [await startDumpServer(bin), await startDumpServer(bin)] as const;
  const folder = await mkdtemp(join(tmpdir(), "rollcall-backup-"));
  const file = join(folder, "rollcall.dump");
  return {
    first: databaseOf(servers[0].url),
    backUp: async () =>
      void execFileSync(join(bin, "pg_dump"), [
        "--format=custom",
        `--file=${file}`,
        servers[0].url,
      ]),
    restore: async () => {
      const options = ["--no-owner", "--exit-on-error", "--single-transaction"];
      execFileSync(join(bin, "pg_restore"), [...options, `--dbname=${servers[1].url}`, file]);
      return databaseOf(servers[1].url);
    },
    close: async () => {
      await Promise.all(servers.map((server) => server.stop()));
      await rm(folder, { recursive: true });
    },
  };
}

function databaseOf(url: string): TestDatabase {
  const query: TestDatabase["query"] = (text, values) => queryOnce(url, text, values);
  return { url, query, setTime: () => {}, drop: async () => {} };
}

const tools = findDumpTools();
if (!tools)
  process.stdout.write(
    "The backup by pg_dump is left out: no Postgres with its tools is installed in /usr/lib/postgresql.\n",
  );

describe.each([
  ["as a copy", placeOfCopies],
  ...(tools === undefined ? [] : [["by pg_dump", () => placeOfDumps(tools)] as const]),
] as const)("a database that is restored %s into another place", (_how, findPlace) => {
  type Connected = Awaited<ReturnType<Harness["connect"]>>;
  let place: Place;
  let harness: Harness;
  let env: Record<string, string>;
  let [kept, gone, late] = [] as unknown as [Connected, Connected, Connected];
  let code: Awaited<ReturnType<typeof signIn>>;
  let link: string;
  let folder: string;
  let service: ServiceProcess | undefined;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "rollcall-restore-"));
    place = await findPlace();
    harness = await createHarness({ database: place.first, clock: systemClock });
    [kept, gone] = [await harness.connect(), await harness.connect()];
    code = await signIn(harness.services);
  });
  afterAll(async () => {
    await service?.stop();
    await place.close();
    await rm(folder, { recursive: true });
  });

  test("after the backup a token is disconnected, a code exchanged, another token issued", async () => {
    const session = await harness.http.post("/2023-03-01/management/connect-session", {
      basic: [kept.client.clientId, kept.secret],
      json: { redirect_uri: redirectUri, mode: "xhr", scope: employees, provider: "sandbox" },
    });
    expect(session.status).toBe(201);
    link = (session.body as { connect_url: string }).connect_url;
    await place.backUp();
    const disconnect = "/2023-03-01/management/disconnect";
    expect((await harness.http.post(disconnect, { bearer: gone.token })).status).toBe(200);
    const exchange = "/2023-03-01/management/token";
    expect((await harness.http.post(exchange, { json: exchangeBody(code) })).status).toBe(201);
    late = await harness.connect();
    expect(harness.logLines.join("\n")).toMatch(
      new RegExp(`"tokenId":"${gone.tokenId}".*"a token was disconnected"`),
    );
    await harness.close();
    const restored = await place.restore();
    env = { ...harness.environment, DATABASE_URL: restored.url };
  });

  test("database restored ends what was disconnected, and what may have been used, since the backup", async () => {
    const file = join(folder, "disconnected.txt");
    await writeFile(file, `${gone.tokenId}\n\n${late.tokenId}\n${gone.tokenId}\n`);
    const args = ["database", "restored", "--disconnected", file, "--json"];
    const settled = await rollcall(args, env);
    expect(settled.stderr).toBe("");
    expect(settled.json()).toEqual({
      newest_entry_at: expect.stringMatching(/^20\d\d-/),
      disconnected: 1,
      unknown: 1,
      codes: 1,
      sign_ins: 1,
      redis_keys: 0,
      restored_to: expect.any(Number),
      lost_until: null,
    });
    // It may be repeated, and says what is missing.
    const again = await rollcall(["database", "restored", "--json"], env);
    expect(again.json()).toMatchObject({ disconnected: 0, codes: 0, sign_ins: 0 });
    expect(again.stderr).toContain("No --disconnected was given");
    const { newest_entry_at: newest } = again.json<{ newest_entry_at: string }>();
    const third = await rollcall(["database", "restored", "--json"], env);
    expect(third.json()).toMatchObject({ newest_entry_at: newest });
  });

  test("with another master key nothing is done, and the key is named", async () => {
    const key = `test:${randomBytes(32).toString("base64")}`;
    const refused = await rollcall(["database", "restored"], { ...env, MASTER_KEYS: key });
    expect([refused.code, refused.stdout]).toEqual([1, ""]);
    expect(refused.stderr).toContain("The master key test in MASTER_KEYS is another one");
  });

  test("then the service serves what the backup has, and nothing that ended since", async () => {
    service = await startService(env);
    const { http } = service;
    expect((await readWhenReady(http, employees, { bearer: kept.token })).status).toBe(200);
    expect((await http.get(employees, { bearer: gone.token })).status).toBe(403);
    expect((await http.get(employees, { bearer: late.token })).status).toBe(401);
    const exchange = "/2023-03-01/management/token";
    const again = await http.post(exchange, { json: exchangeBody(code) });
    expect([again.status, again.body]).toMatchObject([
      400,
      { validation_error: "invalid_grant: the code has expired" },
    ]);
    const { pathname, search } = new URL(link);
    const page = await http.get(pathname + search);
    expect([page.status, page.bytes.includes("<form")]).toEqual([410, false]);
  });

  test("the audit log has the restore; while a process runs the command is refused", async () => {
    const refused = await rollcall(["database", "restored"], env);
    expect([refused.code, refused.stdout]).toEqual([1, ""]);
    expect(refused.stderr).toMatch(/a process of this service runs \(all\)/);
    expect(refused.stderr).not.toContain("give access again");
    const listed = await rollcall(["audit", "list", "--json"], env);
    const entries = listed.json<{ action: string; detail: object; token: string }[]>();
    const restores = entries.filter(({ action }) => action === "database.restored");
    expect(restores.map(({ detail }) => detail)).toEqual([
      { from: expect.any(Number), codes: 0, signIns: 0, disconnected: 0 },
      { from: expect.any(Number), codes: 0, signIns: 0, disconnected: 0 },
      { from: expect.any(Number), codes: 1, signIns: 1, disconnected: 1 },
    ]);
    expect(entries).toContainEqual(
      expect.objectContaining({ action: "token.disconnected", token: gone.tokenId }),
    );
  });
});

test("a file of tokens that is missing, or has something else in it, is a usage error", async () => {
  const args = ["database", "restored", "--disconnected"];
  const [one, two] = await Promise.all([
    rollcall([...args, "/nowhere/disconnected.txt"], {}),
    rollcall([...args, import.meta.filename], {}),
  ]);
  expect([one.code, two.code]).toEqual([2, 2]);
  expect(one.stderr).toContain("/nowhere/disconnected.txt cannot be read (ENOENT)");
  expect(two.stderr).toContain(`line 1 of ${import.meta.filename} is not the id of a token`);
});

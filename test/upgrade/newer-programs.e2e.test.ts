import { cp, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { systemClock } from "../../src/platform/clock.ts";
import { rollcall } from "../support/command-line.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { createHarness, exchangeBody, signIn } from "../support/harness.ts";
import { projectDir } from "../support/program-environment.ts";
import { spawnService, startService, type ServiceProcess } from "../support/service-process.ts";

/** A report that somebody reads. `npm run chaos -- upgrade` has one of 20 s. */
const openReadMs = 2_000;
const readTables = "lock table tokens, connections, clients, snapshots in access share mode";
const moreMigrations = {
  "9001_columns": `set local lock_timeout = '500ms';
    alter table clients add column more text;
    alter table tokens add column more text;
    alter table connections add column more text not null default '';
    alter table snapshots add column more text;`,
  "9002_index": `set local lock_timeout = '500ms';
    create index tokens_more on tokens (more);
    alter table authorization_codes add column more text;`,
};

let database: TestDatabase;
let newer: string;
let env: Record<string, string>;
let older: ServiceProcess[];
let tokens: string[];
const codes: Awaited<ReturnType<typeof signIn>>[] = [];
const services: ServiceProcess[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  const harness = await createHarness({ database, clock: systemClock });
  env = harness.environment;
  const owner = await harness.createClient();
  tokens = [(await harness.connect()).token, (await harness.connect({ client: owner })).token];
  for (let code = 0; code < 40; code += 1)
    codes.push(await signIn(harness.services, { client: owner }));
  await harness.close();
  await database.query("update authorization_codes set expires_at = now() + interval '1 hour'");
  [newer, older] = await Promise.all([
    makeNewerProgram(),
    Promise.all([startService(env), startService(env)]),
  ]);
  services.push(...older);
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await database.drop();
  await rm(newer, { recursive: true, force: true });
});

/** The next version of this program: it has further migrations. */
async function makeNewerProgram(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "rollcall-newer-"));
  const copied = ["bin", "src", "migrations"];
  for (const name of copied)
    await cp(join(projectDir, name), join(folder, name), { recursive: true });
  const notLinked = new Set([...copied, "package.json", ".git"]);
  for (const name of await readdir(projectDir))
    if (!notLinked.has(name)) await symlink(join(projectDir, name), join(folder, name));
  await writeFile(
    join(folder, "package.json"),
    JSON.stringify({ name: "rollcall", version: "9.9.9", type: "module" }),
  );
  for (const [name, text] of Object.entries(moreMigrations))
    await writeFile(join(folder, "migrations", `${name}.sql`), text);
  return folder;
}

/** Requests of all kinds, one after another. Returns how many there were. */
async function send(
  { http }: ServiceProcess,
  failures: string[],
  isOver: (turn: number) => boolean,
): Promise<number> {
  let requests = 0;
  const note = (what: string, status: number, ...expected: number[]): void => {
    requests += 1;
    if (!expected.includes(status)) failures.push(`${what} ${status}`);
  };
  for (let turn = 0; !isOver(turn); turn += 1) {
    const bearer = tokens[turn % tokens.length];
    const introspect = "/2023-03-01/management/introspect";
    note("introspect", (await http.get(introspect, { bearer })).status, 200);
    note("employees", (await http.get("/2023-03-01/xhr/employees", { bearer })).status, 200, 202);
    const code = codes.pop();
    if (!code) continue;
    const exchange = await http.post("/2023-03-01/management/token", { json: exchangeBody(code) });
    note("exchange", exchange.status, 201);
    const { access_token: token } = exchange.body as { access_token: string };
    const ended = await http.post("/2023-03-01/management/disconnect", { bearer: token });
    note("disconnect", ended.status, 200);
    const refused = await http.get("/2023-03-01/xhr/employees", { bearer: token });
    note("after it", refused.status, 403);
  }
  return requests;
}

test("three newer programs start at once on old data while older ones serve, and no request fails", async () => {
  const failures: string[] = [];
  const over = new AbortController();
  const counts = older.map((service) => send(service, failures, () => over.signal.aborted));
  const reader = new Client({ connectionString: database.url });
  await reader.connect();
  await reader.query(`begin; ${readTables}`);
  const starting = [1, 2, 3].map(async () => {
    const service = await spawnService(env, newer);
    services.push(service);
    return await service.untilServing();
  });
  await vi.waitUntil(() => services.some(({ output }) => output.includes("tried again")), 120_000);
  await delay(openReadMs);
  await reader.end();
  const started = await Promise.all(starting);
  // The older ones go on beside the newer ones.
  const newerCounts = started.map((service) => send(service, failures, (turn) => turn === 10));
  const requests = await Promise.all(newerCounts);
  over.abort();
  requests.push(...(await Promise.all(counts)));
  expect(failures).toEqual([]);
  expect(Math.min(...requests)).toBeGreaterThanOrEqual(20);
  process.stdout.write(`Newer and older answered ${requests.join(", ")} requests, none failed.\n`);
  const rows = await database.query(
    "select name, program_version from migrations where name > '9' order by name",
  );
  expect(rows).toEqual(
    Object.keys(moreMigrations).map((name) => ({ name, program_version: "9.9.9" })),
  );
});

test("from then on the older program, its commands too, refuses the database in a sentence", async () => {
  const sentence = "it has the migration 9002_index of version 9.9.9, and this is version ";
  const [late, command] = await Promise.all([spawnService(env), rollcall(["client", "list"], env)]);
  services.push(late);
  expect(await late.exited).toEqual({ code: 1, signal: null });
  expect(late.output).toContain(
    "Rollcall could not start. The database is newer than this program: ",
  );
  expect(late.output).toContain(sentence);
  expect(late.output).not.toMatch(/^ +at /m);
  expect([command.code, command.stdout]).toEqual([1, ""]);
  expect(command.stderr).toContain(sentence);
  expect(older.map(({ isRunning }) => isRunning)).toEqual([true, true]);
});

import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { systemClock } from "../../src/platform/clock.ts";
import { rollcall } from "../support/command-line.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { fillKeyedRows } from "../support/fill-keyed-rows.ts";
import { createHarness, exchangeBody, signIn } from "../support/harness.ts";
import { programEnvironment, projectDir } from "../support/program-environment.ts";
import { spawnService, startService, type ServiceProcess } from "../support/service-process.ts";

/** How many connections there are. It was tried with 100,000. */
const size = 4_000;
const newKey = (name: string): string => `${name}:${randomBytes(32).toString("base64")}`;
const [first, second] = [newKey("k1"), newKey("k2")];

interface Status {
  key: string;
  state: string;
  connections: number;
  tokens: number;
  clients: number;
  authorization_codes: number;
}

let database: TestDatabase;
let backup: TestDatabase;
let env: Record<string, string>;
let tokens: string[];
let owner: { client: { clientId: string }; secret: string };
let codes: Awaited<ReturnType<typeof signIn>>[];
let disconnected: string;

const statusOf = async (keys: string): Promise<Status[]> =>
  (await rollcall(["keys", "status", "--json"], { ...env, MASTER_KEYS: keys })).json<Status[]>();
const underFirst = async (): Promise<number> => {
  const found = (await statusOf(`${second},${first}`)).find(({ key }) => key === "k1")!;
  return found.connections + found.tokens + found.clients + found.authorization_codes;
};

/** A copy of the database as it is now. Nothing may use it meanwhile. */
async function copyDatabase(): Promise<TestDatabase> {
  const copy = await createTestDatabase();
  const [to, from] = [copy.url, database.url].map((url) => new URL(url).pathname.slice(1));
  const admin = new Client({ connectionString: inject("postgresUrl") });
  await admin.connect();
  await admin.query(`drop database ${to}`);
  await admin.query(`create database ${to} template ${from}`);
  await admin.end();
  return copy;
}

beforeAll(async () => {
  database = await createTestDatabase();
  const harness = await createHarness({
    database,
    clock: systemClock,
    env: { MASTER_KEYS: first },
  });
  env = harness.environment;
  const connected = await harness.connect();
  disconnected = connected.tokenId;
  owner = await harness.createClient();
  codes = [];
  for (let code = 0; code < 60; code += 1)
    codes.push(await signIn(harness.services, { client: owner as never }));
  tokens = [
    (await harness.connect()).token,
    ...(await fillKeyedRows(harness.services, owner.client.clientId, size)),
  ];
  await harness.close();
  // They are exchanged one by one, on a slow machine too.
  await database.query("update authorization_codes set expires_at = now() + interval '1 hour'");
  await database.query(
    "update connections set expires_at = now() + interval '1 hour' where expires_at is not null",
  );
  backup = await copyDatabase();
});
afterAll(async () => {
  await database.drop();
  await backup.drop();
});

function startRewrap(): {
  child: ChildProcess;
  untilProgress: Promise<void>;
  ended: Promise<unknown>;
} {
  const child = spawn(join(projectDir, "bin/rollcall"), ["keys", "rewrap"], {
    cwd: projectDir,
    env: programEnvironment({ ...env, MASTER_KEYS: `${second},${first}` }),
    stdio: ["ignore", "ignore", "pipe"],
  });
  const progress = Promise.withResolvers<void>();
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString();
    if (said.includes("connections: ")) progress.resolve();
  });
  return { child, untilProgress: progress.promise, ended: once(child, "close") };
}

describe("a new key takes the place of another one, while the service serves", () => {
  let services: ServiceProcess[];
  const failures: string[] = [];
  let requests = 0;
  const load = { isOver: false };

  const note = (what: string, status: number, expected: number): void => {
    requests += 1;
    if (status !== expected) failures.push(`${what} ${status}`);
  };
  async function send(service: ServiceProcess): Promise<void> {
    for (let turn = 0; !load.isOver; turn += 1) {
      const { http } = service;
      const bearer = tokens[Math.floor((turn * 7919) % tokens.length)];
      const path = "/2023-03-01/management/introspect";
      note("introspect", (await http.get(path, { bearer })).status, 200);
      note("identity", (await http.get("/2023-03-01/xhr/identity", { bearer })).status, 200);
      const basic: [string, string] = [owner.client.clientId, owner.secret];
      note("client", (await http.get("/2023-03-01/management/client", { basic })).status, 200);
      const code = turn % 5 === 0 ? codes.pop() : undefined;
      if (!code) continue;
      const reply = await http.post("/2023-03-01/management/token", { json: exchangeBody(code) });
      note("exchange", reply.status, 201);
      tokens.push((reply.body as { access_token: string }).access_token);
    }
  }

  beforeAll(async () => {
    const keys = { MASTER_KEYS: `${second},${first}` };
    services = await Promise.all([
      startService({ ...env, ...keys }),
      startService({ ...env, ...keys }),
    ]);
    await rollcall(["token", "disconnect", disconnected], { ...env, ...keys });
  });
  afterAll(async () => {
    load.isOver = true;
    await Promise.all(services.map((service) => service.stop()));
  });

  test("no request fails while rows are sealed again, half-way killed, and resumed twice at once", async () => {
    const clients = services.map((service) => send(service));
    const killed = startRewrap();
    await killed.untilProgress;
    killed.child.kill("SIGKILL");
    await killed.ended;
    const left = await underFirst();
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(2 * size);
    const early = await rollcall(["keys", "retire", "k1"], {
      ...env,
      MASTER_KEYS: `${second},${first}`,
    });
    expect([early.code, early.stdout]).toEqual([1, ""]);
    expect(early.stderr).toMatch(/rows are still sealed under k1 .*keys rewrap/);

    const [one, two] = [startRewrap(), startRewrap()];
    expect(await Promise.all([one.ended, two.ended])).toEqual([
      [0, null],
      [0, null],
    ]);
    expect(await underFirst()).toBe(0);
    load.isOver = true;
    await Promise.all(clients);
    expect(failures).toEqual([]);
    expect(requests).toBeGreaterThan(50);
  });

  test("the old key is retired, and every row reads without it", async () => {
    const retired = await rollcall(["keys", "retire", "k1"], {
      ...env,
      MASTER_KEYS: `${second},${first}`,
    });
    expect([retired.code, retired.stderr]).toEqual([0, expect.stringContaining("Take k1 out")]);
    await Promise.all(services.map((service) => service.stop()));
    services = [await startService({ ...env, MASTER_KEYS: second })];
    const { http } = services[0]!;
    const sample = tokens.filter((_, index) => index % Math.ceil(tokens.length / 300) === 0);
    for (const bearer of [...sample, ...tokens.slice(-30)])
      expect((await http.get("/2023-03-01/xhr/identity", { bearer })).status).toBe(200);
    expect(await statusOf(second)).toMatchObject([
      { key: "k1", state: "retired", connections: 0, tokens: 0 },
      { key: "k2", state: "active" },
    ]);
    expect(
      (
        await database.query(
          "select action from audit_entries where action like 'key.%' order by id",
        )
      ).map(({ action }) => action),
    ).toEqual(expect.arrayContaining(["key.activated", "key.rewrapped", "key.retired"]));
  });

  test("a backup of before opens with no key that is left, a disconnected connection included", async () => {
    const service = await spawnService({ ...env, DATABASE_URL: backup.url, MASTER_KEYS: second });
    expect(await service.exited).toEqual({ code: 1, signal: null });
    expect(service.output).toMatch(/The master key k1 is not in MASTER_KEYS, and \d+ rows/);
    // What the backup has of the connection that was disconnected since is sealed under the lost key alone.
    const [row] = await backup.query("select key_id from connections where token_id = $1", [
      disconnected,
    ]);
    expect(row).toEqual({ key_id: "k1" });
    expect(
      await database.query("select 1 from connections where token_id = $1", [disconnected]),
    ).toEqual([]);
    // Nor can the old rows be brought back into the database that is in use.
    const [old] = await backup.query("select wrapped_key from connections where token_id = $1", [
      disconnected,
    ]);
    await expect(
      database.query(
        `update connections set key_id = 'k1', wrapped_key = $1 where id = (select id from connections limit 1)`,
        [old?.["wrapped_key"]],
      ),
    ).rejects.toThrow("the master key k1 is retired");
  });

  test("the retired key may be left behind the active one for a while, and never comes first again", async () => {
    const beside = await startService({ ...env, MASTER_KEYS: `${second},${first}` });
    await beside.untilStarted();
    expect(beside.output).toContain("a retired key is not used");
    await beside.stop();
    const back = await spawnService({ ...env, MASTER_KEYS: `${first},${second}` });
    expect(await back.exited).toEqual({ code: 1, signal: null });
    expect(back.output).toMatch(/The master key k1, the first one of MASTER_KEYS, was retired on/);
  });
});

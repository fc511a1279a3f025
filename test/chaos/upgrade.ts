import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { request } from "undici";
import { parseMasterKey } from "../../src/config/index.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { Keyring } from "../../src/platform/crypto/index.ts";
import { createPool } from "../../src/platform/db/index.ts";
import { createLog } from "../../src/platform/log.ts";
import { createClient as createClientOf, rollcall } from "../support/command-line.ts";
import { fillKeyedRows } from "../support/fill-keyed-rows.ts";
import { redirectUri } from "../support/harness.ts";
import { projectDir } from "../support/program-environment.ts";
import { freePort } from "../support/redis-server.ts";
import { startSlowVendorProgram, type VendorProgram } from "../support/vendors/vendor-program.ts";
import { connectAccounts, type Account, type TestClient } from "./accounts.ts";
import { formatMs } from "./latency.ts";
import { Load, type Answer } from "./load.ts";
import { pollNow, untilSo } from "./measuring.ts";
import type { Measured, Row, RowContext } from "./row.ts";
import type { ServiceProgram } from "./service-program.ts";
import { SmallProxy } from "./small-proxy.ts";
import type { Stage } from "./stage.ts";
import { WatchedEmployees } from "./watched-employees.ts";

/** An age of the schema: its newest migration, and the last commit that knew no further one. */
interface Age {
  migration: string;
  commit: string;
  connections: number;
}

/** CONTRIBUTING.md says how another one is chosen. The oldest one has the size of a large service. */
const ages: readonly Age[] = [
  { migration: "0025", commit: "612e7bb", connections: 200_000 },
  { migration: "0029", commit: "c52272f", connections: 20_000 },
  { migration: "0032", commit: "651e8f1", connections: 20_000 },
  { migration: "0033", commit: "e9e1cba", connections: 20_000 },
];

export const upgrades: readonly Row[] = ages.map((age) => ({
  name: `upgrade:${age.migration}`,
  target:
    "three newer processes start at once beside two older ones and a read of 20 s, and the older ones end: no request " +
    "fails, changes are told once, and the audit record is found true",
  limitMinutes: 30,
  run: async (context: RowContext) => await measureUpgrade(context, age),
}));

const callersOfProcess = 4;
const refusal = "after a disconnect";
const watchedAccounts = 5;
const employees = 60;

async function measureUpgrade(context: RowContext, age: Age): Promise<Measured> {
  // Five processes have their sessions, and the commands theirs. Hosted: the versions find the server of a state folder
  // in different ways.
  const stage = await context.stage({ DATABASE_POOL_MAX: "6" }, { hasOwnStores: true });
  const program = unpackOlder(stage.folder, age.commit);
  const ports: number[] = [];
  const proxy = await SmallProxy.start(Number(stage.env["PORT"]), ports);
  context.defer("the proxy", () => proxy.close());
  stage.commandsOf = program;
  const older = await startProcesses(stage, 2, { program });
  ports.push(...older.map(({ port }) => port));
  context.note("the older processes serve");
  const watching = await watch(context, stage);
  const tokens = await fill(stage, {
    connections: context.scaled(age.connections, 2_000),
    deliveriesOfEach: 5,
  });
  context.note(`${tokens.length} connections are there`);

  const callers = new Callers(tokens);
  const ofOlder = new Load(stage, isRight);
  const ofNewer = new Load(stage, isRight);
  for (const { port } of older) ofOlder.begin(callersOfProcess, callers.at(port));
  await watching.change();
  await delay(context.scaled(5_000, 2_000));
  const read = await openRead(context, stage);
  const startedAt = performance.now();
  const starting = startProcesses(stage, 3, {
    preload: join(import.meta.dirname, "leap-steady-clock.ts"),
  });
  await delay(context.scaled(20_000, 5_000));
  await read.end();
  context.note("the read has ended");
  const newer = await starting;
  const startMs = performance.now() - startedAt;
  context.note("the newer processes serve");
  ports.push(...newer.map(({ port }) => port));
  for (const { port } of newer) ofNewer.begin(callersOfProcess, callers.at(port));
  await watching.change();
  stage.commandsOf = projectDir;
  await watching.change();
  await watching.connect("of-both");
  await delay(context.scaled(10_000, 3_000));

  await ofOlder.end();
  ports.splice(0, older.length);
  await Promise.all(older.map(({ process }) => process.stop()));
  context.note("the older processes have ended");
  const findings = await verifyAudit(stage);
  await watching.change();
  await leaveOldersBehind(context, stage, newer);
  await watching.change();
  await watching.connect("of-newer");
  await ofNewer.end();
  const isQuiet = await watching.employees.becomeQuiet(context.scaled(600_000, 240_000));
  const violations = await watching.employees.findViolations();
  findings.push(...(await verifyAudit(stage)));
  const broken = proxy.broken.length;
  return {
    isOk:
      [ofOlder, ofNewer].every(({ notAllowed }) => notAllowed.length === 0) &&
      broken === 0 &&
      findings.length === 0 &&
      isQuiet &&
      violations.length === 0 &&
      stage.failure === undefined,
    measured:
      `older: ${ofOlder.describe()}; newer: ${ofNewer.describe()}; the longest ` +
      `${formatMs(Math.max(ofOlder.slowestMs, ofNewer.slowestMs))}; ${broken} sockets broke; ${tokens.length} ` +
      `connections; the newer ones served after ${formatMs(startMs)}; audit: ${findings.slice(0, 3).join(", ") || "true"}; ` +
      `${watching.employees.describe()}, ${isQuiet ? "nothing" : "something"} left pending, ` +
      `violations: ${violations.slice(0, 3).join(", ") || "none"}`,
  };
}

const isRight = ({ what, status }: Answer): boolean => status === (what === refusal ? 403 : 200);

/** Connections with changes that are told, of a client whom the older program made. */
async function watch(context: RowContext, stage: Stage): Promise<Watching> {
  const vendor = await context.use(startSlowVendorProgram({ employees }));
  const { id: clientId, secret } = await createClientOf(stage.env, {
    redirectUri,
    program: stage.commandsOf,
  });
  const client = { clientId, secret };
  const accounts = await signIn(stage, client, vendor, "of-older");
  const watched = await WatchedEmployees.begin(context, stage, {
    client,
    accounts,
    listen: async (url) => await listenAtOlder(stage, clientId, url),
  });
  return new Watching({ context, stage, client, vendor, employees: watched });
}

async function signIn(
  stage: Stage,
  client: TestClient,
  vendor: VendorProgram,
  name: string,
): Promise<Account[]> {
  const signIns = Array.from({ length: watchedAccounts }, (_, index) => ({
    url: vendor.url,
    username: `${name}-${index}`,
  }));
  return await connectAccounts(stage, client, signIns);
}

interface Watched {
  context: RowContext;
  stage: Stage;
  client: TestClient;
  vendor: VendorProgram;
  employees: WatchedEmployees;
}

class Watching {
  readonly employees: WatchedEmployees;
  readonly #watched: Watched;

  constructor(watched: Watched) {
    this.employees = watched.employees;
    this.#watched = watched;
  }

  /** People change, and the change is polled by whichever version takes the poll. */
  async change(): Promise<void> {
    const { context, stage, vendor } = this.#watched;
    await vendor.control({ change: employees / 3 });
    await pollAll(stage);
    await this.employees.hurry();
    context.note(this.employees.describe());
  }

  /** End users sign in through pages that come from whichever process is asked. */
  async connect(name: string): Promise<void> {
    const { context, stage, client, vendor } = this.#watched;
    const { length } = await signIn(stage, client, vendor, name);
    context.note(`${length} end users have signed in`);
  }
}

/** The older program begins the polls. A hosted service takes an http address from nobody. */
async function listenAtOlder(stage: Stage, clientId: string, url: string): Promise<void> {
  const { PORT: _, ...env } = stage.env;
  const args = ["client", "update", clientId, "--webhook-uri", url.replace("http:", "https:")];
  const { code, stderr } = await rollcall(args, env, { program: stage.commandsOf });
  if (code !== 0) throw new Error(`the client was not updated: ${stderr}`);
  await stage.query("update clients set webhook_uri = $2 where client_id = $1", [clientId, url]);
}

async function pollAll(stage: Stage): Promise<void> {
  const { isDone, output } = await pollNow(stage);
  if (!isDone) throw new Error(`the polls did not end: ${output}`);
}

/** Holds every table as somebody does who reads for long. */
async function openRead(context: RowContext, stage: Stage): Promise<{ end(): Promise<void> }> {
  const reader = new Client({ connectionString: stage.databaseUrl, application_name: "chaos" });
  await reader.connect();
  context.defer("the reader", () => reader.end());
  await reader.query("begin");
  const { rows } = await reader.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public'",
  );
  for (const { name } of rows) await reader.query(`lock table ${name} in access share mode`);
  return { end: async () => void (await reader.query("rollback")) };
}

/** Each finding that `audit verify` has, or none. */
async function verifyAudit(stage: Stage): Promise<string[]> {
  const { PORT: _, ...env } = stage.env;
  const { stdout, stderr, code } = await rollcall(["audit", "verify", "--json"], env);
  if (stdout === "") return [`the audit record could not be read: ${stderr.trim()}`];
  const { findings } = JSON.parse(stdout) as { findings: { message: string }[] };
  const messages = findings.map(({ message }) => message);
  return code === 0 || messages.length > 0 ? messages : [stderr.trim()];
}

/** The time passes after which every row has to be bound, and the newer processes agree that it has. */
async function leaveOldersBehind(
  context: RowContext,
  stage: Stage,
  newer: readonly Running[],
): Promise<void> {
  const limitMs = 300_000;
  const haveSeenNone = await untilSo(stage, limitMs, async () => {
    const [row] = await stage.query(
      `select count(*) as count from pg_stat_activity
       where application_name = '' and datname = current_database() and backend_type = 'client backend'`,
    );
    return Number(row?.["count"]) === 0;
  });
  if (!haveSeenNone) throw new Error("sessions of older programs stay");
  // Each process has looked at least once.
  await delay(70_000, undefined, { signal: stage.signal });
  for (const { process: service } of newer) process.kill(service.pid, "SIGUSR2");
  const areBound = await untilSo(stage, limitMs, async () => {
    const [row] = await stage.query(
      `select (select count(*) from binding_moments where kind = 'bound')
         = (select count(distinct table_name) from binding_moments) as done`,
    );
    return row?.["done"] === true;
  });
  if (!areBound) throw new Error("the rows are not bound after the older programs were gone");
  context.note("36 minutes later every row has to be bound");
}

/** Of this clone's history. It uses the packages that are installed. */
function unpackOlder(folder: string, commit: string): string {
  const program = join(folder, "older");
  mkdirSync(program);
  let archive: Buffer;
  try {
    archive = execFileSync("git", ["archive", "--format=tar", commit], {
      cwd: projectDir,
      maxBuffer: 1_000_000_000,
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch (cause) {
    throw new Error(`this clone has no commit ${commit}: git fetch --unshallow`, { cause });
  }
  execFileSync("tar", ["-x", "-C", program], { input: archive });
  symlinkSync(join(projectDir, "node_modules"), join(program, "node_modules"));
  return program;
}

interface Running {
  port: number;
  process: ServiceProgram;
}

async function startProcesses(
  stage: Stage,
  count: number,
  options: { program?: string; preload?: string },
): Promise<Running[]> {
  return await Promise.all(
    Array.from({ length: count }, async () => {
      const port = await freePort();
      // Hosted: the two versions find the server of a state folder in different ways.
      const env = {
        PORT: String(port),
        // The older one knows no other variable for ranges, and the newer one takes that no more.
        ...(options.program !== undefined && { OUTBOUND_ALLOW: "127.0.0.0/8,::1/128" }),
      };
      return { port, process: await stage.start("all", { env, ...options }) };
    }),
  );
}

/** As the older version stores them. Returns the tokens. */
async function fill(
  stage: Stage,
  { connections, deliveriesOfEach }: { connections: number; deliveriesOfEach: number },
): Promise<string[]> {
  const key = parseMasterKey(stage.env["MASTER_KEYS"] ?? "");
  if (!key) throw new Error("the stage has no master key");
  const pool = createPool({
    databaseUrl: stage.databaseUrl,
    max: 2,
    patienceMs: 60_000,
    statementTimeoutMs: 600_000,
    log: createLog({ level: "silent" }),
  });
  try {
    await pool.query(
      `insert into clients (client_id, name, redirect_uris, created_at, updated_at)
       values ('upgraded', 'Upgraded', '{}', now(), now())`,
    );
    const keyring = new Keyring([key]);
    const rows = { pool, keyring, clock: systemClock };
    const tokens = await fillKeyedRows(rows, "upgraded", connections);
    await pool.query(
      `insert into deliveries (id, connection_id, client_id, token_id, status, sealed_body, added, removed, updated,
         created_at, settled_at)
       select gen_random_uuid(), id, client_id, token_id, 'delivered', '', 1, 0, 0, now(), now()
       from connections, generate_series(1, $1::integer) where client_id = 'upgraded'`,
      [deliveriesOfEach],
    );
    await pool.query(
      `insert into reads (id, connection_id, client_id, provider, mode, origin_key, resource, parameters, state,
         priority, requested_at, settled_at, outcome)
       select gen_random_uuid(), id, client_id, provider, mode, '', 'employees', '', 'settled', 1, now(), now(),
         'stored' from connections where client_id = 'upgraded'`,
    );
    await pool.query(
      `insert into authorization_codes (digest, client_id, token_id, redirect_uri, expires_at, redeemed_at)
       select sha256(id::text::bytea), client_id, token_id, '', now(), now() from connections
       where client_id = 'upgraded'`,
    );
    return tokens;
  } finally {
    await pool.end();
  }
}

/** Requests, each answered as it has to be. */
class Callers {
  readonly #tokens: readonly string[];
  /** Each is disconnected once, and nobody else asks with it. */
  readonly #leaving: string[];

  constructor(tokens: readonly string[]) {
    const staying = Math.ceil(tokens.length / 2);
    this.#tokens = tokens.slice(0, staying);
    this.#leaving = tokens.slice(staying);
  }

  /** What callers ask the process that listens there, one after the other. */
  at(port: number): (turn: number) => Promise<Answer> {
    const asks = [
      (turn: number) => this.#ask(port, "GET", "management/introspect", this.#token(turn)),
      (turn: number) => this.#ask(port, "GET", "xhr/identity", this.#token(turn)),
    ];
    let left: string | undefined;
    return async (turn) => {
      if (left !== undefined) {
        const token = left;
        left = undefined;
        const answer = await this.#ask(port, "GET", "xhr/identity", token);
        return { ...answer, what: refusal };
      }
      if (turn % 40 > 0) return await asks[turn % asks.length]!(turn);
      const token = this.#leaving.pop();
      if (token === undefined) return await asks[0]!(turn);
      const answer = await this.#ask(port, "POST", "management/disconnect", token);
      left = token;
      return answer;
    };
  }

  #token(turn: number): string {
    return this.#tokens[(turn * 7_919) % this.#tokens.length] ?? "";
  }

  async #ask(port: number, method: "GET" | "POST", path: string, token: string): Promise<Answer> {
    const { statusCode, body } = await request(`http://127.0.0.1:${port}/2023-03-01/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
    });
    await body.dump();
    return { what: `${method} ${path}`, status: statusCode };
  }
}

import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { request } from "undici";
import { parseMasterKey } from "../../src/config-values.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { Keyring } from "../../src/platform/crypto/index.ts";
import { createPool } from "../../src/platform/db/index.ts";
import { createLog } from "../../src/platform/log.ts";
import { fillKeyedRows } from "../support/fill-keyed-rows.ts";
import { projectDir } from "../support/program-environment.ts";
import { freePort } from "../support/redis-server.ts";
import { formatMs } from "./latency.ts";
import type { Measured, Row, RowContext } from "./row.ts";
import type { Stage } from "./stage.ts";

export const upgrade: Row = {
  name: "upgrade",
  target:
    "three newer processes start at once beside two older ones and a read of 20 s; no request fails",
  limitMinutes: 30,
  run: measureUpgrade,
};

/** The last commit that knows the migrations up to 0025. CONTRIBUTING.md says how another one is chosen. */
const olderCommit = "612e7bb";
const sendersOfProcess = 4;

async function measureUpgrade(context: RowContext): Promise<Measured> {
  const stage = await context.stage();
  const program = unpackOlder(stage.folder);
  const older = await startProcesses(stage, 2, program);
  context.note("the older processes serve");
  const tokens = await fill(stage, {
    connections: context.scaled(200_000, 2_000),
    deliveriesOfEach: 5,
  });
  context.note(`${tokens.length} connections are there`);

  const load = new Load(tokens);
  for (const url of older) load.send(url);
  await delay(context.scaled(5_000, 2_000));
  const reader = new Client({ connectionString: stage.databaseUrl });
  await reader.connect();
  context.defer("the reader", () => reader.end());
  await reader.query("begin");
  const { rows } = await reader.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public'",
  );
  for (const { name } of rows) await reader.query(`lock table ${name} in access share mode`);
  const startedAt = performance.now();
  const starting = startProcesses(stage, 3);
  await delay(context.scaled(20_000, 5_000));
  await reader.query("rollback");
  context.note("the read has ended");
  const newer = await starting;
  const startMs = performance.now() - startedAt;
  context.note("the newer processes serve");
  for (const url of newer) load.send(url);
  await delay(context.scaled(10_000, 3_000));
  const { requests, failures, longestMs } = await load.end();
  return {
    isOk: failures.length === 0 && stage.failure === undefined,
    measured:
      `${requests} requests, ${failures.length} failed${failures.length > 0 ? ` (${failures[0]})` : ""}, the longest ` +
      `${formatMs(longestMs)}; ${tokens.length} connections; the newer ones served after ${formatMs(startMs)}`,
  };
}

/** Of this clone's history. It uses the packages that are installed. */
function unpackOlder(folder: string): string {
  const program = join(folder, "older");
  mkdirSync(program);
  let archive: Buffer;
  try {
    archive = execFileSync("git", ["archive", "--format=tar", olderCommit], {
      cwd: projectDir,
      maxBuffer: 1_000_000_000,
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch (cause) {
    throw new Error(`this clone has no commit ${olderCommit}: git fetch --unshallow`, { cause });
  }
  execFileSync("tar", ["-x", "-C", program], { input: archive });
  symlinkSync(join(projectDir, "node_modules"), join(program, "node_modules"));
  return program;
}

/** Returns their addresses. */
async function startProcesses(stage: Stage, count: number, program?: string): Promise<string[]> {
  return await Promise.all(
    Array.from({ length: count }, async () => {
      const port = String(await freePort());
      // Hosted: the two versions find the server of a state folder in different ways.
      const env = { PORT: port, DATABASE_URL: stage.databaseUrl };
      // The older one knows no other variable for ranges, and the newer one takes that no more.
      const olderEnv = { ...env, OUTBOUND_ALLOW: "127.0.0.0/8,::1/128" };
      await stage.start("all", program === undefined ? { env } : { env: olderEnv, program });
      return `http://127.0.0.1:${port}`;
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

/** Requests that never stop, each answered as it has to be. */
class Load {
  readonly #tokens: readonly string[];
  /** Each is disconnected once, and nobody else asks with it. */
  readonly #leaving: string[];
  readonly #over = new AbortController();
  readonly #senders: Promise<void>[] = [];
  readonly #failures: string[] = [];
  #requests = 0;
  #longestMs = 0;

  constructor(tokens: readonly string[]) {
    const staying = Math.ceil(tokens.length / 2);
    this.#tokens = tokens.slice(0, staying);
    this.#leaving = tokens.slice(staying);
  }

  send(url: string): void {
    for (let sender = 0; sender < sendersOfProcess; sender += 1)
      this.#senders.push(this.#sendTo(url, sender));
  }

  async end(): Promise<{ requests: number; failures: readonly string[]; longestMs: number }> {
    this.#over.abort();
    await Promise.all(this.#senders);
    return { requests: this.#requests, failures: this.#failures, longestMs: this.#longestMs };
  }

  async #sendTo(url: string, sender: number): Promise<void> {
    for (let turn = sender; !this.#over.signal.aborted; turn += 1) {
      const token = this.#tokens[(turn * 7_919) % this.#tokens.length] ?? "";
      await this.#ask(url, "GET", "/2023-03-01/management/introspect", token, 200);
      await this.#ask(url, "GET", "/2023-03-01/xhr/identity", token, 200);
      const leaving = turn % 20 === 0 ? this.#leaving.pop() : undefined;
      if (leaving === undefined) continue;
      await this.#ask(url, "POST", "/2023-03-01/management/disconnect", leaving, 200);
      await this.#ask(url, "GET", "/2023-03-01/xhr/identity", leaving, 403);
    }
  }

  async #ask(
    url: string,
    method: "GET" | "POST",
    path: string,
    token: string,
    expected: number,
  ): Promise<void> {
    const startedAt = performance.now();
    this.#requests += 1;
    const status = await request(url + path, {
      method,
      headers: { authorization: `Bearer ${token}` },
    }).then(
      async ({ statusCode, body }) => (await body.dump(), String(statusCode)),
      (error: unknown) => String(error),
    );
    this.#longestMs = Math.max(this.#longestMs, performance.now() - startedAt);
    if (status !== String(expected)) this.#failures.push(`${method} ${path}: ${status}`);
  }
}

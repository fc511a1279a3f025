// npm run scale [-- --connections N --deliveries M --real R]: one service of two processes for the API and two workers,
// with Redis, on this machine. R connections of the sandbox are read; first they are alone, then there are N others
// beside them, with M deliveries. The data is in TMPDIR until it ends.
import { setTimeout as delay } from "node:timers/promises";
import { createClient } from "../test/chaos/accounts.ts";
import type { RowContext } from "../test/chaos/row.ts";
import type { Stage } from "../test/chaos/stage.ts";
import { freePort } from "../test/support/redis-server.ts";
import { employeesPath, headersOf } from "./companies.ts";
import { serverAt } from "./load.ts";
import { management, ManagementStage } from "./management.ts";
import { scale } from "./options.ts";
import { consolePages } from "./scale/console-pages.ts";
import { fillStore, scaledTables } from "./scale/fill-store.ts";
import {
  measureRequests,
  type Figures,
  type Parts,
  type Request,
} from "./scale/measure-requests.ts";
import { countScanned, measureUpkeep } from "./scale/measure-upkeep.ts";
import { storePidsOf } from "./stage-pids.ts";
import { withContext } from "./with-context.ts";

const tokensOfClient = 10_000;
const lists = 20;
/** What a process of the API keeps of a token, and what Postgres tells of a session, is older than this afterwards. */
const settleMs = 11_000;

interface Scaled {
  context: RowContext;
  stage: Stage;
  origins: readonly string[];
  parts: Parts;
  managed: ManagementStage;
  /** Of the connections that are read. */
  tokens: readonly string[];
  ids: readonly string[];
  /** Of the console. */
  pages: ReadonlyMap<string, Request>;
}

type Measured = Readonly<Record<string, Figures>>;

await withContext("redis", async (context) => {
  const startedAt = performance.now();
  const note = (what: string): void => {
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
    process.stderr.write(`${seconds.padStart(5)} s  ${what}\n`);
  };
  const { real, connections, deliveries } = scale;
  const scaled = await prepare(context);
  note(`${real} connections are there`);
  const few = await measure(scaled);
  note("they are measured alone");
  await fillStore(scaled.stage, scale);
  note(`${connections} others and ${deliveries} deliveries are there`);
  await delay(settleMs);
  const before = await countScanned(scaled.stage, scaledTables);
  const many = await measure(scaled);
  note("they are measured beside the others");
  printRequests(few, many);
  for (const worker of scaled.stage.running.slice(2)) await worker.stop();
  const upkeep = await measureUpkeep(scaled.stage, scaled.parts.postgres);
  for (const { what, rows, seconds, postgresUs, longestStatementMs } of upkeep)
    print([
      what,
      `${rows} rows in ${seconds.toFixed(1)} s`,
      `${postgresUs.toFixed(0)} us of Postgres a row`,
      `longest statement ${longestStatementMs.toFixed(0)} ms`,
    ]);
  await delay(settleMs);
  const scanned = [...(await countScanned(scaled.stage, scaledTables))].filter(
    ([table, rows]) => rows > (before.get(table) ?? 0),
  );
  print(["tables read without an index", scanned.map(([table]) => table).join(", ") || "none"]);
  const [size] = await scaled.stage.query(
    "select pg_database_size(current_database())::float8 as bytes",
  );
  print(["the database", `${(Number(size?.["bytes"]) / 1e9).toFixed(1)} GB`]);
});

async function prepare(context: RowContext): Promise<Scaled> {
  const stage = await context.stage({
    SNAPSHOT_FRESH_SECONDS: "86400",
    SNAPSHOT_STALE_SECONDS: "86400",
    CONSOLE: "on",
  });
  const port = await freePort();
  const apis = [
    await stage.start("api"),
    await stage.start("api", { env: { PORT: String(port) } }),
  ];
  const workers = [await stage.start("worker"), await stage.start("worker")];
  const [postgres = 0, redis = 0] = await storePidsOf(stage);
  const ours = serverAt(stage.baseUrl, () => []);
  context.defer("the sockets", () => ours.pool.destroy());
  const client = await createClient(stage);
  const managed = new ManagementStage("redis", { context, stage, ours, ...client });
  const tokens: string[] = [];
  for (const code of await managed.issueCodes(scale.real)) {
    const issued = Buffer.from(await managed.exchange(code)).toString();
    tokens.push((JSON.parse(issued) as { access_token: string }).access_token);
  }
  await managed.fillTokens(tokensOfClient);
  const found = await stage.query("select id, token_id from connections where client_id = $1", [
    client.clientId,
  ]);
  return {
    context,
    stage,
    origins: [stage.baseUrl, `http://127.0.0.1:${port}`],
    parts: {
      api: apis.map(({ pid }) => pid),
      worker: workers.map(({ pid }) => pid),
      postgres: [postgres],
      redis: [redis],
    },
    managed,
    tokens,
    ids: found.map((row) => String(row["id"])),
    pages: await consolePages(stage, String(found[0]?.["token_id"])),
  };
}

async function measure(scaled: Scaled): Promise<Measured> {
  const { stage, origins, parts, managed, tokens, ids, pages } = scaled;
  await forgetLists(stage, ids);
  const ask = async (requests: readonly Request[]): Promise<Figures> =>
    await measureRequests(origins, parts, requests);
  const reads = tokens.map((token) => get(employeesPath, headersOf(token, "br")));
  const prefer = { prefer: "wait=60" };
  const codes = await managed.issueCodes(tokens.length);
  const shown: Record<string, Figures> = {};
  for (const [page, request] of pages) shown[`page ${page}`] = await ask(times(lists, request));
  return {
    "first read of a connection": await ask(
      reads.map(({ path, headers }) => get(path, { ...headers, ...prefer })),
    ),
    "GET of employees": await ask([...reads, ...reads, ...reads]),
    introspect: await ask(
      tokens.map((token) => get(`${management}/introspect`, headersOf(token, "br"))),
    ),
    "exchange of a code": await ask(
      codes.map((code) => ({
        ...get(`${management}/token`, { "content-type": "application/json" }),
        method: "POST",
        body: managed.exchangeBody(code),
        status: 201,
      })),
    ),
    [`list of ${tokensOfClient} tokens`]: await ask(
      times(lists, get(`${management}/tokens`, managed.basic)),
    ),
    "page of 100 tokens": await ask(
      times(tokens.length, get(`${management}/tokens?limit=100`, managed.basic)),
    ),
    "page of deliveries": await ask(
      times(tokens.length, get(`${management}/deliveries`, managed.basic)),
    ),
    problems: await ask(times(lists, get(`${management}/problems`, managed.basic))),
    ...shown,
  };
}

function get(path: string, headers: Record<string, string>): Request {
  return { path, headers };
}

function times(count: number, request: Request): Request[] {
  return Array.from({ length: count }, () => request);
}

/** The next read of each connection asks the provider. */
async function forgetLists(stage: Stage, ids: readonly string[]): Promise<void> {
  for (const table of ["snapshots", "reads"])
    await stage.query(`delete from ${table} where connection_id = any($1)`, [ids]);
  await delay(settleMs);
}

function printRequests(few: Measured, many: Measured): void {
  print([
    "request",
    "p50 / p99, ms",
    "beside all",
    "CPU, us: API + worker + Postgres + Redis",
    "beside all",
  ]);
  for (const [what, alone] of Object.entries(few)) {
    const beside = many[what] ?? alone;
    print([what, formatTimes(alone), formatTimes(beside), formatCpu(alone), formatCpu(beside)]);
  }
}

function formatTimes({ p50Ms, p99Ms, failed }: Figures): string {
  const failures =
    failed.length > 0 ? `, ${failed.length} failed with ${[...new Set(failed)].join(", ")}` : "";
  return `${p50Ms.toFixed(1)} / ${p99Ms.toFixed(1)}${failures}`;
}

function formatCpu({ cpu }: Figures): string {
  return [cpu.api, cpu.worker, cpu.postgres, cpu.redis].map((us) => us.toFixed(0)).join(" + ");
}

function print(cells: readonly string[]): void {
  process.stdout.write(`| ${cells.join(" | ")} |\n`);
}

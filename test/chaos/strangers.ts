import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { request } from "undici";
import { ConnectVisitor, linkPath } from "../support/connect-visitor.ts";
import { redirectUri } from "../support/harness.ts";
import { projectDir } from "../support/program-environment.ts";
import { bulk, slowKinds, watchSlowSocket } from "../support/slow-sockets.ts";
import { createClient, type TestClient } from "./accounts.ts";
import { patientAgent } from "./asking.ts";
import { formatMs } from "./latency.ts";
import { startProber } from "./measuring.ts";
import type { Measured, Row, RowContext } from "./row.ts";
import type { Stage } from "./stage.ts";

export const openedLinks: Row = {
  name: "opened-links",
  target: "no row and no growth of the database; a one-time link that scanners opened can be used",
  limitMinutes: 20,
  run: measureLinks,
};

export const slowSockets: Row = {
  name: "slow-sockets",
  target: "each is gone within 15 s; nobody else sees a failure",
  limitMinutes: 10,
  run: measureSlow,
};

export const generatedRequests: Row = {
  name: "generated-requests",
  target: "no 5xx, no crash, every answer ours, memory given back",
  limitMinutes: 60,
  run: measureGenerated,
};

const visitorsAtOnce = 32;
const boundMs = 15_000;
const requestsPerSeed = 5_000;

/** The rows of each table but that of the running processes, and the bytes of the sign-ins' table. */
async function measureTables(stage: Stage): Promise<string> {
  const tables = await stage.query(
    `select tablename as name from pg_tables
     where schemaname = 'public' and tablename <> 'running_processes' order by 1`,
  );
  const counts: string[] = [];
  for (const { name } of tables) {
    const rows = await stage.query(`select count(*) as count from "${String(name)}"`);
    counts.push(`${String(name)} ${String(rows[0]?.["count"])}`);
  }
  const size = await stage.query("select pg_total_relation_size('connect_flows') as bytes");
  return [...counts, `${String(size[0]?.["bytes"])} bytes`].join(", ");
}

async function measureLinks(context: RowContext): Promise<Measured> {
  const stage = await context.stage();
  await stage.start("api");
  const client = await createClient(stage);
  const once = await makeOneTimeLinks(stage, client, 10);
  const before = await measureTables(stage);
  const looks = context.scaled(10_000, 500);
  const left = Array.from({ length: looks }, (_, index) => index).values();
  let wrong = 0;
  const look = async (): Promise<void> => {
    for (const index of left) {
      stage.signal.throwIfAborted();
      const network = `198.${18 + (index % 2)}.${(index >> 8) % 250}.${index % 250}`;
      const link =
        index % 10 === 0
          ? once[(index / 10) % once.length]!
          : linkPath(client, { provider: index % 3 === 0 ? undefined : "odoo", state: `${index}` });
      const visitor = new ConnectVisitor(stage.baseUrl, { "x-forwarded-for": network });
      const { status } = await visitor.ask(index % 50 === 7 ? "HEAD" : "GET", link);
      if (status !== (index % 50 === 7 ? 405 : 200)) wrong += 1;
    }
  };
  await Promise.all(Array.from({ length: visitorsAtOnce }, look));
  const after = await measureTables(stage);
  let usable = 0;
  for (const link of once) {
    const page = await new ConnectVisitor(stage.baseUrl).begin(link);
    if (page.status === 200 && page.path !== link) usable += 1;
  }
  return {
    isOk: wrong === 0 && before === after && usable === once.length,
    measured:
      `${looks} looks, ${wrong} answered wrongly; ${before === after ? "no row and no byte more" : `before: ${before}; after: ${after}`}; ` +
      `${usable} of ${once.length} one-time links usable`,
  };
}

async function makeOneTimeLinks(
  stage: Stage,
  { clientId, secret }: TestClient,
  count: number,
): Promise<string[]> {
  const links: string[] = [];
  while (links.length < count) {
    const { statusCode, body } = await request(
      `${stage.baseUrl}/2023-03-01/management/connect-session`,
      {
        method: "POST",
        headers: {
          authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString("base64")}`,
          "content-type": "application/json",
        },
        body: JSON.stringify({
          redirect_uri: redirectUri,
          mode: "xhr",
          scope: "/2023-03-01/xhr/employees",
          provider: "odoo",
        }),
      },
    );
    const { connect_url: url } = (await body.json()) as { connect_url?: string };
    if (!url) throw new Error(`a one-time link was answered ${statusCode}`);
    const { pathname, search } = new URL(url);
    links.push(pathname + search);
  }
  return links;
}

async function measureSlow(context: RowContext): Promise<Measured> {
  const stage = await context.stage();
  await stage.start("api");
  const whole = await request(stage.baseUrl + bulk, { dispatcher: patientAgent });
  const bulkBytes = (await whole.body.arrayBuffer()).byteLength;
  const prober = await context.use(startProber(`${stage.baseUrl}/providers`));
  await delay(3_000);
  const idle = await prober.mark();
  const perKind = context.scaled(500, 40);
  const kinds = Object.keys(slowKinds);
  const fates = await Promise.all(
    kinds.flatMap((kind) =>
      Array.from({ length: perKind }, () =>
        watchSlowSocket(stage.baseUrl, kind, {
          over: () => AbortSignal.timeout(boundMs),
          bulkBytes,
        }),
      ),
    ),
  );
  const during = await prober.mark();
  const left = fates.filter(({ isGone }) => !isGone).map(({ kind }) => kind);
  return {
    isOk: left.length === 0 && during.failed === 0,
    measured:
      `${fates.length} sockets of ${kinds.length} kinds at once, ${left.length} left after 15 s` +
      `${left.length === 0 ? "" : ` (${[...new Set(left)].join(", ")})`}; a good client: ${during.count} requests, ` +
      `${during.failed} failed, p99 ${formatMs(idle.p99Ms)} → ${formatMs(during.p99Ms)}`,
  };
}

/** The test of `npm test` with other seeds: what it expects of every answer holds for each of them. */
async function measureGenerated(context: RowContext): Promise<Measured> {
  const wanted = context.scaled(100_000, 2_000);
  const perRun = Math.min(wanted, requestsPerSeed);
  const failed: number[] = [];
  const runs = Math.ceil(wanted / perRun);
  for (let seed = 1; seed <= runs; seed += 1) {
    context.signal.throwIfAborted();
    if (!(await runFuzz(context, seed, perRun))) failed.push(seed);
    context.note(`seed ${seed} of ${runs}`);
  }
  return {
    isOk: failed.length === 0,
    measured: `${runs * perRun} requests from ${runs} seeds; failed seeds: ${failed.join(", ") || "none"}`,
  };
}

async function runFuzz({ signal }: RowContext, seed: number, count: number): Promise<boolean> {
  const args = ["run", "test/http/fuzz.test.ts", "--project", "embedded", "--reporter", "dot"];
  const child = spawn(join(projectDir, "node_modules/.bin/vitest"), args, {
    cwd: projectDir,
    env: { ...process.env, FUZZ_SEED: String(seed), FUZZ_COUNT: String(count) },
    stdio: "ignore",
    signal,
  });
  child.once("error", () => undefined);
  const [code] = (await once(child, "exit")) as [number | null];
  return code === 0;
}

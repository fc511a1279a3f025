import { connectAccount, createClient } from "../test/chaos/accounts.ts";
import { askUntilEnded } from "../test/chaos/asking.ts";
import type { RowContext } from "../test/chaos/row.ts";
import type { Stage } from "../test/chaos/stage.ts";
import { fillTables } from "../test/support/fill-tables.ts";
import { freePort } from "../test/support/redis-server.ts";
import { startSlowVendorProgram } from "../test/support/vendors/vendor-program.ts";
import { employeesPath, headersOf } from "./companies.ts";
import { costPerRequest, serverAt, type Load, type Server } from "./load.ts";
import { management, ManagementStage } from "./management.ts";
import { rounds } from "./options.ts";
import type { Claim, Cost } from "./report.ts";
import { pidsOf, storePidsOf } from "./stage-pids.ts";
import { withContext } from "./with-context.ts";

const [few, many] = [100, 1_000_000] as const;
/** The tokens of the client whose list is asked for, beside a million of others. */
const tokensOfClient = { [few]: 100, [many]: 10_000 } as const;
const employees = 100;
const requestsOf = {
  "a warm GET": 600,
  "a reply that no cache has": 200,
  "the exchange of a code": 100,
  introspect: 600,
  "a page of 10 tokens": 300,
} as const;
type What = keyof typeof requestsOf;
const kinds = Object.keys(requestsOf) as What[];
type Loads = Record<What, { server: Server; load: Load }>;

interface Prepared {
  loads: Loads;
  /** A code lives for five minutes, so these are issued when all else is there. */
  issueCodes: () => Promise<void>;
}

/** What a request costs among a hundred tokens and among a million, of two services that take turns. */
export async function benchGrowth(): Promise<Claim[]> {
  return await withContext("embedded", async (small) =>
    withContext("embedded", async (large) =>
      compare(await prepare(small, few), await prepare(large, many)),
    ),
  );
}

async function compare(small: Prepared, large: Prepared): Promise<Claim[]> {
  await small.issueCodes();
  await large.issueCodes();
  const claims = kinds.map((what) => ({
    name: `${what} among ${few} tokens against ${many}: CPU`,
    // Flat within 1.3 times.
    target: 0.77,
    costs: [] as Cost[],
  }));
  // The first round warms up both.
  for (let round = -1; round < rounds; round += 1)
    for (const [index, what] of kinds.entries()) {
      const reference = await costOf(small.loads, what);
      const ours = await costOf(large.loads, what);
      if (round < 0) continue;
      claims[index]?.costs.push({ ours, reference });
    }
  return claims;
}

async function costOf(loads: Loads, what: What): Promise<number> {
  const { server, load } = loads[what];
  return await costPerRequest(server, load, requestsOf[what]);
}

async function prepare(context: RowContext, tokens: typeof few | typeof many): Promise<Prepared> {
  const stage = await context.stage({
    SNAPSHOT_FRESH_SECONDS: "86400",
    SNAPSHOT_STALE_SECONDS: "86400",
  });
  await stage.start("api");
  const ours = serverAt(stage.baseUrl, await pidsOf(stage));
  context.defer("the sockets", () => ours.pool.destroy());
  const client = await createClient(stage);
  const token = await readCompany(context, stage, client);
  const managed = new ManagementStage("embedded", { context, stage, ours, ...client });
  const codes: string[] = [];
  const neededCodes = requestsOf["the exchange of a code"] * (rounds + 1);
  const introspection = await managed.introspection();
  await managed.fillTokens(tokensOfClient[tokens]);
  if (tokens === many) await fillOthers(stage);
  const employeesOf = { path: employeesPath, headers: headersOf(token, "br") };
  const exchange = {
    path: `${management}/token`,
    nextBody: () => managed.exchangeBody(codes.pop() ?? ""),
    status: 201,
  };
  const page = { path: await managed.middlePage(), headers: managed.basic };
  const loads = {
    "a warm GET": { server: ours, load: employeesOf },
    "a reply that no cache has": { server: await startUncached(context, stage), load: employeesOf },
    "the exchange of a code": { server: ours, load: exchange },
    introspect: { server: ours, load: introspection },
    "a page of 10 tokens": { server: ours, load: page },
  };
  return {
    loads,
    issueCodes: async () => void codes.push(...(await managed.issueCodes(neededCodes))),
  };
}

async function readCompany(
  context: RowContext,
  stage: Stage,
  client: Parameters<typeof connectAccount>[1],
): Promise<string> {
  const worker = await stage.start("worker");
  const vendor = await context.use(startSlowVendorProgram({ employees }));
  const account = await connectAccount(stage, client, { url: vendor.url, username: "company" });
  const { status } = await askUntilEnded(stage, account, { limitMs: 60_000 });
  if (status !== 200) throw new Error(`the company was not read: ${status}`);
  await vendor.stop();
  await worker.stop();
  return account.token;
}

/** Another process of the API, whose cache holds nothing. */
async function startUncached(context: RowContext, stage: Stage): Promise<Server> {
  const port = await freePort();
  const env = { PORT: String(port), CACHE_MAX_BYTES: "4096" };
  const { pid } = await stage.start("api", { env });
  const stores = await storePidsOf(stage);
  const server = serverAt(`http://127.0.0.1:${port}`, () => [pid, ...stores]);
  context.defer("the sockets", () => server.pool.destroy());
  return server;
}

/** Ten tokens of each of a hundred thousand other clients, each with its connection, its stored list and its code. */
async function fillOthers(stage: Stage): Promise<void> {
  await stage.query("set session_replication_role = replica");
  await fillTables(stage, many, ["connections", "snapshots", "authorization_codes"]);
  await stage.query(
    `insert into tokens (id, client_id, digest, provider, mode, scopes, created_at, code_digest, grant_mac, digest_mac)
     select lpad(to_hex(n), 32, '0')::uuid, 'client-' || n / 10, sha256(int4send(n)), 'odoo', 'xhr', '{employees}',
       now() - make_interval(secs => n % 1200000), sha256(int4send(-n)), repeat('m', 50), repeat('m', 50)
     from generate_series(1, $1::integer) n`,
    [many],
  );
  await stage.query("vacuum analyze tokens");
  await stage.query("vacuum analyze clients");
  // What the rows left to be written is not written while it is measured.
  await stage.query("checkpoint");
}

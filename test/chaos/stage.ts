import { randomBytes, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { readConfig } from "../../src/config/index.ts";
import { startEmbeddedPostgres } from "../../src/platform/embedded/index.ts";
import { createLog } from "../../src/platform/log.ts";
import { buildServices, type Services } from "../../src/start/services.ts";
import { freePort, startRedis } from "../support/redis-server.ts";
import { projectDir } from "../support/program-environment.ts";
import { OwnPostgres, OwnRedisServer } from "./own-stores.ts";
import { startServiceProgram, type ServiceProgram } from "./service-program.ts";

export interface StageOptions {
  /** Postgres by its address, with Redis, as a hosted service. Otherwise local mode on the embedded Postgres. */
  onRedis: boolean;
  signal: AbortSignal;
  /** Runs at the end of the row, in reverse order. */
  defer(what: string, end: () => Promise<unknown>): void;
  env?: Record<string, string>;
  /** A Postgres by its address, and with `onRedis` a Redis, that the row may stop and kill. */
  hasOwnStores?: boolean;
  /** A Postgres of the row, in place of one that the stage starts. */
  databaseUrl?: string;
  /** Where the stage's Postgres keeps its data. */
  storesFolder?: string;
}

interface Stores {
  databaseUrl: string;
  /** Empty in local mode. */
  env: Record<string, string>;
  postgres?: OwnPostgres;
  redis?: OwnRedisServer;
}

const unlimited = "1000000000";
const mostComplaints = 40;
const silent = createLog({ level: "silent" });

/**
 * A database of its own, a Redis of its own where the run wants one, and the processes of one service. An
 * unexpected end of a process ends the row.
 */
export class Stage {
  readonly signal: AbortSignal;
  readonly databaseUrl: string;
  readonly onRedis: boolean;
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  /** The folder of the version whose commands an operator has. */
  commandsOf = projectDir;
  readonly #stores: Stores;
  readonly #defer: StageOptions["defer"];
  readonly #failure: AbortController;
  readonly #services: ServiceProgram[] = [];
  #client: Client | undefined;

  static async build(options: StageOptions): Promise<Stage> {
    const { defer, onRedis } = options;
    const folder = await mkdtemp(join(tmpdir(), "rollcall-chaos-"));
    defer("the folder", () => rm(folder, { recursive: true, force: true, maxRetries: 20 }));
    // The account of Postgres has to pass through, or the data would be kept outside of the folder.
    await chmod(folder, 0o711);
    const stateDir = join(options.storesFolder ?? folder, "state");
    await mkdir(stateDir);
    const stores = options.hasOwnStores
      ? await startOwnStores(options.storesFolder ?? folder, onRedis, defer)
      : await findStores(stateDir, options);
    const port = await freePort();
    const env = {
      STATE_DIR: stateDir,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      PORT: String(port),
      MASTER_KEYS: `chaos:${randomBytes(32).toString("base64")}`,
      OUTBOUND_ALLOW_PROVIDERS: "127.0.0.0/8:*,[::1/128]:*",
      OUTBOUND_ALLOW_WEBHOOKS: "127.0.0.0/8:*,[::1/128]:*",
      TRUST_PROXY: "127.0.0.1/32",
      RATE_LIMIT_OPEN_1M: unlimited,
      RATE_LIMIT_OPEN_5M: unlimited,
      RATE_LIMIT_GATED_IP_1M: unlimited,
      RATE_LIMIT_GATED_CLIENT_5M: unlimited,
      ...stores.env,
      ...options.env,
    };
    return new Stage(options, { stores, folder, env });
  }

  private constructor(
    { signal, onRedis, defer }: StageOptions,
    made: { stores: Stores; folder: string; env: Record<string, string> },
  ) {
    this.#failure = new AbortController();
    this.signal = AbortSignal.any([signal, this.#failure.signal]);
    this.onRedis = onRedis;
    this.#defer = defer;
    this.#stores = made.stores;
    this.databaseUrl = made.stores.databaseUrl;
    this.folder = made.folder;
    this.env = made.env;
  }

  get baseUrl(): string {
    return this.env["PUBLIC_URL"] ?? "";
  }

  /** Its own Postgres, of a stage that has one. */
  get postgres(): OwnPostgres {
    return this.#stores.postgres!;
  }

  /** Its own Redis, of a stage that has one. */
  get redis(): OwnRedisServer | undefined {
    return this.#stores.redis;
  }

  /** Why a process ended without being asked to. */
  get failure(): Error | undefined {
    return this.#failure.signal.reason as Error | undefined;
  }

  /** The warnings and worse in the processes' logs, each with its count. */
  listComplaints(): string[] {
    const files = readdirSync(this.folder).filter((name) => name.endsWith(".log"));
    const lines = files.flatMap((name) =>
      readFileSync(join(this.folder, name), "utf8")
        .split("\n")
        .filter((line) => /^\{"level":[456]0/.test(line))
        .map((line) => `${name}: ${describeLine(line)}`),
    );
    const counts = Map.groupBy(lines, (line) => line);
    return [...counts].slice(0, mostComplaints).map(([line, { length }]) => `${length} × ${line}`);
  }

  /** The processes that run now. */
  get running(): readonly ServiceProgram[] {
    return this.#services.filter(({ isRunning }) => isRunning);
  }

  get pids(): number[] {
    return this.running.map(({ pid }) => pid);
  }

  async start(
    role: "all" | "api" | "worker",
    options: { env?: Record<string, string>; preload?: string; program?: string } = {},
  ): Promise<ServiceProgram> {
    const service = await startServiceProgram({
      role,
      env: { ...this.env, ...options.env },
      folder: this.folder,
      preload: options.preload,
      program: options.program,
      signal: this.signal,
      onSurprise: (reason) => this.#failure.abort(new Error(reason)),
    });
    this.#services.push(service);
    this.#defer(`the ${role}`, () => service.stop());
    return service;
  }

  /** The rooms, in this process, for what no command does as fast. Workers do not run in it. */
  async withServices<Result>(work: (services: Services) => Promise<Result>): Promise<Result> {
    const { STATE_DIR: _, ...env } = this.env;
    const { config, secrets } = readConfig({ ...env, DATABASE_URL: this.databaseUrl });
    const services = await buildServices({ config, secrets }, { log: silent });
    try {
      return await work(services);
    } finally {
      await services.dispose();
    }
  }

  async query(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    this.#client ??= await this.#connect();
    return (await this.#client.query<Record<string, unknown>>(text, values)).rows;
  }

  /** What `query` uses may be dead, and not know it yet. */
  async forgetClient(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }

  async #connect(): Promise<Client> {
    const client = new Client({
      connectionString: this.databaseUrl,
      // A session without a name is taken for one of an older program.
      application_name: "chaos",
    });
    client.on("error", () => {
      if (this.#client === client) this.#client = undefined;
    });
    await client.connect();
    this.#defer("the database client", () => client.end());
    return client;
  }
}

function describeLine(line: string): string {
  const { level, msg, err } = JSON.parse(line) as {
    level: number;
    msg?: string;
    err?: { type?: string; reason?: string; at?: string[] };
  };
  return `${level} ${msg ?? ""} ${err?.type ?? ""} ${err?.reason ?? ""} ${err?.at?.[0] ?? ""}`.trim();
}

async function startOwnStores(
  folder: string,
  onRedis: boolean,
  defer: StageOptions["defer"],
): Promise<Stores> {
  const postgres = await OwnPostgres.start(folder);
  defer("Postgres", () => postgres.stop());
  const DATABASE_URL = postgres.url;
  if (!onRedis) return { databaseUrl: postgres.url, env: { DATABASE_URL }, postgres };
  const redis = await OwnRedisServer.start();
  defer("Redis", () => redis.stop());
  const env = { DATABASE_URL, REDIS_URL: redis.url, REDIS_PREFIX: "chaos" };
  return { databaseUrl: postgres.url, env, postgres, redis };
}

async function findStores(
  stateDir: string,
  { onRedis, defer, databaseUrl: ofRow }: StageOptions,
): Promise<Stores> {
  const given = onRedis ? process.env["DATABASE_URL"] : undefined;
  const databaseUrl =
    ofRow ?? (given ? await createDatabase(given, defer) : await startPostgres(stateDir, defer));
  const env = {
    ...((onRedis || ofRow !== undefined) && { DATABASE_URL: databaseUrl }),
    ...(onRedis && (await redisVariables(defer))),
  };
  return { databaseUrl, env };
}

async function startPostgres(stateDir: string, defer: StageOptions["defer"]): Promise<string> {
  const postgres = await startEmbeddedPostgres({ stateDir, log: silent });
  defer("Postgres", () => postgres.stop());
  return postgres.databaseUrl;
}

async function createDatabase(admin: string, defer: StageOptions["defer"]): Promise<string> {
  const name = `chaos_${randomUUID().replaceAll("-", "")}`;
  const run = async (sql: string): Promise<void> => {
    const client = new Client({ connectionString: admin });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
  await run(`create database ${name}`);
  defer("the database", () => run(`drop database if exists ${name} with (force)`));
  const url = new URL(admin);
  url.pathname = `/${name}`;
  return url.toString();
}

async function redisVariables(defer: StageOptions["defer"]): Promise<Record<string, string>> {
  const redis = await startRedis();
  defer("Redis", () => redis.stop());
  return { REDIS_URL: redis.url, REDIS_PREFIX: `chaos${randomUUID()}` };
}

import { Audit } from "./audit/index.ts";
import { Clients } from "./clients/index.ts";
import type { Config, Secrets } from "./config.ts";
import { Connect, SignInThrottle } from "./connect/index.ts";
import { Connections } from "./connections/index.ts";
import { loadOrCreateMasterKeys } from "./local-state.ts";
import { systemClock, type Clock } from "./platform/clock.ts";
import { codeFingerprint } from "./platform/code-fingerprint.ts";
import { Keyring } from "./platform/crypto/index.ts";
import { createPool, Listener, migrate, type Pool } from "./platform/db/index.ts";
import { startEmbeddedPostgres } from "./platform/embedded/index.ts";
import { createLog, type Log } from "./platform/log.ts";
import { Metrics } from "./platform/metrics.ts";
import { systemRandom, type Random } from "./platform/random.ts";
import { AddressPolicy, createGuardedAgent, NameResolver } from "./platform/outbound/index.ts";
import {
  checkRedisKeepsJobs,
  createPostgresQueueBackend,
  createRedisBackend,
  JobQueue,
  migratePostgresQueue,
} from "./platform/queue/index.ts";
import { loadRegistry, ProviderHost, type ProviderRegistry } from "./providers/index.ts";
import { createEmployeeSource, SnapshotReader, Sync } from "./sync/index.ts";
import { Tokens } from "./tokens/index.ts";
import { Webhooks } from "./webhooks/index.ts";

/**
 * What the rooms are built on. A room is a folder of src with one subject. Other rooms enter it by its
 * `index.ts` alone.
 */
interface Infrastructure {
  config: Config;
  redisUrl: string | undefined;
  clock: Clock;
  random: Random;
  log: Log;
  metrics: Metrics;
  keyring: Keyring;
  registry: ProviderRegistry;
  pool: Pool;
  listener: Listener;
  queue: JobQueue;
  host: ProviderHost;
  /** The agent for webhooks. It may be bound to a published address. */
  webhookAgent: ReturnType<typeof createGuardedAgent>;
  /** Names the code that runs. */
  fingerprint: string;
}

interface Rooms {
  audit: Audit;
  clients: Clients;
  connections: Connections;
  tokens: Tokens;
  sync: Sync;
  reader: SnapshotReader;
  connect: Connect;
  signInThrottle: SignInThrottle;
  webhooks: Webhooks;
}

/** Everything that a role or a command can use. */
export interface Services extends Infrastructure, Rooms {
  /** Closes everything, in the reverse order of construction. */
  dispose(): Promise<void>;
}

/** Replacements by a test or a command. */
export interface Overrides {
  clock?: Clock;
  random?: Random;
  log?: Log;
  registry?: ProviderRegistry;
}

interface Settings {
  config: Config;
  secrets: Secrets;
}

/** What must be closed, in the order of construction. */
type Disposals = (() => Promise<void>)[];

export async function buildServices(
  settings: Settings,
  overrides: Overrides = {},
): Promise<Services> {
  const disposals: Disposals = [];
  const dispose = async (): Promise<void> => {
    for (const disposal of disposals.splice(0).toReversed()) await disposal();
  };
  try {
    const infrastructure = await buildInfrastructure(settings, overrides, disposals);
    return { ...infrastructure, ...buildRooms(infrastructure), dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function buildInfrastructure(
  { config, secrets }: Settings,
  overrides: Overrides,
  disposals: Disposals,
): Promise<Infrastructure> {
  const clock = overrides.clock ?? systemClock;
  const random = overrides.random ?? systemRandom;
  const log = overrides.log ?? createLog({ level: config.logLevel });
  const registry = overrides.registry ?? (await loadRegistry(config.providerPackages));
  const masterKeys = secrets.masterKeys ?? (await loadOrCreateMasterKeys(config.stateDir));
  const keyring = new Keyring(masterKeys);

  const databaseUrl = secrets.databaseUrl ?? (await startOwnPostgres(config, log, disposals));
  await migrate(databaseUrl, { clock, log });
  const pool = createPool({ databaseUrl, max: config.databasePoolMax, log });
  disposals.push(() => pool.end());
  const listener = new Listener({ databaseUrl, channel: "settled", clock, log });
  disposals.push(() => listener.close());
  const queue = await buildQueue({
    config,
    databaseUrl,
    pool,
    clock,
    log,
    redisUrl: secrets.redisUrl,
    workers: 2 * registry.list().length + 2,
  });
  disposals.push(() => queue.close());

  const { providerAgent, webhookAgent } = buildAgents(config, disposals);
  const limits = config.answerLimits;
  const host = new ProviderHost({ registry, agent: providerAgent, clock, random, log, limits });
  const shared = { config, clock, random, log, keyring, registry, pool, listener, queue, host };
  return {
    ...shared,
    redisUrl: secrets.redisUrl,
    metrics: new Metrics(),
    webhookAgent,
    fingerprint: codeFingerprint(config.providerPackages),
  };
}

function buildAgents(config: Config, disposals: Disposals) {
  const names = new NameResolver();
  const targets = {
    policy: new AddressPolicy(config.outboundAllow),
    resolve: names.resolve.bind(names),
    allowsHttp: config.isLocal,
  };
  const providerAgent = createGuardedAgent(targets);
  disposals.push(() => providerAgent.close());
  const webhookAgent = createGuardedAgent({
    ...targets,
    localAddress: config.outboundLocalAddress,
    connectTimeoutMs: 5_000,
  });
  disposals.push(() => webhookAgent.close());
  return { providerAgent, webhookAgent };
}

function buildRooms(infrastructure: Infrastructure): Rooms {
  const { config, clock, pool, keyring, registry, host, webhookAgent } = infrastructure;
  const { environment } = config;
  const audit = new Audit(clock);
  const addressRules = { allowsHttpWebhooks: config.isLocal };
  const clients = new Clients({ pool, keyring, clock, audit, environment, addressRules });
  const connections = new Connections({ pool, keyring, clock, audit });
  const tokens = new Tokens({ pool, clock, environment, audit, clients, connections });

  const reader = new SnapshotReader({ pool, connections, cacheMaxBytes: config.cacheMaxBytes });
  const freshness = {
    freshSeconds: config.snapshotFreshSeconds,
    staleSeconds: config.snapshotStaleSeconds,
  };
  const sync = new Sync({ ...infrastructure, ...freshness, connections, reader });
  const employees = createEmployeeSource({ ...infrastructure, connections, reader });

  const connect = new Connect({ registry, host, connections, tokens });
  const signInThrottle = new SignInThrottle({ pool, clock, keyring });
  const agent = webhookAgent;
  const webhooks = new Webhooks({
    ...infrastructure,
    audit,
    clients,
    connections,
    employees,
    agent,
  });
  const access = { audit, clients, connections, tokens, connect, signInThrottle };
  return { ...access, sync, reader, webhooks };
}

async function startOwnPostgres(
  { stateDir }: Config,
  log: Log,
  disposals: Disposals,
): Promise<string> {
  const postgres = await startEmbeddedPostgres({ stateDir, log });
  disposals.push(() => postgres.stop());
  return postgres.databaseUrl;
}

async function buildQueue(options: {
  config: Config;
  redisUrl: string | undefined;
  databaseUrl: string;
  pool: Pool;
  /** The number of kinds of jobs that this process may run. */
  workers: number;
  clock: Clock;
  log: Log;
}): Promise<JobQueue> {
  const { config, redisUrl, databaseUrl, pool, workers, clock, log } = options;
  if (redisUrl) {
    await checkRedisKeepsJobs(redisUrl, log);
    const backend = createRedisBackend({ url: redisUrl, prefix: config.redisPrefix, log });
    return new JobQueue({ backend, clock, log });
  }
  await migratePostgresQueue(pool);
  const backend = createPostgresQueueBackend({ databaseUrl, workers, log });
  return new JobQueue({ backend, clock, log });
}

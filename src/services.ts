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
import { AddressPolicy, createGuardedAgent } from "./platform/outbound/index.ts";
import {
  checkRedisKeepsJobs,
  createPostgresQueueBackend,
  createRedisBackend,
  JobQueue,
  migratePostgresQueue,
} from "./platform/queue/index.ts";
import { loadRegistry, ProviderHost, type ProviderRegistry } from "./providers/index.ts";
import { SnapshotReader, Sync } from "./sync/index.ts";
import { Tokens } from "./tokens/index.ts";
import { Webhooks } from "./webhooks/index.ts";

/** Everything that the roles and the command line are made of. */
export interface Services {
  config: Config;
  redisUrl: string | undefined;
  clock: Clock;
  random: Random;
  log: Log;
  metrics: Metrics;
  pool: Pool;
  listener: Listener;
  queue: JobQueue;
  registry: ProviderRegistry;
  host: ProviderHost;
  audit: Audit;
  clients: Clients;
  connections: Connections;
  tokens: Tokens;
  sync: Sync;
  connect: Connect;
  signInThrottle: SignInThrottle;
  webhooks: Webhooks;
  reader: SnapshotReader;
  /** Stands for the code that runs. */
  fingerprint: string;
  /** Sends webhooks; it may be bound to a published address. */
  webhookAgent: ReturnType<typeof createGuardedAgent>;
  keyring: Keyring;
  /** Gives everything back, in the reverse order of its making. */
  dispose(): Promise<void>;
}

/** What a test or a command puts in the place of the usual. */
export interface Overrides {
  clock?: Clock;
  random?: Random;
  log?: Log;
  registry?: ProviderRegistry;
}

export async function buildServices(
  { config, secrets }: { config: Config; secrets: Secrets },
  overrides: Overrides = {},
): Promise<Services> {
  const disposals: (() => Promise<void>)[] = [];
  const dispose = async (): Promise<void> => {
    for (const disposal of disposals.splice(0).toReversed()) await disposal();
  };
  try {
    return await build({ config, secrets }, overrides, disposals, dispose);
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function build(
  { config, secrets }: { config: Config; secrets: Secrets },
  overrides: Overrides,
  disposals: (() => Promise<void>)[],
  dispose: () => Promise<void>,
): Promise<Services> {
  const clock = overrides.clock ?? systemClock;
  const random = overrides.random ?? systemRandom;
  const log = overrides.log ?? createLog({ level: config.logLevel });
  const metrics = new Metrics();
  const registry = overrides.registry ?? (await loadRegistry(config.providerPackages));
  const keyring = new Keyring(
    secrets.masterKeys ?? (await loadOrCreateMasterKeys(config.stateDir)),
  );

  const connectionString = secrets.databaseUrl ?? (await startOwnPostgres(config, log, disposals));
  await migrate(connectionString, { clock, log });
  const pool = createPool({ connectionString, max: config.databasePoolMax, log });
  disposals.push(() => pool.end());
  const listener = new Listener({ connectionString, channel: "settled", clock, log });
  disposals.push(() => listener.close());
  const queue = await buildQueue({
    config,
    redisUrl: secrets.redisUrl,
    connectionString,
    pool,
    workers: 2 * registry.list().length + 2,
    clock,
    log,
  });
  disposals.push(() => queue.close());

  const targets = { policy: new AddressPolicy(config.outboundAllow), allowsHttp: config.isLocal };
  const agent = createGuardedAgent(targets);
  disposals.push(() => agent.close());
  const webhookAgent = createGuardedAgent({
    ...targets,
    localAddress: config.outboundLocalAddress,
    connectTimeoutMs: 5_000,
  });
  disposals.push(() => webhookAgent.close());
  const host = new ProviderHost({ registry, agent, clock, random, log });

  const audit = new Audit(clock);
  const { environment } = config;
  const clients = new Clients({
    pool,
    keyring,
    clock,
    audit,
    environment,
    addressRules: { allowsHttpWebhooks: config.isLocal },
  });
  const connections = new Connections({ pool, keyring, clock, audit });
  const tokens = new Tokens({ pool, clock, environment, audit, clients, connections });
  const reader = new SnapshotReader({ pool, connections, cacheMaxBytes: config.cacheMaxBytes });
  const { snapshotFreshSeconds: freshSeconds, snapshotStaleSeconds: staleSeconds } = config;
  const sync = new Sync({
    pool,
    clock,
    log,
    queue,
    listener,
    connections,
    host,
    reader,
    freshSeconds,
    staleSeconds,
  });
  const connect = new Connect({ registry, host, connections, tokens });
  const signInThrottle = new SignInThrottle({ pool, clock, keyring });
  const webhooks = new Webhooks({ pool, clock, queue, clients, connections });
  const rooms = {
    audit,
    clients,
    connections,
    tokens,
    sync,
    reader,
    connect,
    signInThrottle,
    webhooks,
    webhookAgent,
  };
  const fingerprint = codeFingerprint(config.providerPackages);
  return {
    config,
    redisUrl: secrets.redisUrl,
    clock,
    random,
    log,
    metrics,
    pool,
    listener,
    queue,
    registry,
    host,
    keyring,
    fingerprint,
    ...rooms,
    dispose,
  };
}

async function startOwnPostgres(
  { stateDir }: Config,
  log: Log,
  disposals: (() => Promise<void>)[],
): Promise<string> {
  const postgres = await startEmbeddedPostgres({ stateDir, log });
  disposals.push(() => postgres.stop());
  return postgres.connectionString;
}

async function buildQueue(options: {
  config: Config;
  redisUrl: string | undefined;
  connectionString: string;
  pool: Pool;
  workers: number;
  clock: Clock;
  log: Log;
}): Promise<JobQueue> {
  const { config, redisUrl, connectionString, pool, workers, clock, log } = options;
  if (redisUrl) {
    await checkRedisKeepsJobs(redisUrl, log);
    const backend = createRedisBackend({ url: redisUrl, prefix: config.redisPrefix, log });
    return new JobQueue({ backend, clock, log });
  }
  await migratePostgresQueue(pool);
  return new JobQueue({
    backend: createPostgresQueueBackend({ connectionString, workers, log }),
    clock,
    log,
  });
}

import { Audit, AuditChain } from "./audit/index.ts";
import { buildQueue } from "./build-queue.ts";
import { Clients } from "./clients/index.ts";
import type { Config, Secrets } from "./config.ts";
import { Connect, LogOuts, SignInThrottle } from "./connect/index.ts";
import { Connections } from "./connections/index.ts";
import type { Keys, KeySource } from "./keys/index.ts";
import { findMasterKeySource } from "./master-key-source.ts";
import { openDatabase } from "./open-database.ts";
import { openKeys } from "./open-keys.ts";
import { systemClock, type SteadyClock } from "./platform/clock.ts";
import { codeFingerprint } from "./platform/code-fingerprint.ts";
import type { Keyring } from "./platform/crypto/index.ts";
import { Listener, type Pool } from "./platform/db/index.ts";
import { createLog, type Log } from "./platform/log.ts";
import { Metrics } from "./platform/metrics.ts";
import { usePlainWords } from "./platform/plain-words.ts";
import { systemRandom, type Random } from "./platform/random.ts";
import { AddressPolicy, createGuardedAgent, NameResolver } from "./platform/outbound/index.ts";
import type { JobQueue } from "./platform/queue/index.ts";
import {
  loadRegistry,
  type OAuth2Applications,
  ProviderHost,
  providerPackages,
  type ProviderRegistry,
} from "./providers/index.ts";
import {
  AdapterProcesses,
  InProcessAdapters,
  Quotas,
  Reads,
  type Adapters,
} from "./reading/index.ts";
import { EmployeeSource, SnapshotDestination, SnapshotReader, Sync } from "./sync/index.ts";
import { Sandbox } from "./sandbox/index.ts";
import { StartSteps } from "./start-steps.ts";
import { AdmissionCopies, Tokens } from "./tokens/index.ts";
import { Webhooks } from "./webhooks/index.ts";

/**
 * What the rooms are built on. A room is a folder of src with one subject. Other rooms enter it by its
 * `index.ts` alone.
 */
interface Infrastructure {
  config: Config;
  databaseUrl: string;
  redisUrl: string | undefined;
  clock: SteadyClock;
  random: Random;
  log: Log;
  metrics: Metrics;
  audit: Audit;
  auditChain: AuditChain;
  keyring: Keyring;
  keys: Keys;
  keySource: KeySource;
  registry: ProviderRegistry;
  pool: Pool;
  listener: Listener;
  queue: JobQueue;
  quotas: Quotas;
  adapters: Adapters;
  /** The operator's applications at providers. */
  applications: OAuth2Applications;
  /** The agent for webhooks. It may be bound to a published address. */
  webhookAgent: ReturnType<typeof createGuardedAgent>;
  /** Names the code that runs. */
  fingerprint: string;
}

interface Rooms {
  clients: Clients;
  connections: Connections;
  tokens: Tokens;
  sandbox: Sandbox;
  reads: Reads;
  sync: Sync;
  reader: SnapshotReader;
  connect: Connect;
  signInThrottle: SignInThrottle;
  logOuts: LogOuts;
  webhooks: Webhooks;
}

/** Everything that a role or a command can use. */
export interface Services extends Infrastructure, Rooms {
  /** Closes everything, in the reverse order of construction. */
  dispose(): Promise<void>;
}

/** Replacements by a test or a command. */
export interface Overrides {
  clock?: SteadyClock;
  random?: Random;
  log?: Log;
  registry?: ProviderRegistry;
  /** False for commands that mend what is wrong with the keys. */
  checksKeys?: boolean;
  /** For commands that only look: nothing is migrated, recorded or started, and the database takes no write. */
  isReadOnly?: boolean;
  /** For a command, which ends soon and which no caller waits for. */
  isCommand?: boolean;
  /** How long each step of the start is repeated. Without them, none is. */
  steps?: StartSteps;
}

interface Settings {
  config: Config;
  secrets: Secrets;
}

/** Half of what a child process may have in memory is for the list that it makes. */
const listBytesPerMb = 250_000;
/** A read that makes no page for so long ends. */
const longestPageMs = 5 * 60 * 1000;

const noPatience = { awayMs: 0, silentMs: 0, busyMs: 0 };

/** What must be closed, in the order of construction. */
type Disposals = (() => Promise<void>)[];

export async function buildServices(
  settings: Settings,
  overrides: Overrides = {},
): Promise<Services> {
  usePlainWords();
  const disposals: Disposals = [];
  const dispose = async (): Promise<void> => {
    for (const disposal of disposals.splice(0).toReversed()) await disposal();
  };
  try {
    const infrastructure = await buildInfrastructure(settings, overrides, disposals);
    return { ...infrastructure, ...buildRooms(infrastructure, disposals), dispose };
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
  const { providerApplications: applications } = secrets;
  const { registry = await loadRegistry(config.providerPackages, applications) } = overrides;
  const keySource = findMasterKeySource(config, secrets);
  // What is wrong with them is said before a database is started.
  await keySource.read();

  const { redisUrl } = secrets;
  const { isReadOnly = false, isCommand = false } = overrides;
  const { steps = new StartSteps({ clock, log }, noPatience) } = overrides;
  const { databaseUrl, pool } = await openDatabase(
    { config, secrets },
    { isReadOnly, isCommand },
    { clock, log, steps, disposals },
  );
  const audit = new Audit(clock);
  const isChecked = overrides.checksKeys !== false && !isReadOnly;
  const opened = await steps.open("checks the master keys", () =>
    openKeys({ pool, clock, log, audit }, keySource, { isChecked }),
  );
  const listener = new Listener({ databaseUrl, clock, log });
  disposals.push(() => listener.close());
  const queue = await steps.open("opens the queue", () =>
    buildQueue({ config, databaseUrl, pool, clock, log, redisUrl, isReadOnly }),
  );
  disposals.push(() => queue.close());

  const shared = {
    config,
    clock,
    random,
    log,
    metrics: new Metrics(),
    registry,
    applications,
    pool,
    listener,
    queue,
    ...opened,
  };
  const quotas = new Quotas(shared);
  const isOfTest = overrides.registry !== undefined || overrides.clock !== undefined;
  return {
    ...shared,
    audit,
    auditChain: new AuditChain({ ...shared, audit }, opened.keys),
    keySource,
    databaseUrl,
    redisUrl,
    quotas,
    adapters: buildAdapters({ ...shared, quotas }, disposals, isOfTest),
    webhookAgent: buildWebhookAgent(config, disposals),
    fingerprint: fingerprintOf(config),
  };
}

function fingerprintOf({ providerPackages: names }: Config): string {
  return codeFingerprint(names.flatMap((name) => providerPackages.listFiles(name)));
}

/** An adapter or a clock of a test cannot cross to another process. */
function buildAdapters(
  shared: Pick<
    Infrastructure,
    "config" | "registry" | "applications" | "clock" | "random" | "log" | "metrics" | "quotas"
  >,
  disposals: Disposals,
  isOfTest: boolean,
): Adapters {
  const { config, log, metrics, quotas, applications } = shared;
  const { answerLimits } = config;
  if (isOfTest) {
    const agent = createGuardedAgent(outboundTargets(config));
    disposals.push(() => agent.close());
    const host = new ProviderHost({ ...shared, agent, limits: answerLimits });
    return new InProcessAdapters(host, quotas);
  }
  const { providerPackages: packages, outboundAllow, isLocal: allowsHttp, readMemoryMb } = config;
  const adapters = new AdapterProcesses({
    log,
    metrics,
    providerPackages: packages,
    applications,
    outboundAllow,
    allowsHttp,
    answerLimits,
    readMemoryMb,
    quotas,
    processes: config.adapterProcesses,
    heapMb: config.adapterHeapMb,
    memoryMb: config.adapterMemoryMb,
  });
  disposals.push(() => adapters.stop());
  return adapters;
}

function buildWebhookAgent(config: Config, disposals: Disposals): Infrastructure["webhookAgent"] {
  const agent = createGuardedAgent({
    ...outboundTargets(config),
    localAddress: config.outboundLocalAddress,
    connectTimeoutMs: 5_000,
  });
  disposals.push(() => agent.close());
  return agent;
}

function outboundTargets(config: Config) {
  const names = new NameResolver();
  return {
    policy: new AddressPolicy(config.outboundAllow),
    resolve: names.resolve.bind(names),
    allowsHttp: config.isLocal,
  };
}

function buildRooms(infrastructure: Infrastructure, disposals: Disposals): Rooms {
  const { config, clock, log, audit, pool, listener, keyring, registry, adapters } = infrastructure;
  const { environment } = config;
  const addressRules = { allowsHttpWebhooks: config.isLocal };
  const clients = new Clients({ pool, keyring, clock, log, audit, environment, addressRules });
  const connections = new Connections({ pool, keyring, clock, audit, listener });
  const copies = buildAdmissionCopies(infrastructure, disposals);
  const owners = { environment, audit, clients, connections };
  const tokens = new Tokens({ ...infrastructure, ...owners, copies });
  connections.onChanged((connectionId) => tokens.forgetCopy(connectionId));

  const reader = new SnapshotReader({ pool, connections, cacheMaxBytes: config.cacheMaxBytes });
  const freshness = {
    freshSeconds: config.snapshotFreshSeconds,
    staleSeconds: config.snapshotStaleSeconds,
  };
  connections.forgetRemoved(listener, (connectionId) => reader.forget(connectionId));
  const reads = buildReads(infrastructure, { connections });
  reads.observe({ onSettled: ({ connectionId }) => tokens.forgetCopy(connectionId) });
  const sync = new Sync({ ...infrastructure, ...freshness, connections, reads, reader });
  const employees = new EmployeeSource({ pool, clock, registry, connections, reads, reader });

  const connect = new Connect({ registry, host: adapters, connections, tokens });
  const logOuts = new LogOuts({ registry, host: adapters, log });
  connections.onRemoved((connection) => logOuts.start(connection));
  disposals.push(() => logOuts.done());
  const signInThrottle = new SignInThrottle({ pool, clock, keyring });
  const { webhookAgent: agent } = infrastructure;
  const webhooks = new Webhooks({
    ...infrastructure,
    audit,
    clients,
    connections,
    employees,
    agent,
  });
  const access = { clients, connections, tokens, connect, signInThrottle, logOuts };
  const sandbox = new Sandbox({ pool, audit, connect, connections, tokens, webhooks });
  return { ...access, reads, sync, reader, webhooks, sandbox };
}

function buildAdmissionCopies(
  { config, redisUrl, pool, clock, log, keyring }: Infrastructure,
  disposals: Disposals,
): AdmissionCopies | undefined {
  if (!redisUrl) return undefined;
  const redis = { url: redisUrl, prefix: config.redisPrefix };
  const copies = new AdmissionCopies({ redis, pool, clock, log, keyring });
  disposals.push(async () => copies.close());
  return copies;
}

function buildReads(infrastructure: Infrastructure, rooms: Pick<Rooms, "connections">): Reads {
  const { config, registry } = infrastructure;
  return new Reads({
    ...infrastructure,
    ...rooms,
    destination: new SnapshotDestination(infrastructure),
    providerLimits: registry.limits(),
    bounds: {
      maxBytes: config.readMaxBytes,
      maxListBytes: Math.min(config.readMaxBytes, config.adapterMemoryMb * listBytesPerMb),
      maxRecords: config.readMaxRecords,
      maxPageMs: longestPageMs,
    },
  });
}

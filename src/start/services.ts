import { Audit, AuditChain } from "../audit/index.ts";
import { buildAdapters, type BuildAdapters } from "./build-adapters.ts";
import { buildQueue } from "./build-queue.ts";
import { Clients, type AddressRules, type Client } from "../clients/index.ts";
import type { Config, Secrets } from "../config/index.ts";
import { Connect, LogOuts, SignInThrottle } from "../connect/index.ts";
import { Connections } from "../connections/index.ts";
import { findMasterKeySource } from "./master-key-source.ts";
import { openDatabase } from "./open-database.ts";
import { followEnds } from "./end-clients.ts";
import { openKeys } from "./open-keys.ts";
import { systemClock, type SteadyClock } from "../platform/clock.ts";
import { digestCode } from "../platform/program-version.ts";
import {
  DatabaseClock,
  Listener,
  transaction,
  type Pool,
  type Transaction,
} from "../platform/db/index.ts";
import { createLog, type Log } from "../platform/log.ts";
import { Metrics } from "../platform/metrics.ts";
import { usePlainWords } from "../platform/plain-words.ts";
import { systemRandom, type Random } from "../platform/random.ts";
import {
  AddressPolicy,
  createGuardedAgent,
  GuardedWays,
  isReachable,
} from "../platform/outbound/index.ts";
import { noTracing, type Tracing } from "../platform/tracing/index.ts";
import { providerPackages } from "../providers/index.ts";
import { Quotas, Reads } from "../reading/index.ts";
import { PollSource, SnapshotDestination, SnapshotReader, Sync } from "../sync/index.ts";
import { Events } from "../events/index.ts";
import { Sandbox } from "../sandbox/index.ts";
import { StartSteps } from "./start-steps.ts";
import { Tokens } from "../tokens/index.ts";
import { Webhooks, type WebhookWays } from "../webhooks/index.ts";
import type { ConnectionId } from "../model/index.ts";

/** What the rooms are built on. */
type Infrastructure = Awaited<ReturnType<typeof buildInfrastructure>>;

/** Everything that a role or a command can use. */
export interface Services extends Infrastructure, ReturnType<typeof buildRooms> {
  /** Closes everything, in the reverse order of construction. */
  dispose(): Promise<void>;
}

/** Replacements by a test or a command. */
export interface Overrides {
  /** The clock of the machine. */
  clock?: SteadyClock;
  random?: Random;
  log?: Log;
  /** Without it nothing is traced. Whoever opened it stops it. */
  tracing?: Tracing;
  buildAdapters?: BuildAdapters;
  webhookWays?: WebhookWays;
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
) {
  const random = overrides.random ?? systemRandom;
  const log = overrides.log ?? createLog({ level: config.logLevel });
  const clock = new DatabaseClock(overrides.clock ?? systemClock, log);
  const { providerApplications: applications, operatorIssuer } = secrets;
  const { isReadOnly = false, isCommand = false, tracing = noTracing } = overrides;
  const base = { config, clock, random, log, metrics: new Metrics(), tracing, applications };
  const { steps = new StartSteps({ clock, log }, noPatience) } = overrides;
  const openAdapters = overrides.buildAdapters ?? buildAdapters;
  const adapterOptions = { ...base, findQuotas: (): Quotas => quotas, isPatient: !isCommand };
  const { registry, adapters } = await steps.open("loads the providers", () =>
    openAdapters(adapterOptions, disposals),
  );
  const keySource = findMasterKeySource(config, secrets);
  // What is wrong with them is said before a database is started.
  await keySource.read();

  const { redisUrl } = secrets;
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
    buildQueue({ ...base, databaseUrl, pool, redisUrl, isReadOnly }),
  );
  disposals.push(() => queue.close());

  const shared = { ...base, registry, pool, listener, queue, ...opened };
  const quotas = new Quotas(shared);
  // What runs there asks the database, so it ends before that is closed.
  disposals.push(() => adapters.stop());
  return {
    ...shared,
    audit,
    auditChain: new AuditChain({ ...shared, audit }, opened.olderPrograms),
    keySource,
    operatorIssuer,
    databaseUrl,
    redisUrl,
    quotas,
    adapters,
    webhookWays: overrides.webhookWays ?? buildWebhookWays(config, disposals),
    /** Names the code that runs. */
    codeDigest: codeDigestOf(config),
  };
}

function codeDigestOf({ providerPackages: names }: Config): string {
  return digestCode(names.flatMap((name) => providerPackages.listFiles(name)));
}

function buildWebhookWays(config: Config, disposals: Disposals): WebhookWays {
  const { isLocal: allowsHttp, outboundLocalAddress: localAddress, outboundAllow } = config;
  const options = { allowsHttp, localAddress, connectTimeoutMs: 5_000 };
  const outside = createGuardedAgent({ ...options, policy: new AddressPolicy() });
  const inside = new GuardedWays(outboundAllow.webhooks, options);
  disposals.push(async () => void (await Promise.all([outside.close(), inside.close()])));
  return { outside, inside };
}

/** A room is a folder of src with one subject. Other rooms enter it by its `index.ts` alone. */
function buildRooms(infrastructure: Infrastructure, disposals: Disposals) {
  const { config, redisUrl, clock, log, audit, pool, listener, keyring, registry, adapters } =
    infrastructure;
  const { environment } = config;
  const addressRules = describeAddressRules(infrastructure);
  const clients = new Clients({ ...infrastructure, environment, addressRules });
  const connections = new Connections({ pool, keyring, clock, audit, listener, log });
  const owners = { environment, audit, clients, connections };
  const redis = redisUrl ? { url: redisUrl, prefix: config.redisPrefix } : undefined;
  const tokens = new Tokens({ ...infrastructure, ...owners, redis });
  disposals.push(async () => tokens.close());
  connections.onChanged((connectionId) => tokens.forgetCopy(connectionId));

  const reader = new SnapshotReader({ pool, connections, cacheMaxBytes: config.cacheMaxBytes });
  const freshness = {
    freshSeconds: config.snapshotFreshSeconds,
    staleSeconds: config.snapshotStaleSeconds,
  };
  connections.forgetRemoved(listener, (connectionId) => reader.forget(connectionId));
  const destination = new SnapshotDestination(infrastructure);
  const reads = buildReads(infrastructure, { clients, connections }, destination);
  reads.observe({ onSettled: ({ connectionId }) => tokens.forgetCopy(connectionId) });
  const sync = new Sync({ ...infrastructure, ...freshness, connections, reads, reader });
  const pollSource = new PollSource({ ...infrastructure, connections, reads, reader, destination });

  removeSwitched(pool, { clients, connections, pollSource, tokens });

  const logOuts = new LogOuts({ registry, host: adapters, log });
  const connect = new Connect({ registry, host: adapters, connections, tokens, logOuts });
  followEnds({ clients, tokens });
  connections.onRemoved((connection) => logOuts.start(connection));
  disposals.push(() => logOuts.done());
  const signInThrottle = new SignInThrottle(infrastructure);
  const events = new Events({ pool, clock, listener, connections });
  const webhooks = new Webhooks({
    ...infrastructure,
    events,
    audit,
    clients,
    connections,
    pollSource,
    ways: infrastructure.webhookWays,
  });
  disposals.push(() => webhooks.polls.stop());
  // After the webhooks: everybody locks a poll before what was read for it.
  connections.observe({
    onReauthenticated: (tx, { id }, signedIn) => sync.removeUnreadable(tx, id, signedIn),
  });
  const access = { clients, connections, tokens, connect, signInThrottle, logOuts };
  const sandbox = new Sandbox({
    ...access,
    pool,
    audit,
    webhooks,
    forgetData: (tx, connectionId) => sync.forget(tx, connectionId),
  });
  return { ...access, reads, sync, reader, events, pollSource, webhooks, sandbox };
}

/** In `prod` nobody means an address that no webhook can get to. Elsewhere it may be for trials. */
function describeAddressRules({ config, webhookWays }: Infrastructure): AddressRules {
  return {
    allowsHttpWebhooks: config.isLocal,
    canReach: (url, clientId) =>
      config.environment !== "prod" || isReachable(url, webhookWays.inside.policyOf(clientId)),
  };
}

function buildReads(
  infrastructure: Infrastructure,
  rooms: { clients: Clients; connections: Connections },
  destination: SnapshotDestination,
): Reads {
  const { config, registry } = infrastructure;
  return new Reads({
    ...infrastructure,
    ...rooms,
    findFieldsOff: (clientId) => rooms.clients.fieldsOff(clientId),
    destination,
    providerLimits: registry.limits(),
    simulated: registry.simulated(),
    bounds: {
      maxBytes: config.readMaxBytes,
      maxListBytes: Math.min(config.readMaxBytes, config.adapterMemoryMb * listBytesPerMb),
      maxRecords: config.readMaxRecords,
      maxPageMs: longestPageMs,
    },
  });
}

/**
 * What is stored of the employees of a client goes in the transaction that switches fields of them, and again after it:
 * a read that began just before may have stored once more. The client is answered when no process serves it.
 */
function removeSwitched(
  pool: Pool,
  {
    clients,
    connections,
    pollSource,
    tokens,
  }: { clients: Clients; connections: Connections; pollSource: PollSource; tokens: Tokens },
): void {
  const remove = async (tx: Transaction, { clientId }: Client): Promise<ConnectionId[]> => {
    const ids = await connections.listIds(tx, clientId);
    await pollSource.remove(tx, ids);
    return ids;
  };
  clients.observe({
    onFieldsSwitched: async (tx, client) => void (await remove(tx, client)),
    afterFieldsSwitched: async (client) =>
      await tokens.endCopies(await transaction(pool, (tx) => remove(tx, client))),
  });
}

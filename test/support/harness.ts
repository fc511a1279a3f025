import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { inject } from "vitest";
import { buildApi } from "../../src/start/api.ts";
import type { Client } from "../../src/clients/index.ts";
import type { Label } from "../../src/connections/index.ts";
import { readConfig } from "../../src/config/index.ts";
import { scopesOfMode, type Mode, type Scope } from "../../src/model/index.ts";
import type { SteadyClock } from "../../src/platform/clock.ts";
import { mintCredential } from "../../src/platform/crypto/index.ts";
import { transaction } from "../../src/platform/db/index.ts";
import type { HttpApp } from "../../src/platform/http/index.ts";
import { createLog } from "../../src/platform/log.ts";
import { buildServices, type Overrides, type Services } from "../../src/start/services.ts";
import { prepareStart } from "../../src/start/prepare-start.ts";
import type { ProviderRegistry } from "../../src/providers/index.ts";
import type { TokenEntry } from "../../src/tokens/index.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { HttpClient } from "./http-client.ts";
import { inProcess } from "./in-process-adapters.ts";
import { MovedClock } from "./moved-clock.ts";
import { TestClock } from "./test-clock.ts";

export const onRedis = process.env["TEST_ON_REDIS"] !== undefined;
export const redirectUri = "https://app.example.com/callback";

export interface HarnessOptions extends Omit<Overrides, "buildAdapters"> {
  /** Providers of a test. */
  registry?: ProviderRegistry;
  /** Adapters run in child processes, as they do in production. */
  hasChildren?: boolean;
  env?: Record<string, string>;
  database?: TestDatabase;
  /** Any free port by default. A browser has to find the service at its `PUBLIC_URL`. */
  port?: number;
}

export const unlimited = {
  RATE_LIMIT_OPEN_1M: "1000000",
  RATE_LIMIT_OPEN_5M: "1000000",
  RATE_LIMIT_GATED_IP_1M: "1000000",
  RATE_LIMIT_GATED_CLIENT_5M: "1000000",
};
export const defaultLimits = {
  RATE_LIMIT_OPEN_1M: "",
  RATE_LIMIT_OPEN_5M: "",
  RATE_LIMIT_GATED_IP_1M: "",
  RATE_LIMIT_GATED_CLIENT_5M: "",
};

export type Harness = Awaited<ReturnType<typeof createHarness>>;

/** The service on a database of its own and on loopback. Workers run only in `drain`. */
export async function createHarness({
  env = {},
  database: given,
  port = 0,
  registry,
  hasChildren = false,
  ...overrides
}: HarnessOptions = {}) {
  const database = given ?? (await createTestDatabase());
  const environment = testEnvironment(database.url, env);
  const logLines: string[] = [];
  const clock: SteadyClock = overrides.clock ?? given?.clock ?? new TestClock();
  if (clock instanceof TestClock || clock instanceof MovedClock) clock.lead(database);
  const log =
    overrides.log ??
    createLog({
      level: "debug",
      destination: { write: (line: string) => void logLines.push(line) },
    });
  const { config, secrets } = readConfig(environment);
  const services = await buildServices(
    { config, secrets },
    { ...overrides, clock, log, ...(!hasChildren && { buildAdapters: inProcess(registry) }) },
  );
  const app: HttpApp = await buildApi(services);
  const baseUrl = await app.listen({ host: "127.0.0.1", port });
  await prepareStart(services, {
    sandboxAccessToken: secrets.sandboxAccessToken,
    baseUrl,
    steps: { prepare: (_what, work) => work() },
  });
  const http = new HttpClient(baseUrl, app);
  const closers: (() => Promise<void>)[] = [];

  return {
    app,
    baseUrl,
    clock: clock as TestClock,
    database,
    environment,
    http,
    logLines,
    services,
    sandboxToken: environment["SANDBOX_ACCESS_TOKEN"] ?? "",
    drain: (options?: { includeDelayed?: boolean }) => drain(services, options),
    createClient: () => services.clients.create({ name: "Test", redirectUris: [redirectUri] }),
    connect: (options?: ConnectOptions) => connect(services, http, options),
    /** What runs in this process and uses the database ends first. */
    beforeClose: (closer: () => Promise<void>) => void closers.push(closer),
    close: async () => {
      await app.close();
      await Promise.all(closers.map((closer) => closer()));
      await services.dispose();
      if (!given) await database.drop();
    },
  };
}

export function testEnvironment(
  databaseUrl: string,
  env: Record<string, string> = {},
): Record<string, string> {
  const redisUrl = onRedis ? inject("redisUrl") : undefined;
  return {
    DATABASE_URL: databaseUrl,
    ...(redisUrl && { REDIS_URL: redisUrl, REDIS_PREFIX: `t${randomUUID()}` }),
    PUBLIC_URL: "https://api.example.com",
    MASTER_KEYS: `test:${randomBytes(32).toString("base64")}`,
    TRUST_PROXY: "none",
    SANDBOX_ACCESS_TOKEN: mintCredential("at", "dev"),
    OUTBOUND_ALLOW_PROVIDERS: "127.0.0.0/8:*,[::1/128]:*",
    OUTBOUND_ALLOW_WEBHOOKS: "127.0.0.0/8:*,[::1/128]:*",
    ...unlimited,
    ...env,
  };
}

/** Runs all reads that are due, and with `includeDelayed` also those that wait for their next try. */
async function drain(
  { reads, queue, config, pool, clock }: Services,
  { includeDelayed = false } = {},
): Promise<void> {
  if (includeDelayed)
    await pool.query("update reads set due_at = $1 where due_at is not null", [clock.now()]);
  const { work, job, stop } = reads.work(config.workerConcurrency);
  queue.work(job);
  while (!(await queue.isIdle(job.name))) await delay(5);
  await work.drained();
  await Promise.all([stop(10_000), queue.stopWorking(10_000)]);
}

export interface ConnectOptions {
  client?: { client: Client; secret: string };
  user?: string;
  provider?: string;
  formValues?: Record<string, string>;
  mode?: Mode;
  scopes?: readonly Scope[];
  /** Of PKCE. */
  codeChallenge?: string | null;
  label?: Label | null;
}

/** Signs in as the connect flow does and returns the code. */
export async function signIn(
  services: Services,
  {
    client,
    user = "user_good",
    provider = "sandbox",
    formValues,
    mode = "xhr",
    scopes = scopesOfMode(mode),
    codeChallenge = null,
    label = null,
  }: ConnectOptions = {},
) {
  const owner =
    client ?? (await services.clients.create({ name: "Test", redirectUris: [redirectUri] }));
  const request = { provider, mode, scopes };
  const secretField = mode === "xhr" ? "password" : "api_key";
  const step = await services.connect.start(
    request,
    formValues ?? { username: user, [secretField]: "anything" },
  );
  if (step.kind !== "signed-in") throw new Error("the provider asked for a second factor");
  const { code, expiresAt } = await transaction(services.pool, (tx) =>
    services.connect.complete(tx, owner.client, request, {
      redirectUri,
      codeChallenge,
      signIn: step.signIn,
      label,
    }),
  );
  return { ...owner, code, expiresAt };
}

export function exchangeBody({
  client,
  secret,
  code,
}: {
  client: Client;
  secret: string;
  code: string;
}): Record<string, string> {
  return {
    client_id: client.clientId,
    client_secret: secret,
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
  };
}

/** A new connection with its access token. */
async function connect(services: Services, http: HttpClient, options: ConnectOptions = {}) {
  const signedIn = await signIn(services, options);
  const reply = await http.post("/2023-03-01/management/token", { json: exchangeBody(signedIn) });
  const { access_token: token } = reply.body as { access_token: string };
  const tokenId = await newestToken(services, signedIn.client);
  return { ...signedIn, token, tokenId };
}

/** The id of the token that the client got last. */
export async function newestToken(
  { tokens }: Pick<Services, "tokens">,
  { clientId }: Pick<Client, "clientId">,
): Promise<string> {
  const listed = JSON.parse((await tokens.list(clientId)).join("")) as TokenEntry[];
  return listed.at(-1)?.token ?? "";
}

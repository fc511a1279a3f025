import { existsSync } from "node:fs";
import { isIP } from "node:net";
import { join, resolve } from "node:path";
import { z } from "zod";
import {
  addPassword,
  cidrs,
  isLoopback,
  list,
  masterKeys,
  positive,
  shownName,
  url,
} from "./config-values.ts";
import { InvalidConfiguration } from "./invalid-configuration.ts";
import { checkCredential, type Environment, type MasterKey } from "./platform/crypto/index.ts";
import { describeIssue } from "./platform/plain-words.ts";
import { defaultAnswerLimits, type AnswerLimits } from "./platform/outbound/index.ts";
import { readSecretFiles } from "./secret-files.ts";

export { InvalidConfiguration } from "./invalid-configuration.ts";

type Role = "api" | "worker" | "all";

/** What an operator sets, except for the secrets; it may be logged. */
export interface Config {
  readonly environment: Environment;
  readonly role: Role;
  readonly host: string;
  readonly port: number;
  /** The service base address, without a slash at the end. */
  readonly publicUrl: string;
  /** Who runs this service, as the sign-in pages say it. */
  readonly operatorName: string | undefined;
  /**
   * No `DATABASE_URL`, a loopback `HOST`, no `PUBLIC_URL` or a loopback one, and not `prod`. Keys are generated, a demo
   * client is made, and http and loopback targets are allowed.
   */
  readonly isLocal: boolean;
  readonly stateDir: string;
  readonly trustProxy: readonly string[];
  readonly rateLimits: { open1m: number; open5m: number; gatedIp1m: number; gatedClient5m: number };
  readonly snapshotFreshSeconds: number;
  readonly snapshotStaleSeconds: number;
  readonly outboundAllow: readonly string[];
  readonly outboundAddresses: readonly string[];
  readonly outboundLocalAddress: string | undefined;
  readonly providerPackages: readonly string[];
  readonly answerLimits: AnswerLimits;
  readonly workerConcurrency: number;
  readonly readMaxBytes: number;
  readonly readMaxRecords: number;
  readonly readMemoryMb: number;
  readonly adapterProcesses: number;
  readonly adapterHeapMb: number;
  readonly adapterMemoryMb: number;
  readonly databasePoolMax: number;
  readonly cacheMaxBytes: number;
  readonly redisPrefix: string;
  readonly logLevel: string;
  readonly metricsHost: string;
  readonly metricsPort: number | undefined;
}

/** Kept apart so that they cannot be logged with the rest. */
export interface Secrets {
  readonly databaseUrl: string | undefined;
  readonly redisUrl: string | undefined;
  /** Undefined in local mode when none are set. They are then generated into the state folder. */
  readonly masterKeys: readonly MasterKey[] | undefined;
  readonly sandboxAccessToken: string | undefined;
}

/**
 * Every variable that is read, with its default and its meaning. A test holds the documentation and
 * `.env.example` to this list.
 */
export const variables = z.object({
  ENVIRONMENT: z
    .enum(["dev", "prod"])
    .default("dev")
    .describe(
      "The environment, `dev` or `prod`. It selects the prefix of credentials; `prod` is never local mode, and offers the sandbox's sign-in only to clients that may use it.",
    ),
  ROLE: z
    .enum(["api", "worker", "all"])
    .default("all")
    .describe("What this process does: `api`, `worker` or `all`."),
  HOST: z.string().min(1).default("127.0.0.1").describe("Address to listen on."),
  PORT: z.coerce.number().int().min(1).max(65_535).default(3000).describe("Port to listen on."),
  PUBLIC_URL: url(/^https?$/)
    .optional()
    .describe(
      "Base address as clients see it, such as `https://api.example.com`. Required when hosted, with https.",
    ),
  OPERATOR_NAME: shownName
    .optional()
    .describe("Who runs this service, such as `Acme GmbH`. The sign-in pages name it."),
  STATE_DIR: z
    .string()
    .min(1)
    .default(".rollcall")
    .describe(
      "Folder for the embedded Postgres, generated keys and `demo.json`, relative to the project.",
    ),
  DATABASE_URL: url(/^postgres(ql)?$/)
    .optional()
    .describe(
      "Postgres 15 or newer. Without it the program starts its own Postgres in the state folder.",
    ),
  DATABASE_PASSWORD: z
    .string()
    .optional()
    .describe("Password for a `DATABASE_URL` that has none. Any character may be in it."),
  REDIS_URL: url(/^rediss?$/)
    .optional()
    .describe(
      "Redis 7 or newer with `maxmemory-policy noeviction`, for jobs and rate limits. Without it jobs run on Postgres and limits hold per process.",
    ),
  REDIS_PASSWORD: z
    .string()
    .optional()
    .describe("Password for a `REDIS_URL` that has none. Any character may be in it."),
  REDIS_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/)
    .default("rollcall")
    .describe("Prefix of every key in Redis."),
  MASTER_KEYS: masterKeys
    .optional()
    .describe(
      "`name:key[,name:key…]`, each key 32 bytes in base64; the first seals new data, the others still open old data. Required when hosted; made by `npx rollcall keys generate`.",
    ),
  SANDBOX_ACCESS_TOKEN: z
    .string()
    .optional()
    .describe(
      "The shared sandbox access token; made by `npx rollcall keys generate`. Local mode generates one.",
    ),
  TRUST_PROXY: proxies
    .default([])
    .describe(
      "Addresses or CIDRs of proxies whose `X-Forwarded-For` is believed, or `none`. Required when hosted.",
    ),
  RATE_LIMIT_OPEN_1M: positive
    .default(15)
    .describe("Requests per minute and address, open endpoints."),
  RATE_LIMIT_OPEN_5M: positive
    .default(25)
    .describe("Requests per five minutes and address, open endpoints."),
  RATE_LIMIT_GATED_IP_1M: positive
    .default(40)
    .describe("Requests per minute and address, gated endpoints."),
  RATE_LIMIT_GATED_CLIENT_5M: positive
    .default(40)
    .describe("Requests per five minutes and client, gated endpoints."),
  SNAPSHOT_FRESH_SECONDS: positive
    .default(900)
    .describe("Stored data younger than this is served as it is."),
  SNAPSHOT_STALE_SECONDS: positive
    .default(3600)
    .describe(
      "Stored data younger than this is served while a refresh runs; older data is fetched anew first.",
    ),
  OUTBOUND_ALLOW: cidrs
    .optional()
    .describe(
      "CIDRs of addresses that are not public and may be reached all the same. Default: none; loopback in local mode.",
    ),
  OUTBOUND_ADDRESSES: list
    .refine((items) => items.length <= 3 && items.every((item) => isIP(item) !== 0), {
      error: "is a list of up to three IP addresses",
    })
    .default([])
    .describe("The published source addresses of outgoing requests, up to three."),
  OUTBOUND_LOCAL_ADDRESS: z
    .string()
    .refine((value) => isIP(value) !== 0, { error: "is an IP address" })
    .optional()
    .describe("Local address that webhooks are sent from."),
  PROVIDERS: list
    .default([])
    .describe("Packages with further providers, such as `@acme/rollcall-bamboo`."),
  PROVIDER_SIGN_IN_MAX_BYTES: positive
    .default(defaultAnswerLimits.signInBytes)
    .describe("Largest answer of a provider during a sign-in, also after decompression."),
  PROVIDER_PAGE_MAX_BYTES: positive
    .default(defaultAnswerLimits.pageBytes)
    .describe(
      "Largest answer of a provider that is HTML or other text and not JSON, also after decompression.",
    ),
  PROVIDER_REPLY_MAX_BYTES: positive
    .default(defaultAnswerLimits.replyBytes)
    .describe("Largest answer of a provider with records, also after decompression."),
  WORKER_CONCURRENCY: positive
    .default(64)
    .describe(
      "Most reads that a worker process runs at once; clients, addresses and providers have lower shares.",
    ),
  READ_MAX_BYTES: positive
    .default(1_000_000_000)
    .describe("Most bytes of one whole read of a provider; a longer one is broken."),
  READ_MAX_RECORDS: positive
    .default(1_000_000)
    .describe("Most records of one whole read of a provider; a longer one is broken."),
  READ_MEMORY_MB: positive
    .default(192)
    .describe("Memory that the reads of a worker may hold; above it the larger ones wait."),
  ADAPTER_PROCESSES: positive
    .max(64)
    .default(2)
    .describe("Child processes that the reads of a worker share; sign-ins have one more."),
  ADAPTER_HEAP_MB: positive
    .min(64)
    .default(256)
    .describe("JavaScript heap of such a process; one that needs more is ended."),
  ADAPTER_MEMORY_MB: positive
    .min(256)
    .default(1024)
    .describe("Resident memory of such a process, on Linux; one that has more is ended."),
  DATABASE_POOL_MAX: positive
    .default(10)
    .describe("Database connections of this process, without those of the job queue."),
  CACHE_MAX_BYTES: positive
    .default(134_217_728)
    .describe("Memory for opened replies that are kept to be served again."),
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
    .default("info")
    .describe("Least level that is logged."),
  METRICS_PORT: z.coerce
    .number()
    .int()
    .min(1)
    .max(65_535)
    .optional()
    .describe(
      "Port for `/metrics` (Prometheus) and health of a worker, on `METRICS_HOST`. Off when not set.",
    ),
  METRICS_HOST: z
    .string()
    .min(1)
    .default("127.0.0.1")
    .describe("Address on which `METRICS_PORT` listens."),
});

type Variables = z.output<typeof variables>;

/** Reads the environment, and the project's `.env` with the process's own. An empty variable counts as absent. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): {
  config: Config;
  secrets: Secrets;
} {
  const envFile = join(import.meta.dirname, "../.env");
  if (environment === process.env && existsSync(envFile)) process.loadEnvFile(envFile);
  const given = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== "",
  );
  const { set, problems: unread } = readSecretFiles(Object.fromEntries(given));
  const parsed = variables.safeParse(set, { error: describeIssue });
  const hostedBecause = findHostedReason(set);
  const wrong = parsed.success
    ? crossChecks(parsed.data)
    : parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  const problems = [...unread, ...wrong, ...(isLocal ? [] : missingWhenHosted(set))];
  if (!parsed.success || problems.length > 0) throw new InvalidConfiguration(problems);
  return {
    config: Object.freeze(toConfig(parsed.data, hostedBecause === undefined)),
    secrets: Object.freeze(toSecrets(parsed.data)),
  };
}

function crossChecks(values: Variables): string[] {
  const problems: string[] = [];
  if (values.PUBLIC_URL && !/^https?:\/\/[^/?#@]+\/?$/.test(values.PUBLIC_URL))
    problems.push("PUBLIC_URL: is a scheme, a host and perhaps a port, without a path");
  if (values.SNAPSHOT_STALE_SECONDS < values.SNAPSHOT_FRESH_SECONDS)
    problems.push("SNAPSHOT_STALE_SECONDS: is at least SNAPSHOT_FRESH_SECONDS");
  if (
    values.SANDBOX_ACCESS_TOKEN &&
    checkCredential(values.SANDBOX_ACCESS_TOKEN, "at", values.ENVIRONMENT) !== "valid"
  ) {
    problems.push(
      `SANDBOX_ACCESS_TOKEN: is not an access token of the environment ${values.ENVIRONMENT}; make one with: npx rollcall keys generate`,
    );
  }
  return problems;
}

function toConfig(values: Variables, isLocal: boolean): Config {
  const host = values.HOST.includes(":") ? `[${values.HOST}]` : values.HOST;
  return {
    environment: values.ENVIRONMENT,
    role: values.ROLE,
    host: values.HOST,
    port: values.PORT,
    publicUrl: (values.PUBLIC_URL ?? `http://${host}:${values.PORT}`).replace(/\/$/, ""),
    operatorName: values.OPERATOR_NAME,
    isLocal,
    stateDir: resolve(import.meta.dirname, "..", values.STATE_DIR),
    trustProxy: values.TRUST_PROXY,
    rateLimits: {
      open1m: values.RATE_LIMIT_OPEN_1M,
      open5m: values.RATE_LIMIT_OPEN_5M,
      gatedIp1m: values.RATE_LIMIT_GATED_IP_1M,
      gatedClient5m: values.RATE_LIMIT_GATED_CLIENT_5M,
    },
    snapshotFreshSeconds: values.SNAPSHOT_FRESH_SECONDS,
    snapshotStaleSeconds: values.SNAPSHOT_STALE_SECONDS,
    outboundAllow: values.OUTBOUND_ALLOW ?? (isLocal ? ["127.0.0.0/8", "::1/128"] : []),
    outboundAddresses: values.OUTBOUND_ADDRESSES,
    outboundLocalAddress: values.OUTBOUND_LOCAL_ADDRESS,
    providerPackages: values.PROVIDERS,
    answerLimits: {
      signInBytes: values.PROVIDER_SIGN_IN_MAX_BYTES,
      pageBytes: values.PROVIDER_PAGE_MAX_BYTES,
      replyBytes: values.PROVIDER_REPLY_MAX_BYTES,
    },
    workerConcurrency: values.WORKER_CONCURRENCY,
    readMaxBytes: values.READ_MAX_BYTES,
    readMaxRecords: values.READ_MAX_RECORDS,
    readMemoryMb: values.READ_MEMORY_MB,
    adapterProcesses: values.ADAPTER_PROCESSES,
    adapterHeapMb: values.ADAPTER_HEAP_MB,
    adapterMemoryMb: values.ADAPTER_MEMORY_MB,
    databasePoolMax: values.DATABASE_POOL_MAX,
    cacheMaxBytes: values.CACHE_MAX_BYTES,
    redisPrefix: values.REDIS_PREFIX,
    logLevel: values.LOG_LEVEL,
    metricsHost: values.METRICS_HOST,
    metricsPort: values.METRICS_PORT,
  };
}

function toSecrets(values: Variables): Secrets {
  return {
    databaseUrl: addPassword(values.DATABASE_URL, values.DATABASE_PASSWORD),
    redisUrl: addPassword(values.REDIS_URL, values.REDIS_PASSWORD),
    masterKeys: values.MASTER_KEYS,
    sandboxAccessToken: values.SANDBOX_ACCESS_TOKEN,
  };
}

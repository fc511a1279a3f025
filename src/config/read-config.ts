import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { addPassword } from "./values.ts";
import { variables, type Variables } from "./variables.ts";
import { findHostedProblems, findHostedReason } from "./local-or-hosted.ts";
import { findFormerRanges } from "./outbound-ranges.ts";
import { checkCredential, type Environment, type MasterKey } from "../platform/crypto/index.ts";
import { describeIssue } from "../platform/plain-words.ts";
import type { AnswerLimits, OpenedRange } from "../platform/outbound/index.ts";
import type { OperatorIssuer } from "../console/index.ts";
import { readOperatorIssuer } from "./operator-issuer.ts";
import { readProviderApplications } from "./provider-applications.ts";
import { readProgramVersion } from "../platform/program-version.ts";
import type { TracingSettings } from "../platform/tracing/index.ts";
import type { OAuth2Applications } from "../providers/index.ts";
import { runSecretCommand } from "./secret-command.ts";
import { readSecretFiles } from "./secret-files.ts";

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
  /** What the pages for end users look like, and where they lead. */
  readonly serviceName: string;
  readonly operatorColor: string | undefined;
  readonly operatorLogo: string | undefined;
  readonly providerMarks: string | undefined;
  readonly clientBranding: "off" | "logo" | "on";
  readonly operatorPrivacyUrl: string | undefined;
  readonly operatorImprintUrl: string | undefined;
  readonly operatorSupportUrl: string | undefined;
  /** Where to report a weakness. */
  readonly operatorSecurityContact: string | undefined;
  /**
   * No `DATABASE_URL`, a loopback `HOST`, no `PUBLIC_URL` or a loopback one, and not `prod`. Keys are generated, a demo
   * client is made, and http and loopback targets are allowed.
   */
  readonly isLocal: boolean;
  readonly console: { readonly isOn: boolean; readonly takesClients: boolean };
  readonly stateDir: string;
  /** The files that secrets were read from. */
  readonly secretFiles: readonly string[];
  readonly trustProxy: readonly string[];
  readonly rateLimits: { open1m: number; open5m: number; gatedIp1m: number; gatedClient5m: number };
  readonly snapshotFreshSeconds: number;
  readonly snapshotStaleSeconds: number;
  /** Ranges that are not public and may be reached, by the purpose of the request. */
  readonly outboundAllow: {
    readonly providers: readonly OpenedRange[];
    readonly webhooks: readonly OpenedRange[];
  };
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
  readonly databaseWaitSeconds: number;
  readonly cacheMaxBytes: number;
  readonly redisPrefix: string;
  readonly logLevel: string;
  readonly metricsHost: string;
  readonly metricsPort: number | undefined;
  /** Undefined when traces are sent nowhere. */
  readonly tracing: Omit<TracingSettings, "headers"> | undefined;
  /** Whether the trace of a caller goes on here. */
  readonly trustsTraceparent: boolean;
}

/** Kept apart so that they cannot be logged with the rest. */
export interface Secrets {
  readonly databaseUrl: string | undefined;
  /** Of the role that owns the tables. */
  readonly migrationUrl: string | undefined;
  readonly redisUrl: string | undefined;
  /** Undefined in local mode when none are set. They are then generated into the state folder. */
  readonly masterKeys: readonly MasterKey[] | undefined;
  readonly sandboxAccessToken: string | undefined;
  readonly providerApplications: OAuth2Applications;
  /** It names operators by their addresses, too. Undefined without the sign-in by OpenID Connect. */
  readonly operatorIssuer: OperatorIssuer | undefined;
  /** For the collector of traces. */
  readonly collectorHeaders: Readonly<Record<string, string>>;
}

const loopback: readonly OpenedRange[] = [{ range: "127.0.0.0/8:*" }, { range: "[::1/128]:*" }];

/** Names all problems at once, one on each line. */
export class InvalidConfiguration extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(
      `The configuration is not valid:\n${problems.map((problem) => `  ${problem}`).join("\n")}`,
    );
    this.name = "InvalidConfiguration";
    this.problems = problems;
  }
}

/** Reads the environment, and the project's `.env` with the process's own. An empty variable counts as absent. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): {
  config: Config;
  secrets: Secrets;
} {
  const envFile = join(import.meta.dirname, "../../.env");
  if (environment === process.env && existsSync(envFile)) process.loadEnvFile(envFile);
  const given = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== "",
  );
  const { set: filled, problems: unread, files } = readSecretFiles(Object.fromEntries(given));
  const { set, problems: unprinted } = runSecretCommand(filled);
  const { applications, problems: halves } = readProviderApplications(set);
  const parsed = variables.safeParse(set, { error: describeIssue });
  const hostedBecause = findHostedReason(set);
  const wrong = parsed.success
    ? crossChecks(parsed.data)
    : parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  const hostedProblems = hostedBecause ? findHostedProblems(set, hostedBecause) : [];
  const former = findFormerRanges(set["OUTBOUND_ALLOW"]) ?? [];
  const problems = [...unread, ...unprinted, ...wrong, ...halves, ...hostedProblems].concat(former);
  if (!parsed.success || problems.length > 0) throw new InvalidConfiguration(problems);
  return {
    config: Object.freeze({
      ...toConfig(parsed.data, hostedBecause === undefined),
      secretFiles: files,
    }),
    secrets: Object.freeze({ ...toSecrets(parsed.data), providerApplications: applications }),
  };
}

function crossChecks(values: Variables): string[] {
  const { problems } = readOperatorIssuer(values);
  if (values.PUBLIC_URL && !/^https?:\/\/[^/?#@]+\/?$/.test(values.PUBLIC_URL))
    problems.push("PUBLIC_URL: is a scheme, a host and perhaps a port, without a path");
  if (values.DATABASE_MIGRATION_URL && !values.DATABASE_URL)
    problems.push("DATABASE_MIGRATION_URL: needs DATABASE_URL, with another role for the service");
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

function toConfig(values: Variables, isLocal: boolean): Omit<Config, "secretFiles"> {
  const host = values.HOST.includes(":") ? `[${values.HOST}]` : values.HOST;
  return {
    environment: values.ENVIRONMENT,
    role: values.ROLE,
    host: values.HOST,
    port: values.PORT,
    publicUrl: (values.PUBLIC_URL ?? `http://${host}:${values.PORT}`).replace(/\/$/, ""),
    ...toBrand(values),
    isLocal,
    console: {
      isOn: (values.CONSOLE ?? (isLocal ? "on" : "off")) === "on",
      takesClients: values.CONSOLE_CLIENTS === "on",
    },
    stateDir: inProject(values.STATE_DIR),
    trustProxy: values.TRUST_PROXY,
    rateLimits: {
      open1m: values.RATE_LIMIT_OPEN_1M,
      open5m: values.RATE_LIMIT_OPEN_5M,
      gatedIp1m: values.RATE_LIMIT_GATED_IP_1M,
      gatedClient5m: values.RATE_LIMIT_GATED_CLIENT_5M,
    },
    snapshotFreshSeconds: values.SNAPSHOT_FRESH_SECONDS,
    snapshotStaleSeconds: values.SNAPSHOT_STALE_SECONDS,
    outboundAllow: {
      providers: values.OUTBOUND_ALLOW_PROVIDERS ?? (isLocal ? loopback : []),
      webhooks: values.OUTBOUND_ALLOW_WEBHOOKS ?? (isLocal ? loopback : []),
    },
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
    databaseWaitSeconds: values.DATABASE_WAIT_SECONDS,
    cacheMaxBytes: values.CACHE_MAX_BYTES,
    redisPrefix: values.REDIS_PREFIX,
    logLevel: values.LOG_LEVEL,
    metricsHost: values.METRICS_HOST,
    metricsPort: values.METRICS_PORT,
    tracing: toTracing(values),
    trustsTraceparent: values.TRUST_TRACEPARENT === "on",
  };
}

function toTracing(values: Variables): Config["tracing"] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole } = values;
  const url = whole ?? (base && `${base.replace(/\/$/, "")}/v1/traces`);
  if (url === undefined) return undefined;
  const { OTEL_RESOURCE_ATTRIBUTES: further, OTEL_SERVICE_NAME: name } = values;
  return {
    url,
    sampler: values.OTEL_TRACES_SAMPLER,
    ratio: values.OTEL_TRACES_SAMPLER_ARG,
    resource: {
      "service.name": "rollcall",
      "service.version": readProgramVersion(),
      "deployment.environment.name": values.ENVIRONMENT,
      "rollcall.role": values.ROLE,
      ...further,
      ...(name !== undefined && { "service.name": name }),
    },
  };
}

/** Whose the service is, and what its pages look like. */
function toBrand(values: Variables) {
  return {
    operatorName: values.OPERATOR_NAME,
    serviceName: values.SERVICE_NAME,
    operatorColor: values.OPERATOR_COLOR,
    operatorLogo: inProject(values.OPERATOR_LOGO),
    providerMarks: inProject(values.PROVIDER_MARKS),
    clientBranding: values.CLIENT_BRANDING,
    operatorPrivacyUrl: values.OPERATOR_PRIVACY_URL,
    operatorImprintUrl: values.OPERATOR_IMPRINT_URL,
    operatorSupportUrl: values.OPERATOR_SUPPORT_URL,
    operatorSecurityContact: values.OPERATOR_SECURITY_CONTACT,
  };
}

function inProject<Path extends string | undefined>(path: Path): Path {
  return (path && resolve(import.meta.dirname, "../..", path)) as Path;
}

function toSecrets(values: Variables): Omit<Secrets, "providerApplications"> {
  return {
    databaseUrl: addPassword(values.DATABASE_URL, values.DATABASE_PASSWORD),
    migrationUrl: addPassword(values.DATABASE_MIGRATION_URL, values.DATABASE_MIGRATION_PASSWORD),
    redisUrl: addPassword(values.REDIS_URL, values.REDIS_PASSWORD),
    masterKeys: values.MASTER_KEYS,
    sandboxAccessToken: values.SANDBOX_ACCESS_TOKEN,
    operatorIssuer: readOperatorIssuer(values).operatorIssuer,
    collectorHeaders: values.OTEL_EXPORTER_OTLP_HEADERS,
  };
}

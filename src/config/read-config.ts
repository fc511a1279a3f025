import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { addPassword, isLoopback, isLoopbackUrl } from "./values.ts";
import { variables, type Variables } from "./variables.ts";
import { findFormerRanges } from "./outbound-ranges.ts";
import { checkCredential } from "../platform/crypto/index.ts";
import { describeIssue } from "../platform/plain-words.ts";
import type { OpenedRange } from "../platform/outbound/index.ts";
import { readOperatorIssuer } from "./operator-issuer.ts";
import { readProgramVersion } from "../platform/program-version.ts";
import type { TracingSettings } from "../platform/tracing/index.ts";
import type { OAuth2Applications, OAuth2Application } from "../providers/index.ts";
import { runSecretCommand } from "./secret-command.ts";
import { readSecretFiles } from "./secret-files.ts";

/** What an operator sets, except for the secrets; it may be logged. */
export type Config = Readonly<ReturnType<typeof toConfig>>;

/** Kept apart so that they cannot be logged with the rest. */
export type Secrets = Readonly<ReturnType<typeof toSecrets>>;

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
    config: Object.freeze(toConfig(parsed.data, hostedBecause === undefined, files)),
    secrets: Object.freeze(toSecrets(parsed.data, applications)),
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

function toConfig(values: Variables, isLocal: boolean, secretFiles: readonly string[]) {
  const host = values.HOST.includes(":") ? `[${values.HOST}]` : values.HOST;
  return {
    environment: values.ENVIRONMENT,
    role: values.ROLE,
    host: values.HOST,
    port: values.PORT,
    /** The service base address, without a slash at the end. */
    publicUrl: (values.PUBLIC_URL ?? `http://${host}:${values.PORT}`).replace(/\/$/, ""),
    ...toBrand(values),
    /**
     * No `DATABASE_URL`, a loopback `HOST`, no `PUBLIC_URL` or a loopback one, and not `prod`. Keys are generated, a demo
     * client is made, and http and loopback targets are allowed.
     */
    isLocal,
    console: {
      isOn: (values.CONSOLE ?? (isLocal ? "on" : "off")) === "on",
      takesClients: values.CONSOLE_CLIENTS === "on",
    },
    stateDir: inProject(values.STATE_DIR),
    /** The files that secrets were read from. */
    secretFiles,
    trustProxy: values.TRUST_PROXY,
    rateLimits: {
      open1m: values.RATE_LIMIT_OPEN_1M,
      open5m: values.RATE_LIMIT_OPEN_5M,
      gatedIp1m: values.RATE_LIMIT_GATED_IP_1M,
      gatedClient5m: values.RATE_LIMIT_GATED_CLIENT_5M,
    },
    snapshotFreshSeconds: values.SNAPSHOT_FRESH_SECONDS,
    snapshotStaleSeconds: values.SNAPSHOT_STALE_SECONDS,
    /** Ranges that are not public and may be reached, by the purpose of the request. */
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
    /** Undefined when traces are sent nowhere. */
    tracing: toTracing(values),
    /** Whether the trace of a caller goes on here. */
    trustsTraceparent: values.TRUST_TRACEPARENT === "on",
  };
}

function toTracing(values: Variables): Omit<TracingSettings, "headers"> | undefined {
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

function toSecrets(values: Variables, providerApplications: OAuth2Applications) {
  return {
    databaseUrl: addPassword(values.DATABASE_URL, values.DATABASE_PASSWORD),
    /** Of the role that owns the tables. */
    migrationUrl: addPassword(values.DATABASE_MIGRATION_URL, values.DATABASE_MIGRATION_PASSWORD),
    redisUrl: addPassword(values.REDIS_URL, values.REDIS_PASSWORD),
    /** Undefined in local mode when none are set. They are then generated into the state folder. */
    masterKeys: values.MASTER_KEYS,
    sandboxAccessToken: values.SANDBOX_ACCESS_TOKEN,
    /** The operator's applications at providers. */
    providerApplications,
    /** It names operators by their addresses, too. Undefined without the sign-in by OpenID Connect. */
    operatorIssuer: readOperatorIssuer(values).operatorIssuer,
    /** For the collector of traces. */
    collectorHeaders: values.OTEL_EXPORTER_OTLP_HEADERS,
  };
}

/** The variables that are set, by their names. */
type SetVariables = Readonly<Record<string, string | undefined>>;

/** What is not as in local mode. Undefined in local mode. */
function findHostedReason(set: SetVariables): string | undefined {
  if (set["DATABASE_URL"] !== undefined) return "DATABASE_URL is set";
  if (!isLoopback(set["HOST"] ?? "localhost")) return "HOST is not a loopback address";
  const publicUrl = set["PUBLIC_URL"];
  if (publicUrl !== undefined && !isLoopbackUrl(publicUrl))
    return "PUBLIC_URL is not on a loopback address";
  return set["ENVIRONMENT"] === "prod" ? "ENVIRONMENT is prod" : undefined;
}

/** What keeps a service that is not local from being a hosted one: there is nothing between the two. */
function findHostedProblems(set: SetVariables, why: string): string[] {
  const publicUrl = set["PUBLIC_URL"];
  const mayBeHttp = set["ENVIRONMENT"] !== "prod" && isLoopbackUrl(publicUrl ?? "");
  // Where a file or a command should have given them, that is the problem: nobody is to make other keys because of it.
  const namesKeys = set["MASTER_KEYS"] ?? set["MASTER_KEYS_FILE"] ?? set["MASTER_KEYS_COMMAND"];
  return [
    ...(namesKeys
      ? []
      : [`MASTER_KEYS: required, because ${why}; make one with: npx rollcall keys generate`]),
    ...(publicUrl ? [] : [`PUBLIC_URL: required, because ${why}`]),
    ...(publicUrl?.startsWith("http:") && !mayBeHttp
      ? [`PUBLIC_URL: begins with https://, because ${why}; set the address of the proxy with TLS`]
      : []),
    ...(set["TRUST_PROXY"]
      ? []
      : [
          `TRUST_PROXY: required, because ${why}; set the addresses of the proxy, or none without one`,
        ]),
  ];
}

const variable = /^PROVIDER_([A-Z][A-Z0-9_]{1,39})_CLIENT_(ID|SECRET)$/;

/** The operator's applications at providers: `PROVIDER_XERO_CLIENT_ID` and `PROVIDER_XERO_CLIENT_SECRET` for `xero`. */
function readProviderApplications(set: Readonly<Record<string, string>>): {
  applications: OAuth2Applications;
  problems: string[];
} {
  const applications: Record<string, OAuth2Application> = {};
  const problems: string[] = [];
  const named = new Set(Object.keys(set).flatMap((name) => variable.exec(name)?.[1] ?? []));
  for (const provider of named) {
    const [idVariable, secretVariable] = ["ID", "SECRET"].map(
      (part) => `PROVIDER_${provider}_CLIENT_${part}`,
    ) as [string, string];
    const { [idVariable]: clientId, [secretVariable]: clientSecret } = set;
    if (clientId === undefined)
      problems.push(`${idVariable}: is required beside ${secretVariable}`);
    else if (clientSecret === undefined)
      problems.push(`${secretVariable}: is required beside ${idVariable}`);
    else applications[provider.toLowerCase().replaceAll("_", "-")] = { clientId, clientSecret };
  }
  return { applications, problems };
}

import { isIP } from "node:net";
import { z } from "zod";
import { contact, list, masterKeys, positive, proxies, shownName, url } from "./values.ts";
import { operatorRules } from "./operator-rules.ts";
import { outboundRanges } from "./outbound-ranges.ts";
import { tracingVariables } from "./tracing-variables.ts";
import { defaultAnswerLimits } from "../platform/outbound/index.ts";
import { textColor } from "../platform/html/index.ts";

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
  SERVICE_NAME: shownName
    .default("Rollcall")
    .describe("What the pages for end users call the service."),
  OPERATOR_COLOR: textColor
    .optional()
    .describe(
      "A colour such as `#1f5aa6` for buttons and links of the pages for end users, dark enough for text on a light page.",
    ),
  OPERATOR_LOGO: z
    .string()
    .optional()
    .describe(
      "File with the operator's logo for the head of the pages for end users, relative to the project: an SVG or PNG of up to 100 kB. The api reads it at its start.",
    ),
  PROVIDER_MARKS: z
    .string()
    .optional()
    .describe(
      "Folder with marks of vendors for the pages for end users, relative to the project: `<provider>.svg` or `<provider>.png` of up to 100 kB. A provider without one has its first letter.",
    ),
  CLIENT_BRANDING: z
    .enum(["off", "logo", "on"])
    .default("logo")
    .describe(
      "What a client's own pages show of its look: nothing (`off`), its logo in the place of its first letter (`logo`), or its colour too (`on`).",
    ),
  OPERATOR_PRIVACY_URL: contact
    .optional()
    .describe(
      "Where end users read how the operator handles their data. The foot of the pages leads there.",
    ),
  OPERATOR_IMPRINT_URL: contact
    .optional()
    .describe("The operator's imprint, for the foot of the pages."),
  OPERATOR_SUPPORT_URL: contact
    .optional()
    .describe(
      "Where the operator helps end users, such as `mailto:help@example.com`, for the foot of the pages.",
    ),
  OPERATOR_SECURITY_CONTACT: contact
    .optional()
    .describe(
      "Where to report a weakness, such as `mailto:security@example.com`. It stands in `/.well-known/security.txt`, which is not there without it.",
    ),
  CONSOLE: z
    .enum(["on", "off"])
    .optional()
    .describe(
      "Whether there is the console at `/console`. Default: `on` in local mode, else `off`.",
    ),
  CONSOLE_CLIENTS: z
    .enum(["on", "off"])
    .default("on")
    .describe(
      "Whether developers sign in to the console with the id and a secret of their client.",
    ),
  CONSOLE_OIDC_ISSUER: url(/^https?$/)
    .optional()
    .describe(
      "The issuer by which operators sign in to the console with OpenID Connect, such as `https://login.example.com`.",
    ),
  CONSOLE_OIDC_CLIENT_ID: z
    .string()
    .max(512)
    .optional()
    .describe("The id that the issuer knows this service by."),
  CONSOLE_OIDC_CLIENT_SECRET: z.string().max(2_048).optional().describe("The secret for it."),
  CONSOLE_OIDC_OPERATORS: operatorRules
    .optional()
    .describe(
      "Who comes in as an operator: addresses, `group:NAME`, or `@example.com+group:NAME` for those of both, separated by commas.",
    ),
  CONSOLE_OIDC_GROUPS_CLAIM: z
    .string()
    .min(1)
    .max(255)
    .default("groups")
    .describe("The claim in which the issuer names the groups of a person."),
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
  DATABASE_MIGRATION_URL: url(/^postgres(ql)?$/)
    .optional()
    .describe(
      "The same database as the role that owns its tables. Migrations run as this role, and that of `DATABASE_URL` owns nothing.",
    ),
  DATABASE_MIGRATION_PASSWORD: z
    .string()
    .optional()
    .describe("Password for a `DATABASE_MIGRATION_URL` that has none. Any character may be in it."),
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
  MASTER_KEYS_COMMAND: z
    .string()
    .optional()
    .describe(
      "A command that prints the value of `MASTER_KEYS`, such as one that asks a key manager. A shell runs it at each start.",
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
  OUTBOUND_ALLOW_PROVIDERS: outboundRanges
    .optional()
    .describe(
      "Ranges that are not public and that providers may be reached in, such as `10.1.2.0/24:443`. Default: none; loopback in local mode.",
    ),
  OUTBOUND_ALLOW_WEBHOOKS: outboundRanges
    .optional()
    .describe("The same for webhooks. Default: none; loopback in local mode."),
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
      "Largest answer of a provider that is HTML or other text and not JSON, XML or CSV, also after decompression.",
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
  DATABASE_WAIT_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(3_600)
    .default(60)
    .describe("How long the start waits for a database that does not answer yet."),
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
  ...tracingVariables,
});

export type Variables = z.output<typeof variables>;

import { randomUUID } from "node:crypto";
import { Client } from "undici";
import type { Config } from "../config/index.ts";
import { registerFetchedRoute } from "../data/index.ts";
import type { ClientId, ConnectionId, Scope, TokenId } from "../model/index.ts";
import { mintCredential } from "../platform/crypto/index.ts";
import { giveBackMemory } from "../platform/give-back-memory.ts";
import { createLog } from "../platform/log.ts";
import { Metrics } from "../platform/metrics.ts";
import { noTracing } from "../platform/tracing/index.ts";
import { createLimitedApp } from "./limited-app.ts";
import type { Services } from "./services.ts";

const url: Scope = "/2023-03-01/xhr/employees";
const mostRequests = 400;
const longestMs = 500;
/** A machine that takes longer for the first of them is busy with its start. */
const first = { requests: 10, longestMs: 200 };
/** Of the range for documentation: nobody has it, so no caller is counted by what is asked here. */
const nobodysAddress = "192.0.2.1";
const version = "warm";
const unlimited = Number.MAX_SAFE_INTEGER;
const asked: readonly Readonly<Record<string, string>>[] = [
  { "accept-encoding": "br" },
  { "accept-encoding": "gzip" },
  { "accept-encoding": "br", "if-none-match": `W/"${version}"` },
];

/**
 * Serves itself the list of employees of nobody, so that the first callers of a new process do not wait until V8 has
 * compiled what serves them, and for the first clients of the database. It is asked by an app of its own, whose log,
 * metrics and limits nobody sees, with a token that nobody has: the admission and the list take the place of what would
 * have been found. A failure is no reason not to start.
 */
export async function warmUp(services: Services): Promise<void> {
  const { clock, log } = services;
  const beganAtMs = clock.elapsedMs();
  // Or the first callers would wait while V8 collects what the start has left. Afterwards code is compiled anew.
  giveBackMemory();
  try {
    const requests = await askSelf(services, clock.elapsedMs() + longestMs);
    const ms = Math.round(clock.elapsedMs() - beganAtMs);
    log.info({ requests, ms }, "the service has warmed up");
  } catch (error) {
    log.warn({ err: error }, "the service could not warm up: its first replies take longer");
  }
}

/** Returns the number of requests. */
async function askSelf(services: Services, endsAtMs: number): Promise<number> {
  const { clock, config } = services;
  const app = await createUnseenApp(services);
  const client = new Client(await app.listen({ host: "127.0.0.1", port: 0 }));
  try {
    const shared = {
      authorization: `Bearer ${mintCredential("at", config.environment)}`,
      "x-forwarded-for": nobodysAddress,
    };
    const givesUpAtMs = clock.elapsedMs() + first.longestMs;
    let requests = 0;
    for (; requests < mostRequests && clock.elapsedMs() < endsAtMs; requests += 1) {
      if (requests === first.requests && clock.elapsedMs() > givesUpAtMs) break;
      const headers = { ...shared, ...asked[requests % asked.length] };
      const { statusCode, body } = await client.request({ method: "GET", path: url, headers });
      await body.dump();
      if (statusCode !== 200 && statusCode !== 304)
        throw new Error(`the service answered itself with ${statusCode}`);
    }
    return requests;
  } finally {
    await client.destroy();
    await app.close();
  }
}

async function createUnseenApp(services: Services) {
  const { clock, config, tokens, sync } = services;
  const app = await createLimitedApp({
    clock,
    config: withoutLimits(config),
    redisUrl: undefined,
    log: createLog({ level: config.logLevel, destination: { write: () => undefined } }),
    metrics: new Metrics(),
    tracing: noTracing,
  });
  const admission = {
    tokenId: randomUUID() as TokenId,
    clientId: "warm-up" as ClientId,
    isSharedSandbox: false,
    provider: "sandbox",
    mode: "xhr" as const,
    scopes: [url],
    isDisconnected: false,
    connectionId: randomUUID() as ConnectionId,
    authFailure: null,
    requestsPer5Minutes: null,
    digest: Buffer.alloc(0),
    snapshot: { version, fetchedAt: clock.now() },
  };
  const body = Buffer.from("[]");
  registerFetchedRoute(app, url, {
    clock,
    closing: new AbortController().signal,
    tokens: {
      checkForm: (credential) => tokens.checkForm(credential),
      admit: async (...given) => {
        const counted = await tokens.admit(...given);
        return counted && { ...counted, client: counted.address, admission };
      },
      findAdmission: async (...given) => (await tokens.findAdmission(...given), admission),
    },
    sync: {
      read: async (request) => await sync.read(request),
      waitUntilSettled: async () => undefined,
      open: async () => body,
    },
  });
  return app;
}

/** Whoever asks is believed to be where it says. */
function withoutLimits(config: Config): Config {
  const rateLimits = {
    open1m: unlimited,
    open5m: unlimited,
    gatedIp1m: unlimited,
    gatedClient5m: unlimited,
  };
  return { ...config, rateLimits, trustProxy: ["127.0.0.1"] };
}

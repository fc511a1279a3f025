import { isIPv4 } from "node:net";
import rateLimit, { normalizeIP } from "@fastify/rate-limit";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { RateLimitStore } from "./rate-limit-store.ts";

type RateLimitClass = "open" | "gated" | "wide";

interface Window {
  name: string;
  max: number;
  seconds: number;
  keyedBy: "address" | "client";
}

/** The windows of each class, in the order of their checks. */
export type RateLimitWindows = Readonly<Record<RateLimitClass, readonly Window[]>>;

export function rateLimitWindows(limits: {
  open1m: number;
  open5m: number;
  gatedIp1m: number;
  gatedClient5m: number;
}): RateLimitWindows {
  return {
    open: [
      { name: "open-1m", max: limits.open1m, seconds: 60, keyedBy: "address" },
      { name: "open-5m", max: limits.open5m, seconds: 300, keyedBy: "address" },
    ],
    gated: [
      { name: "gated-1m", max: limits.gatedIp1m, seconds: 60, keyedBy: "address" },
      { name: "gated-5m", max: limits.gatedClient5m, seconds: 300, keyedBy: "client" },
    ],
    wide: [{ name: "wide-1m", max: Math.max(600, limits.open1m), seconds: 60, keyedBy: "address" }],
  };
}

interface Counted {
  name: string;
  remaining: number;
  resetSeconds: number;
}

declare module "fastify" {
  interface FastifyContextConfig {
    rateLimitClass?: RateLimitClass;
  }
  interface FastifyRequest {
    /** The windows that have counted this request. */
    countedWindows: Counted[];
    rateLimitKey: string;
  }
  interface FastifyInstance {
    /** Counts the request in the windows that are keyed by client. Call it once, after authentication. */
    limitClient(request: FastifyRequest, reply: FastifyReply, clientKey: string): Promise<void>;
  }
}

/** Each endpoint (method and route pattern) has its own counts. HEAD counts as GET. */
export async function registerRateLimits(
  app: FastifyInstance,
  {
    windows,
    store,
    refuse,
  }: {
    windows: RateLimitWindows;
    store: RateLimitStore;
    refuse: (retryAfterSeconds: number) => Error;
  },
): Promise<void> {
  const SharedStore = function shareStore() {
    return store;
  } as unknown as new () => RateLimitStore;
  await app.register(rateLimit, { global: false, store: SharedStore });
  app.decorateRequest("countedWindows");
  app.decorateRequest("rateLimitKey", "");

  const limiters = new Map<Window, ReturnType<FastifyInstance["createRateLimit"]>>();
  for (const window of Object.values(windows).flat()) {
    limiters.set(
      window,
      app.createRateLimit({
        max: window.max,
        timeWindow: window.seconds * 1000,
        keyGenerator: (request) => request.rateLimitKey,
      }),
    );
  }

  async function count(
    request: FastifyRequest,
    reply: FastifyReply,
    keyedBy: Window["keyedBy"],
    who: string,
  ): Promise<void> {
    const classWindows = windows[request.routeOptions.config.rateLimitClass ?? "wide"];
    const method = request.method === "HEAD" ? "GET" : request.method;
    const endpoint = `${method} ${request.routeOptions.url ?? "*"}`;
    for (const window of classWindows.filter((candidate) => candidate.keyedBy === keyedBy)) {
      request.rateLimitKey = `${window.name}:${endpoint}:${who}`;
      const result = await limiters.get(window)?.(request);
      if (!result || result.isAllowed) continue;
      request.countedWindows.push({
        name: window.name,
        remaining: result.remaining,
        resetSeconds: Math.max(1, result.ttlInSeconds),
      });
      announce(reply, classWindows, request.countedWindows);
      if (result.isExceeded) throw refuse(Math.max(1, result.ttlInSeconds));
    }
  }

  app.addHook("onRequest", async (request, reply) => {
    request.countedWindows = [];
    await count(request, reply, "address", callerAddress(request));
  });
  app.decorate("limitClient", (request, reply, clientKey) =>
    count(request, reply, "client", clientKey),
  );
}

/** The key of a caller: its IPv4 address, or the /64 of its IPv6 address. Empty when the caller is gone. */
export function callerAddress(request: FastifyRequest): string {
  return request.ip ? normalizeIP(request.ip) : "";
}

/** The network of a caller: the /24 of its IPv4 address, or the /56 of its IPv6 address. Empty as above. */
export function callerNetwork({ ip }: Pick<FastifyRequest, "ip">): string {
  const address = ip ? normalizeIP(ip, 56) : "";
  return isIPv4(address) ? address.split(".").slice(0, 3).join(".") : address;
}

/** How long to wait so that the next request of this kind is not refused. */
export function secondsUntilRoom(request: FastifyRequest): number {
  const full = request.countedWindows.filter(({ remaining }) => remaining === 0);
  return Math.max(0, ...full.map(({ resetSeconds }) => resetSeconds));
}

/** The two fields of draft-ietf-httpapi-ratelimit-headers. */
function announce(
  reply: FastifyReply,
  windows: readonly Window[],
  counted: readonly Counted[],
): void {
  reply.header(
    "ratelimit-policy",
    windows.map(({ name, max, seconds }) => `"${name}";q=${max};w=${seconds}`).join(", "),
  );
  reply.header(
    "ratelimit",
    counted
      .map(({ name, remaining, resetSeconds }) => `"${name}";r=${remaining};t=${resetSeconds}`)
      .join(", "),
  );
}

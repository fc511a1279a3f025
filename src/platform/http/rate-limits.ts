import { isIPv4, isIPv6 } from "node:net";
import rateLimit, { normalizeIP } from "@fastify/rate-limit";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isEncoded } from "./body-parsers.ts";
import type { WindowCount, RateLimitStore } from "./rate-limit-store.ts";

type RateLimitClass = "open" | "gated" | "wide";

interface Window {
  name: string;
  max: number;
  seconds: number;
  keyedBy: "address" | "client";
}

/** The windows of each class, in the order of their checks. */
export type RateLimitWindows = Readonly<Record<"open" | "wide", readonly Window[]>> & {
  readonly gated: readonly [byAddress: Window, byClient: Window];
};

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

/** The windows of a request as they are named in Redis, for who counts in them by a script of its own. */
export interface RequestWindows {
  address: { key: string; max: number; ms: number };
  /** The /48 of an IPv6 caller, whose window lasts as long as that of the address. */
  site?: { key: string; max: number } | undefined;
  /** The key is completed by the client's id. */
  client: { keyPrefix: string; ms: number };
  /** The address of the caller. */
  caller: string;
}

interface Counted {
  name: string;
  remaining: number;
  resetSeconds: number;
}

/** How often a request was counted for its address, or for its client. */
type AppliedCount =
  | { keyedBy: "address"; count: WindowCount }
  | { keyedBy: "client"; count: WindowCount; max: number | null };

/** Whose window a request counts in, and how many requests it holds; null for the limit of the service. */
interface LimitedClient {
  key: string;
  max: number | null;
}

declare module "fastify" {
  interface FastifyContextConfig {
    rateLimitClass?: RateLimitClass;
    /** Its handler counts the address, with what else it asks of Redis. What never reaches it is counted at once. */
    isAddressCountedLater?: boolean;
  }
  interface FastifyRequest {
    /** The windows that have counted this request. */
    countedWindows: Counted[];
    rateLimitKey: string;
    /** How many requests the client may send in its own window. Undefined for that of the service. */
    clientMax: number | undefined;
  }
  interface FastifyInstance {
    /** Counts the request in the windows that are keyed by address, where `isAddressCountedLater`. */
    limitAddress(request: FastifyRequest, reply: FastifyReply): Promise<void>;
    /** The windows of a `gated` request. */
    describeWindows(request: FastifyRequest): RequestWindows;
    /** Applies what was counted in `describeWindows`. Throws for a window that is full. */
    applyCount(request: FastifyRequest, reply: FastifyReply, counted: AppliedCount): void;
    /** Counts the request in the windows that are keyed by client. Call it once, after authentication. */
    limitClient(request: FastifyRequest, reply: FastifyReply, client: LimitedClient): Promise<void>;
  }
}

/** Each endpoint (method and route pattern) has its own counts. HEAD counts as GET. */
export async function registerRateLimits(
  app: FastifyInstance,
  { windows, store, refuse }: LimiterOptions,
): Promise<void> {
  const SharedStore = function shareStore() {
    return store;
  } as unknown as new () => RateLimitStore;
  await app.register(rateLimit, { global: false, store: SharedStore });
  app.decorateRequest("countedWindows");
  app.decorateRequest("rateLimitKey", "");
  app.decorateRequest("clientMax", undefined);

  const limiter = new RateLimiter(app, { windows, store, refuse });
  app.addHook("onRequest", async (request, reply) => {
    request.countedWindows = [];
    if (request.routeOptions.config.isAddressCountedLater && !isEncoded(request)) return;
    await limiter.count(request, reply, "address", callerAddress(request));
  });
  app.decorate("limitAddress", (request, reply) =>
    limiter.count(request, reply, "address", callerAddress(request)),
  );
  app.decorate("limitClient", (request, reply, { key, max }) => {
    request.clientMax = max ?? undefined;
    return limiter.count(request, reply, "client", key);
  });
  app.decorate("describeWindows", (request) => limiter.describe(request));
  app.decorate("applyCount", (request, reply, counted) => {
    if (counted.keyedBy === "client") request.clientMax = counted.max ?? undefined;
    limiter.apply(request, reply, counted);
  });
}

interface LimiterOptions {
  windows: RateLimitWindows;
  store: RateLimitStore;
  refuse: (retryAfterSeconds: number, message: string) => Error;
}

type Limiter = ReturnType<FastifyInstance["createRateLimit"]>;

/** A customer of a carrier has up to 65,536 networks of /64. Together they have the windows of so many. */
const addressesPerSite = 20;

/** Counts requests in the windows of their route, and tells the caller of them. */
class RateLimiter {
  readonly #options: LimiterOptions;
  readonly #policies: Readonly<Record<RateLimitClass, string>>;
  readonly #limiters = new Map<Window, Limiter>();
  /** For the /48 of an IPv6 caller. */
  readonly #siteLimiters = new Map<Window, Limiter>();

  constructor(app: FastifyInstance, options: LimiterOptions) {
    const { open, gated, wide } = options.windows;
    this.#options = options;
    this.#policies = {
      open: describePolicy(open),
      gated: describePolicy(gated),
      wide: describePolicy(wide),
    };
    for (const window of Object.values(options.windows).flat()) {
      const create = (max: number): Limiter =>
        app.createRateLimit({
          max: (request: FastifyRequest) =>
            window.keyedBy === "client" ? (request.clientMax ?? max) : max,
          timeWindow: window.seconds * 1000,
          keyGenerator: (request) => request.rateLimitKey,
        });
      this.#limiters.set(window, create(window.max));
      this.#siteLimiters.set(window, create(window.max * addressesPerSite));
    }
  }

  async count(
    request: FastifyRequest,
    reply: FastifyReply,
    keyedBy: Window["keyedBy"],
    who: string,
  ): Promise<void> {
    for (const window of this.#windowsOf(request)) {
      if (window.keyedBy !== keyedBy) continue;
      request.rateLimitKey = keyPrefix(window, request) + who;
      const result = await this.#limiters.get(window)?.(request);
      // The plugin counts nobody who is in a list of exceptions. We have none, so it has counted.
      if (result && !result.isAllowed)
        this.#note(request, reply, withClientMax(window, request), result);
      if (keyedBy === "address") await this.#countSite(request, reply, window);
    }
  }

  /** When the window of a /48 is full, so is that of each of its addresses. */
  async #countSite(request: FastifyRequest, reply: FastifyReply, window: Window): Promise<void> {
    const site = callerSiteKey(request);
    if (site === undefined) return;
    request.rateLimitKey = keyPrefix(window, request) + site;
    const result = await this.#siteLimiters.get(window)?.(request);
    if (!result || result.isAllowed || !result.isExceeded) return;
    request.countedWindows.pop();
    this.#note(request, reply, window, result);
  }

  describe(request: FastifyRequest): RequestWindows {
    const { windows, store } = this.#options;
    const [byAddress, byClient] = windows.gated;
    const caller = callerAddress(request);
    const prefixOf = (window: Window): string => store.keyOf(keyPrefix(window, request));
    const site = callerSiteKey(request);
    return {
      address: { key: prefixOf(byAddress) + caller, ...boundsOf(byAddress) },
      ...(site !== undefined && {
        site: { key: prefixOf(byAddress) + site, max: byAddress.max * addressesPerSite },
      }),
      client: { keyPrefix: prefixOf(byClient), ms: boundsOf(byClient).ms },
      caller,
    };
  }

  apply(
    request: FastifyRequest,
    reply: FastifyReply,
    { keyedBy, count: { current, ttl } }: AppliedCount,
  ): void {
    const [byAddress, byClient] = this.#options.windows.gated;
    const window = keyedBy === "address" ? byAddress : withClientMax(byClient, request);
    this.#note(request, reply, window, {
      remaining: Math.max(0, window.max - current),
      ttlInSeconds: Math.ceil(ttl / 1_000),
      isExceeded: current > window.max,
    });
  }

  #note(
    request: FastifyRequest,
    reply: FastifyReply,
    window: Window,
    counted: { remaining: number; ttlInSeconds: number; isExceeded: boolean },
  ): void {
    const resetSeconds = Math.max(1, counted.ttlInSeconds);
    const { name } = window;
    request.countedWindows.push({ name, remaining: counted.remaining, resetSeconds });
    announce(reply, this.#policyOf(request), request.countedWindows);
    if (counted.isExceeded)
      throw this.#options.refuse(resetSeconds, describeExceeded(window, resetSeconds));
  }

  #policyOf(request: FastifyRequest): string {
    if (request.clientMax === undefined)
      return this.#policies[request.routeOptions.config.rateLimitClass ?? "wide"];
    return describePolicy(this.#windowsOf(request).map((window) => withClientMax(window, request)));
  }

  #windowsOf({ routeOptions }: FastifyRequest): readonly Window[] {
    return this.#options.windows[routeOptions.config.rateLimitClass ?? "wide"];
  }
}

/** The window as the client of the request has it. */
function withClientMax(window: Window, { clientMax }: FastifyRequest): Window {
  return window.keyedBy === "client" && clientMax !== undefined
    ? { ...window, max: clientMax }
    : window;
}

function boundsOf({ max, seconds }: Window): { max: number; ms: number } {
  return { max, ms: seconds * 1_000 };
}

/** Each endpoint has its own counts. */
function keyPrefix({ name }: Window, { method, routeOptions }: FastifyRequest): string {
  return `${name}:${method === "HEAD" ? "GET" : method} ${routeOptions.url ?? "*"}:`;
}

/** The key of a caller: its IPv4 address, or the /64 of its IPv6 address. Empty when the caller is gone. */
export function callerAddress(request: FastifyRequest): string {
  return request.ip ? normalizeIP(request.ip) : "";
}

/** The key of the /48 of an IPv6 caller. Undefined for IPv4. */
function callerSiteKey(request: FastifyRequest): string | undefined {
  const site = callerSite(request);
  return isIPv6(site) ? `${site}/48` : undefined;
}

/** The network of a caller: the /24 of its IPv4 address, or the /56 of its IPv6 address. Empty as above. */
export function callerNetwork({ ip }: Pick<FastifyRequest, "ip">): string {
  return networkOf(ip, 56);
}

/** All networks of a caller's customer or office: the /24 of its IPv4 address, or the /48 of its IPv6 address. */
export function callerSite({ ip }: Pick<FastifyRequest, "ip">): string {
  return networkOf(ip, 48);
}

function networkOf(ip: string, ipv6Bits: number): string {
  const address = ip ? normalizeIP(ip, ipv6Bits) : "";
  return isIPv4(address) ? address.split(".").slice(0, 3).join(".") : address;
}

/** How long to wait so that the next request of this kind is not refused. */
export function secondsUntilRoom(request: FastifyRequest): number {
  const full = request.countedWindows.filter(({ remaining }) => remaining === 0);
  return Math.max(0, ...full.map(({ resetSeconds }) => resetSeconds));
}

/** Which limit is used up, and how long to wait. */
function describeExceeded({ max, seconds, keyedBy }: Window, resetSeconds: number): string {
  const minutes = seconds / 60;
  const time = minutes === 1 ? "1 minute" : `${minutes} minutes`;
  const who = keyedBy === "client" ? "for this client" : "from this address";
  return `${max} requests in ${time} ${who} on this endpoint are used up; repeat in ${resetSeconds} s.`;
}

function describePolicy(windows: readonly Window[]): string {
  return windows.map(({ name, max, seconds }) => `"${name}";q=${max};w=${seconds}`).join(", ");
}

/** The two fields of draft-ietf-httpapi-ratelimit-headers. */
function announce(reply: FastifyReply, policy: string, counted: readonly Counted[]): void {
  reply.header("ratelimit-policy", policy);
  reply.header(
    "ratelimit",
    counted
      .map(({ name, remaining, resetSeconds }) => `"${name}";r=${remaining};t=${resetSeconds}`)
      .join(", "),
  );
}

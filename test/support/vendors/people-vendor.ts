// A vendor of the modern kind, as the provider `people` of people-provider.ts reads it: access tokens that end soon,
// refresh tokens of one use, so many requests a minute for each account, one request for each person, rights for each
// resource.
//
//   node test/support/vendors/people-vendor.ts --people 600 --per-minute 60 --token-seconds 0 [--port 8070]
//
// prints {"url":"http://127.0.0.1:8070"} and runs until it is stopped. GET /__requests counts what it was asked,
// POST /__control {"people":590,"expire":true,"forbid":["groups"],"hide":["salary"]} changes it.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { runProgram } from "./run-program.ts";

export interface PeopleVendorOptions {
  people?: number | undefined;
  /** Without a limit by default. */
  perMinute?: number | undefined;
  /** How long an access token works; 0 for ever. */
  tokenSeconds?: number | undefined;
  /** The wait before each answer. */
  delayMs?: number | undefined;
  /** Ends before the answer to each request. It may wait for what the request has led to. */
  beforeAnswer?: (path: string) => Promise<void>;
  port?: number | undefined;
  now?: () => number;
}

interface PeopleControl {
  people?: number;
  /** These people leave. */
  remove?: readonly string[];
  /** These people are not found, though they have not left. */
  lose?: readonly string[];
  /** Every access token that was given ends now. */
  expire?: boolean;
  /** Resources that are answered with 403. */
  forbid?: readonly string[];
  /** Fields that are left out of every answer. */
  hide?: readonly string[];
  /** Everybody gets a new job title. */
  jobTitle?: string;
  /** These people get another one, which the list of changes tells. */
  promote?: readonly string[];
  /** The list of changes begins anew: earlier cursors are unknown. */
  forgetChanges?: boolean;
  perMinute?: number;
  /** From this person's on, this many requests are answered with 500. */
  fail?: { from: string; times: number };
  /** How a refusal says how long to wait. */
  spelling?: "seconds" | "date" | "none";
}

interface PeopleCounts {
  /** Requests with a token, by path without ids. */
  requests: Record<string, number>;
  /** Requests that were over the limit. */
  refused: number;
  refreshes: number;
  /** Refresh tokens that were used a second time. */
  refusedRefreshes: number;
}

export interface PeopleVendor {
  url: string;
  counts(): PeopleCounts;
  control(change: PeopleControl): void;
  close(): Promise<void>;
}

const minuteMs = 60_000;

class PeopleDesk {
  readonly #options: PeopleVendorOptions;
  readonly #now: () => number;
  readonly #access = new Map<string, { account: string; until: number }>();
  readonly #refresh = new Map<string, string>();
  readonly #times = new Map<string, number[]>();
  readonly #counts: PeopleCounts = { requests: {}, refused: 0, refreshes: 0, refusedRefreshes: 0 };
  #ids: string[];
  #control: PeopleControl = {};
  readonly #promoted = new Set<string>();
  #changes: { id: string; isRemoved: boolean }[] = [];
  #firstChange = 0;

  constructor(options: PeopleVendorOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#ids = idsUpTo(options.people ?? 20);
  }

  get counts(): PeopleCounts {
    return structuredClone(this.#counts);
  }

  control(change: PeopleControl): void {
    this.#control = { ...this.#control, ...change };
    if (change.people !== undefined) this.#ids = idsUpTo(change.people);
    if (change.remove) this.#ids = this.#ids.filter((id) => !change.remove?.includes(id));
    if (change.expire) this.#access.clear();
    for (const id of change.promote ?? []) this.#promoted.add(id);
    this.#changes.push(
      ...(change.promote ?? []).map((id) => ({ id, isRemoved: false })),
      ...(change.remove ?? []).map((id) => ({ id, isRemoved: true })),
    );
    if (change.forgetChanges) {
      this.#firstChange += this.#changes.length + 1;
      this.#changes = [];
    }
  }

  answer(request: { path: string; query: URLSearchParams; token: string; body: unknown }): {
    status: number;
    headers?: Record<string, string>;
    content: unknown;
  } {
    const { path, query, token, body } = request;
    if (path === "/token") return this.#tokens(body as { username?: string; refresh?: string });
    const access = this.#access.get(token);
    if (!access || access.until <= this.#now()) return { status: 401, content: {} };
    const [, resource = "", id] = path.split("/");
    this.#counts.requests[resource] = (this.#counts.requests[resource] ?? 0) + 1;
    if (!this.#isWithinLimit(access.account)) {
      this.#counts.refused += 1;
      return { status: 429, headers: this.#waitHeaders(), content: {} };
    }
    if (this.#control.forbid?.includes(resource)) return { status: 403, content: {} };
    return this.#resource(resource, id, query);
  }

  #resource(
    resource: string,
    id: string | undefined,
    query: URLSearchParams,
  ): { status: number; content: unknown } {
    if (resource === "me") return { status: 200, content: { name: "Pat Example" } };
    if (resource === "groups")
      return { status: 200, content: [{ id: "g1", name: "Everybody", type: "team" }] };
    if (resource === "changes") return this.#changesAfter(Number(query.get("after") ?? 0));
    if (resource !== "people") return { status: 404, content: {} };
    if (this.#fails(id)) return { status: 500, content: {} };
    if (id === undefined) {
      const offset = Number(query.get("offset") ?? 0);
      return { status: 200, content: { ids: this.#ids.slice(offset, offset + 100) } };
    }
    return this.#ids.includes(id) && !this.#control.lose?.includes(id)
      ? { status: 200, content: this.#person(id) }
      : { status: 404, content: {} };
  }

  #fails(id: string | undefined): boolean {
    const { fail } = this.#control;
    if (!fail || fail.times === 0 || !(Number(id) >= Number(fail.from))) return false;
    fail.times -= 1;
    return true;
  }

  #changesAfter(after: number): { status: number; content: unknown } {
    if (after < this.#firstChange) return { status: 410, content: {} };
    const next = this.#firstChange + this.#changes.length;
    return {
      status: 200,
      content: { next, changes: this.#changes.slice(after - this.#firstChange) },
    };
  }

  #person(id: string): Record<string, unknown> {
    const person = {
      id,
      first: `First ${id}`,
      last: `Last ${id}`,
      jobTitle: this.#promoted.has(id)
        ? "Head"
        : (this.#control.jobTitle ?? `Job ${Number(id) % 7}`),
      email: `p${id}@people.example`,
    };
    const hidden = new Set(this.#control.hide);
    return Object.fromEntries(Object.entries(person).filter(([field]) => !hidden.has(field)));
  }

  #tokens({ username, refresh }: { username?: string; refresh?: string }): {
    status: number;
    content: unknown;
  } {
    if (refresh !== undefined) {
      const account = this.#refresh.get(refresh);
      if (account === undefined) {
        this.#counts.refusedRefreshes += 1;
        return { status: 400, content: { error: "invalid_grant" } };
      }
      this.#refresh.delete(refresh);
      this.#counts.refreshes += 1;
      return { status: 200, content: this.#issue(account) };
    }
    return { status: 200, content: this.#issue(username ?? "") };
  }

  #issue(account: string): { access: string; refresh: string } {
    const issued = { access: randomUUID(), refresh: randomUUID() };
    const seconds = this.#options.tokenSeconds ?? 0;
    const until = seconds === 0 ? Infinity : this.#now() + seconds * 1000;
    this.#access.set(issued.access, { account, until });
    this.#refresh.set(issued.refresh, account);
    return issued;
  }

  #isWithinLimit(account: string): boolean {
    const perMinute = this.#control.perMinute ?? this.#options.perMinute ?? Infinity;
    const since = this.#now() - minuteMs;
    const times = (this.#times.get(account) ?? []).filter((at) => at > since);
    this.#times.set(account, times);
    if (times.length >= perMinute) return false;
    times.push(this.#now());
    return true;
  }

  #waitHeaders(): Record<string, string> {
    switch (this.#control.spelling ?? "seconds") {
      case "seconds":
        return { "retry-after": "3" };
      case "date":
        return { "retry-after": new Date(this.#now() + 3_000).toUTCString() };
      case "none":
        return {};
    }
  }
}

function idsUpTo(count: number): string[] {
  return Array.from({ length: count }, (_, index) => String(index + 1));
}

export async function startPeopleVendor(options: PeopleVendorOptions = {}): Promise<PeopleVendor> {
  const desk = new PeopleDesk(options);
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://vendor");
    const body = request.method === "POST" ? await json(request) : undefined;
    const send = (status: number, content: unknown, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(JSON.stringify(content));
    };
    if (pathname === "/__requests") return send(200, desk.counts);
    if (pathname === "/__control") {
      desk.control(body as PeopleControl);
      return send(200, {});
    }
    if (options.delayMs) await new Promise((resolve) => setTimeout(resolve, options.delayMs));
    await options.beforeAnswer?.(pathname);
    const token = request.headers.authorization?.replace("Bearer ", "") ?? "";
    const answer = desk.answer({ path: pathname, query: searchParams, token, body });
    send(answer.status, answer.content, answer.headers);
  };
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    handle(request, response).catch(() => response.destroy());
  }).listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts: () => desk.counts,
    control: (change) => desk.control(change),
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

if (import.meta.main)
  await runProgram(["port", "people", "per-minute", "token-seconds", "delay-ms"], async (given) => {
    const vendor = await startPeopleVendor({
      port: given.number("port"),
      people: given.number("people"),
      perMinute: given.number("per-minute"),
      tokenSeconds: given.number("token-seconds"),
      delayMs: given.number("delay-ms"),
    });
    return { url: vendor.url };
  });

import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { FakeBusiness, Wire } from "./employment-hero-company.ts";

export interface FakeKey {
  key: string;
  user: Wire;
  businesses: readonly number[];
  access?: "Unrestricted" | "Restricted";
  /** Paths behind the business that the user may not read. */
  forbids?: RegExp;
}

export interface HeroAnswer {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** As it is, in place of JSON. */
  raw?: string;
}

export interface SeenHeroRequest {
  path: string;
  query: Readonly<Record<string, string>>;
}

const mostOnPage = 100;
const notFound: HeroAnswer = { status: 404, body: { message: "Not found" } };

/** A server that answers as Employment Hero Payroll does, as far as its client library tells it. */
export class FakeEmploymentHero {
  readonly requests: SeenHeroRequest[] = [];
  keys: FakeKey[];
  interfere: (request: SeenHeroRequest) => HeroAnswer | undefined = () => undefined;
  readonly #businesses: readonly FakeBusiness[];
  readonly #server: Server;

  constructor(businesses: readonly FakeBusiness[], keys: FakeKey[]) {
    this.#businesses = businesses;
    this.keys = keys;
    this.#server = createServer((request, response) => this.#serve(request, response));
  }

  async start(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return this.origin;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  /** Without a socket: a path with its query, and the header that proves who asks. */
  answer(path: string, authorization = ""): HeroAnswer {
    const url = new URL(path, "http://payroll.invalid");
    const request = { path: url.pathname, query: Object.fromEntries(url.searchParams) };
    this.requests.push(request);
    return this.interfere(request) ?? this.#route(request, authorization);
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const { status, headers, body, raw } = this.answer(
      request.url ?? "/",
      request.headers.authorization,
    );
    response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers });
    response.end(raw ?? JSON.stringify(body ?? {}));
  }

  #route({ path, query }: SeenHeroRequest, authorization: string): HeroAnswer {
    const [scheme, credentials = ""] = authorization.split(" ");
    const typed = Buffer.from(credentials, "base64").toString();
    const key = this.keys.find((one) => scheme === "Basic" && `${one.key}:` === typed);
    if (!key) return { status: 401, body: { message: "Unauthorized" } };
    if (path === "/api/v2/user") return ok(key.user);
    const own = this.#businesses.filter(({ record }) =>
      key.businesses.includes(Number(record["id"])),
    );
    if (path === "/api/v2/business")
      return toPage(
        own.map(({ record }) => record),
        query,
      );
    const [, id, rest = ""] = /^\/api\/v2\/business\/(\d+)(?:\/(.*))?$/.exec(path) ?? [];
    const of = own.find(({ record }) => String(record["id"]) === id);
    if (!of) return notFound;
    if (key.forbids?.test(rest)) return { status: 403, body: { message: "Forbidden" } };
    if (rest === "access/user")
      return query["email"] === key.user["email"]
        ? ok({ accessType: key.access ?? "Unrestricted" })
        : notFound;
    return answerOf(of, rest, query);
  }
}

function answerOf(of: FakeBusiness, rest: string, query: SeenHeroRequest["query"]): HeroAnswer {
  const lists: Readonly<Record<string, Wire[]>> = {
    "employee/unstructured": of.people,
    payschedule: of.schedules,
    location: of.locations,
    employingentity: of.entities.filter(
      (one) => one["isDeactivated"] !== true || query["includeInactive"] === "true",
    ),
    paycategory: of.payCategories,
    leavecategory: of.leaveCategories,
    payrun: of.payruns,
    timesheet: of.timesheets,
  };
  if (rest === "") return ok(of.record);
  const list = lists[rest];
  if (list) return toPage(list, query);
  if (rest === "leaverequest") return ok(of.leave.filter((one) => liesWithin(one, query)));
  if (rest === "report/leavebalances")
    return query["AsAtDate"] === undefined ? { status: 400 } : ok(of.balances);
  const [, id = "", kind] = /^payrun\/(\d+)(?:\/(payslips|details))?$/.exec(rest) ?? [];
  const run = of.payruns.find((one) => String(one["id"]) === id);
  if (!run) return notFound;
  if (kind === "payslips") return ok(of.slips[id] ?? {});
  return kind === "details" ? ok({ payRun: run, payRunTotals: of.totals[id] ?? [] }) : ok(run);
}

function ok(body: unknown): HeroAnswer {
  return { status: 200, body };
}

/** Nothing of leave that crosses the ends of the range. */
function liesWithin(one: Wire, { FromDate = "", ToDate = "9999" }: SeenHeroRequest["query"]) {
  return dayOf(one["fromDate"]) >= FromDate && dayOf(one["toDate"]) <= ToDate;
}

function dayOf(value: unknown): string {
  return String(value).slice(0, 10);
}

const condition = /^(\w+) (ge|lt) datetime'(.{19})'$/;

/** OData, as far as it is taken: a page has 100 at most, and more are refused. */
function toPage(list: readonly Wire[], query: SeenHeroRequest["query"]): HeroAnswer {
  const top = Number(query["$top"] ?? mostOnPage);
  if (top > mostOnPage) return { status: 400, body: { message: "The limit of $top is 100" } };
  const conditions = (query["$filter"] ?? "").split(" and ").filter((one) => one !== "");
  const found = list.filter((one) =>
    conditions.every((written) => {
      const [, field = "", operator, moment = ""] = condition.exec(written) ?? [];
      const value = String(one[field.slice(0, 1).toLowerCase() + field.slice(1)]);
      return operator === "ge" ? value >= moment : operator === "lt" && value < moment;
    }),
  );
  const sorted = query["$orderby"] === "Id" ? found.toSorted(byId) : found;
  const skip = Number(query["$skip"] ?? 0);
  return ok(sorted.slice(skip, skip + top));
}

function byId(one: Wire, other: Wire): number {
  return Number(one["id"]) - Number(other["id"]);
}

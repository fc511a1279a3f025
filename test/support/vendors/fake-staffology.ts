import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { FakeRun, Wire } from "./staffology-payroll.ts";
import { findViolations } from "./staffology-description.ts";

export interface FakeEmployer {
  record: Wire;
  staff: Wire[];
  departments: { code: string; title: string }[];
  costCentres: { code: string; title: string }[];
  payCodes: Wire[];
  runs: FakeRun[];
  /** By employee. */
  leave: Readonly<Record<string, Wire[]>>;
}

export interface FakeKey {
  key: string;
  account: Wire;
  /** The ids of the employers in each list of `employerListType`. */
  employers: Readonly<Record<string, readonly string[]>>;
  /** Paths that the role of the user does not allow. */
  forbids?: RegExp;
}

/** An answer in place of the server's own. */
export interface Interference {
  status: number;
  headers?: Record<string, string>;
  body: string;
}

export interface SeenRequest {
  method: string;
  path: string;
  query: Readonly<Record<string, string>>;
}

type Answer = { status: number; body?: unknown };
type Handle = (
  request: SeenRequest & { parts: string[]; body: unknown; of: FakeEmployer },
) => Answer;

/** The most whole records that one request of the list gives. */
const mostListed = 50;
const notFound: Answer = { status: 404 };
/** Stubs name a host that is not the vendor's own: nobody may follow them. */
const elsewhere = "https://elsewhere.invalid";

/** A server that answers as the description of Staffology says, for the employers and keys of a test. */
export class FakeStaffology {
  readonly requests: SeenRequest[] = [];
  /** What the description does not allow in the requests that came. */
  readonly violations: string[] = [];
  /** No page has more, whatever is asked for. */
  mostOnPage = Number.POSITIVE_INFINITY;
  ignoresPages = false;
  interfere: (request: SeenRequest) => Interference | undefined = () => undefined;
  keys: FakeKey[];
  readonly #employers: readonly FakeEmployer[];
  readonly #server: Server;

  static async start(employers: readonly FakeEmployer[], keys: FakeKey[]): Promise<FakeStaffology> {
    const fake = new FakeStaffology(employers, keys);
    fake.#server.listen(0, "127.0.0.1");
    await once(fake.#server, "listening");
    return fake;
  }

  private constructor(employers: readonly FakeEmployer[], keys: FakeKey[]) {
    this.#employers = employers;
    this.keys = keys;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://staffology");
    const { method = "GET", headers } = request;
    const body = method === "POST" ? await json(request) : undefined;
    const query = Object.fromEntries(url.searchParams);
    const seen = { method, path: url.pathname, query };
    this.requests.push(seen);
    // What has no key is no adapter's, but a probe of a service that had this port before.
    if (headers.authorization) this.violations.push(...findViolations({ ...seen, body }));
    const interference = this.interfere(seen);
    if (interference)
      return void response
        .writeHead(interference.status, interference.headers)
        .end(interference.body);
    const { status, body: reply } = this.#route(seen, body, headers.authorization);
    const type = status === 200 ? "application/json; charset=utf-8" : "application/problem+json";
    const problem = { title: "One or more validation errors occurred.", status };
    response.writeHead(status, { "content-type": type }).end(JSON.stringify(reply ?? problem));
  }

  #route(seen: SeenRequest, body: unknown, authorization = ""): Answer {
    const [scheme, credentials = ""] = authorization.split(" ");
    const [, password] = Buffer.from(credentials, "base64").toString().split(":");
    const key = this.keys.find((one) => scheme === "Basic" && one.key === password);
    if (!key) return { status: 401 };
    if (key.forbids?.test(seen.path)) return { status: 403 };
    const [room, employerId, ...parts] = seen.path.slice(1).split("/").map(decodeURIComponent);
    if (room === "account") return { status: 200, body: key.account };
    if (employerId === undefined) return this.#listEmployers(key, seen);
    const of = this.#employers.find(({ record }) => record["id"] === employerId);
    const isSeen = Object.values(key.employers).some((ids) => ids.includes(employerId));
    if (!of || !isSeen) return notFound;
    const [kind = "", ...rest] = parts;
    const handle = this.#handlers[kind];
    return handle ? handle({ ...seen, parts: rest, body, of }) : notFound;
  }

  #listEmployers({ employers }: FakeKey, { query }: SeenRequest): Answer {
    const ids = employers[query["employerListType"] ?? "Owned"] ?? [];
    const stubs = ids.map((id) => {
      const record = this.#employers.find((one) => one.record["id"] === id)?.record ?? {};
      return stubOf(id, String(record["name"]), `/employers/${id}`);
    });
    return { status: 200, body: this.#page(stubs, query) };
  }

  readonly #handlers: Readonly<Record<string, Handle>> = {
    "": ({ of }) => ({ status: 200, body: of.record }),
    departments: ({ of }) => ({
      status: 200,
      body: of.departments.map(({ code, title }) =>
        stubOf(`department ${code}`, title, `/employers/1/departments/${encodeURIComponent(code)}`),
      ),
    }),
    costcentres: ({ of }) => ({
      status: 200,
      body: of.costCentres.map(({ code, title }) =>
        stubOf(
          `cost centre ${code}`,
          title,
          `/employers/1/costcentres/costcentre?code=${encodeURIComponent(code)}`,
        ),
      ),
    }),
    paycodes: ({ of, query }) => ({
      status: 200,
      body:
        query["verbose"] === "true"
          ? of.payCodes
          : of.payCodes.map(({ code }) => stubOf(String(code), String(code), "/paycodes/1")),
    }),
    schedules: ({ of, parts: [taxYear = ""] }) => listSchedules(of, taxYear),
    employees: (request) => this.#answerEmployees(request),
    payrun: (request) => this.#answerPayrun(request),
  };

  readonly #answerEmployees: Handle = ({ of, parts, query, body }) => {
    const [id, kind, leaveId] = parts;
    if (id === undefined) {
      const staff = of.staff.filter(({ status }) => !query["status"] || status === query["status"]);
      const stubs = staff.map((one) => stubOf(String(one["id"]), "somebody", "/employees/1"));
      return { status: 200, body: this.#page(stubs, query) };
    }
    if (id === "list") {
      const ids = body as string[];
      if (ids.length > mostListed) return { status: 400 };
      return { status: 200, body: of.staff.filter((one) => ids.includes(String(one["id"]))) };
    }
    const employee = of.staff.find((one) => one["id"] === id);
    if (!employee) return notFound;
    if (kind === undefined) return { status: 200, body: employee };
    const leave = of.leave[id] ?? [];
    if (leaveId === undefined)
      return {
        status: 200,
        body: leave.map((one) => stubOf(String(one["id"]), "leave", "/leave")),
      };
    const found = leave.find((one) => one["id"] === leaveId);
    return found ? { status: 200, body: found } : notFound;
  };

  readonly #answerPayrun: Handle = ({ of, parts, query }) => {
    const [taxYear, payPeriod, period, entryId] = parts;
    const { ordinal = "1", version } = query;
    const versions = of.runs.filter(
      (run) =>
        run.taxYear === taxYear &&
        run.payPeriod === payPeriod &&
        String(run.period) === period &&
        String(run.ordinal) === ordinal,
    );
    if (entryId !== undefined) {
      const isDifference = query["differenceOnly"] === "true";
      const entries = versions.flatMap((run) => (isDifference && run.differences) || run.entries);
      const entry = entries.find((one) => one["id"] === entryId);
      return entry ? { status: 200, body: entry } : notFound;
    }
    const newest = Math.max(...versions.map((run) => run.version));
    const run = versions.find((one) => one.version === Number(version ?? newest));
    if (!run) return notFound;
    const listed = run.entries.filter(
      (entry) => query["rolledBackOnly"] !== "true" || entry["isRolledBack"],
    );
    const stubs = listed.map((entry) => stubOf(String(entry["id"]), "somebody", "/payrun/1"));
    const { entries: _entries, differences: _differences, ...head } = run;
    return { status: 200, body: { ...head, entries: this.#page(stubs, query) } };
  };

  #page<Item>(
    items: readonly Item[],
    { pageNum, pageSize }: SeenRequest["query"],
  ): readonly Item[] {
    if (this.ignoresPages || pageSize === undefined) return items;
    const size = Math.min(Number(pageSize), this.mostOnPage);
    return items.slice(Number(pageNum) * size, (Number(pageNum) + 1) * size);
  }
}

function stubOf(id: string, name: string, path: string): Wire {
  return { id, name, metadata: null, url: elsewhere + path };
}

/** A tax year that the employer does not have is refused. */
function listSchedules({ runs }: FakeEmployer, taxYear: string): Answer {
  const ofYear = runs.filter((run) => run.taxYear === taxYear);
  if (ofYear.length === 0) return { status: 400 };
  const byOrdinal = Map.groupBy(ofYear, ({ payPeriod, ordinal }) => `${payPeriod} ${ordinal}`);
  const schedules = [...byOrdinal.values()].map((own) => {
    const { payPeriod, ordinal } = own[0]!;
    const periods = [...new Set(own.map(({ period }) => period))];
    return {
      payPeriod,
      ordinal,
      taxYear,
      name: `${payPeriod} ${ordinal}`,
      lastPeriodNumber: Math.max(...periods),
      payRuns: periods.map((period) =>
        stubOf(`run ${period}`, "Month", `/employers/1/payrun/${taxYear}/${payPeriod}/${period}`),
      ),
    };
  });
  return { status: 200, body: schedules };
}

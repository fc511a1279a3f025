import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  createPeople,
  createTables,
  fields,
  hibobNow,
  toNamedLists,
  wordOf,
  type HibobCompany,
  type Wire,
} from "./hibob-people.ts";
import { createBalances, createChanges, createEntries, createOuts } from "./hibob-time.ts";

/** An answer in place of the server's own. `cut-off` ends it in the middle. */
export interface HibobAnswer {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
}

export interface HibobRequest {
  method: string;
  /** Behind `/v1`. */
  path: string;
  query: Readonly<Record<string, string>>;
  headers: Readonly<Record<string, unknown>>;
  body: string;
}

export const serviceUser = { id: "SERVICE-4711", token: "token-marker-hibob" };
export const otherUser = { id: "SERVICE-4712", token: "token-marker-other" };

const createCompany = (people = createPeople(60)): HibobCompany => ({
  people,
  tables: createTables(),
  outs: createOuts(),
  changes: createChanges(),
  policies: { Holiday: "days", "Sick leave": "days", Doctor: "hours" },
  balances: createBalances(),
  entries: createEntries(),
});

const dayMs = 86_400_000;
const daysBetween = (from = "", to = ""): number => (Date.parse(to) - Date.parse(from)) / dayMs;

/** A minute's requests of a service user, by the beginnings of paths. */
const limits: readonly (readonly [start: string, perMinute: number])[] = [
  ["/people/search", 50],
  ["/timeoff/employees/", 50],
  ["/attendance/", 200],
  ["/", 50],
];
/** What each path takes in its query. */
const parameters: Readonly<Record<string, string>> = {
  "GET /company/people/fields": "",
  "GET /company/named-lists": "includeArchived",
  "POST /people/search": "",
  "POST /attendance/entries/search": "",
  "GET /timeoff/whosout": "from,to,includeHourly,includePrivate,includePending",
  "GET /timeoff/requests/changes": "since,to,includePending",
  "GET /timeoff/policy-types": "",
  "GET /timeoff/policy-types/{name}": "",
  "GET /timeoff/employees/{id}/balance": "policyType,date",
  "GET /bulk/people/{table}": "limit,cursor,employeeIds",
};

/** Ends an answer with the status that Bob gives for what is asked wrongly. */
class Refused extends Error {
  readonly status: number;
  constructor(status: number, why: string) {
    super(why);
    this.status = status;
  }
}

function require(condition: boolean, why: string, status = 400): void {
  if (!condition) throw new Refused(status, why);
}

/** A server that answers as Bob does, and refuses what Bob would refuse. */
export class FakeHibob {
  readonly requests: HibobRequest[] = [];
  company: HibobCompany = createCompany();
  fields = fields;
  users: (typeof serviceUser)[] = [serviceUser];
  now = (): Date => hibobNow;
  /** Categories of fields that are hidden, of everybody or of these people. */
  hidden: Record<string, "everybody" | readonly string[]> = {};
  /** Those whom the service user sees; everybody unless said otherwise. */
  audience: readonly string[] | undefined;
  /** Beginnings of paths that are refused with 403. */
  forbidden: readonly string[] = [];
  /** Modules that were not bought. */
  missing: readonly string[] = [];
  /** Ids of people whose tables are refused in an answer with the others. */
  unseen: readonly string[] = [];
  /** Records have each field once as its path, once flat, or both. */
  shape: "both" | "nested" | "flat" = "nested";
  interfere: (request: HibobRequest) => HibobAnswer | "cut-off" | undefined = () => undefined;
  /** Refuses more requests of a minute than Bob takes. */
  countsMinutes = false;
  /** Blocks who goes on after a second refusal. */
  hasFirewall = false;
  /** How often that was. */
  refused = 0;
  #refusals = 0;
  readonly #asked = new Map<string, number[]>();
  #server: Server | undefined;

  static async start(): Promise<FakeHibob> {
    const fake = new FakeHibob();
    fake.#server = createServer((request, response) => void fake.#serve(request, response));
    fake.#server.listen(0, "127.0.0.1");
    await once(fake.#server, "listening");
    return fake;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "", url = "", headers } = request;
    const told = this.answer({ method, url, headers, body: Buffer.concat(chunks).toString() });
    if (told === "cut-off") {
      response.writeHead(200, { "content-type": "application/json", "content-length": "9000" });
      return void response.write('{"employees":[', () => response.destroy());
    }
    const json = { "content-type": "application/json", ...told.headers };
    response.writeHead(told.status, json).end(JSON.stringify(told.body ?? { error: "refused" }));
  }

  get origin(): string {
    const address = this.#server?.address() as AddressInfo | undefined;
    return `http://127.0.0.1:${address?.port}`;
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((done) => this.#server?.close(done));
  }

  answer({
    url,
    ...asked
  }: Pick<HibobRequest, "method" | "headers" | "body"> & { url: string }): HibobAnswer | "cut-off" {
    const { pathname, searchParams } = new URL(url, "http://bob");
    const path = pathname.replace(/^\/v1/, "");
    const request = { ...asked, path, query: Object.fromEntries(searchParams) };
    this.requests.push(request);
    try {
      require(pathname.startsWith("/v1/"), "no version", 404);
      this.#admit(request);
      return this.interfere(request) ?? { status: 200, body: this.#route(request) };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const reset = Math.floor(this.now().getTime() / 60_000) * 60 + 60;
      const headers = { "x-ratelimit-reset": String(reset) };
      const body = { key: "refused", error: error.message };
      return { status: error.status, body, ...(error.status === 429 && { headers }) };
    }
  }

  #admit({ path, headers }: HibobRequest): void {
    // A firewall in front of Bob.
    require(!this.hasFirewall || this.#refusals < 2, "blocked", 403);
    const known = this.users.some(
      ({ id, token }) =>
        headers["authorization"] === `Basic ${Buffer.from(`${id}:${token}`).toString("base64")}`,
    );
    if (!known) this.#refusals += 1;
    require(known, "unauthorized", 401);
    const [start, perMinute] = limits.find(([beginning]) => path.startsWith(beginning)) ?? ["", 0];
    const nowMs = this.now().getTime();
    const recent = (this.#asked.get(start) ?? []).filter((at) => at > nowMs - 60_000);
    const isTooMany = this.countsMinutes && recent.length >= perMinute;
    this.refused += isTooMany ? 1 : 0;
    require(!isTooMany, "slow down", 429);
    this.#asked.set(start, [...recent, nowMs]);
  }

  #route(request: HibobRequest): unknown {
    const { method, path, query } = request;
    const [name, given] = this.#find(path);
    const allowed = parameters[`${method} ${name}`];
    require(Object.keys(parameters).some((one) => one.endsWith(` ${name}`)), "no such path", 404);
    require(allowed !== undefined, "no such method", 405);
    require(!this.missing.some((start) => path.startsWith(start)), "no such module", 404);
    require(!this.forbidden.some((start) => path.startsWith(start)), "forbidden", 403);
    const unknown = Object.keys(query).filter((one) => !allowed?.split(",").includes(one));
    require(unknown.length === 0, `unknown parameters ${unknown.join(", ")}`);
    require(method === "GET" ||
      request.headers["content-type"] === "application/json", "no JSON", 415);
    switch (name) {
      case "/company/people/fields":
        return this.fields;
      case "/company/named-lists":
        return { lists: toNamedLists() };
      case "/people/search":
        return this.#search(JSON.parse(request.body) as Wire);
      case "/attendance/entries/search":
        return this.#listEntries(JSON.parse(request.body) as Wire);
      case "/timeoff/whosout":
        return { outs: this.#listOut(query) };
      case "/timeoff/requests/changes":
        return { changes: this.#listChanges(query) };
      case "/timeoff/policy-types":
        return { policyTypes: Object.keys(this.company.policies) };
      case "/timeoff/policy-types/{name}":
        require(given in this.company.policies, "no such type", 404);
        require(!(given in this.unanswered), "no answer for this type", this.unanswered[given]);
        return {
          name: given,
          unit: this.company.policies[given],
          activity: this.activityOf(given),
        };
      case "/timeoff/employees/{id}/balance":
        return this.#balanceOf(given, query);
      default:
        return this.#listRows(given as keyof HibobCompany["tables"], query);
    }
  }

  /** The path as it is described, and what stands for its variable part. */
  #find(path: string): [name: string, given: string] {
    const [, room = "", of = "", which = "", last] = path.split("/").map(decodeURIComponent);
    if (room === "bulk" && which in this.company.tables) return ["/bulk/people/{table}", which];
    if (of === "employees" && last === "balance") return ["/timeoff/employees/{id}/balance", which];
    if (of === "policy-types" && which !== "" && last === undefined)
      return ["/timeoff/policy-types/{name}", which];
    return [path, ""];
  }

  #seen(): HibobCompany["people"] {
    const { audience } = this;
    const { people } = this.company;
    return audience ? people.filter((one) => audience.includes(String(one["root.id"]))) : people;
  }

  #search({ fields: asked, filters, showInactive, humanReadable, ...others }: Wire): unknown {
    require(Object.keys(others).length === 0, `unknown ${Object.keys(others).join(", ")}`);
    require(Array.isArray(asked) && asked.length > 0 && asked.length <= 400, "fields");
    require(showInactive === true, "leavers were not asked for");
    const hasWords = humanReadable === "APPEND";
    const isProof = humanReadable === undefined && String(asked) === "root.companyId";
    require(hasWords || isProof, "the words were not asked for");
    const ids = filters === undefined ? undefined : toIds(filters);
    const isWanted = (one: Wire): boolean => ids?.has(String(one["root.id"])) ?? true;
    const found = this.#seen().filter(isWanted);
    const records = found.map((one) => this.#toRecord(one, asked as string[]));
    return { employees: hasWords ? records : records.map(withoutWords) };
  }

  /** What is hidden, and what there is not, is left out. */
  #toRecord(person: Wire, asked: readonly string[]): Wire {
    const record: Wire = {};
    const words: Wire = {};
    for (const { id, categoryId, category = "", jsonPath, typeData } of fields) {
      const hidden = this.hidden[categoryId ?? category];
      const isHidden = hidden === "everybody" || hidden?.includes(String(person["root.id"]));
      if (!asked.includes(id) || isHidden) continue;
      const value = (person[id] ?? null) as string | number | readonly string[] | null;
      if (this.shape !== "flat") put(record, jsonPath, value);
      if (this.shape !== "nested") record[`/${id.replaceAll(".", "/")}`] = { value };
      const named = [value].flat().map((one) => wordOf(typeData?.listId ?? "", String(one)));
      const word = typeData
        ? Array.isArray(value)
          ? named.join(", ")
          : named[0]
        : toDisplay(value);
      if (value !== null) put(words, jsonPath, word);
    }
    return { ...record, humanReadable: words };
  }

  #listRows(
    table: keyof HibobCompany["tables"],
    { limit = "50", cursor = "from/0+" }: HibobRequest["query"],
  ): unknown {
    require(Number(limit) > 0 && Number(limit) <= 200, "limit");
    const from = /^from\/(\d+)\+$/.exec(cursor)?.[1];
    require(from !== undefined, "cursor");
    const rows = this.#seen().flatMap((one) => {
      const id = String(one["root.id"]);
      const own = this.unseen.includes(id) ? [] : (this.company.tables[table][id] ?? []);
      return own.map((row) => ({ id, row }));
    });
    const end = Number(from) + Math.min(Number(limit), this.rowsAtMost);
    const page = Map.groupBy(rows.slice(Number(from), end), ({ id }) => id);
    const unseen = this.unseen.map((id) => ({ [id]: { error: "MISSING_PERMISSION" } }));
    return {
      results: [...page].map(([employeeId, of]) => ({
        employeeId,
        values: of.map(({ row }) => row),
      })),
      ...(unseen.length > 0 && { errors: unseen }),
      response_metadata: { next_cursor: end < rows.length ? `from/${end}+` : null },
    };
  }

  /** Types of policies of the list that are refused by their names, each with its status. */
  unanswered: Record<string, number> = {};

  /** Of a type of policies: what people do while they are out. */
  activityOf = (_policy: string): string => "paidTimeoff";

  /** Fewer rows than were asked for. */
  rowsAtMost = 200;

  #listOut(query: HibobRequest["query"]): Wire[] {
    const { from = "", to = "", includeHourly, includePrivate, includePending } = query;
    require(daysBetween(from, to) >= 0, "from and to");
    const present = new Set(
      this.#seen()
        .filter((one) => wordOf("status", String(one["internal.status"])) !== "Inactive")
        .map((one) => one["root.id"]),
    );
    return this.company.outs.filter((one) => {
      const start = String(one["startDate"] ?? one["date"]);
      const end = (one["endDate"] ?? one["date"] ?? "9999") as string;
      return (
        present.has(one["employeeId"]) &&
        start <= to &&
        end >= from &&
        (includeHourly === "true" || one["type"] !== "hours") &&
        (includePrivate === "true" || one["visibility"] === "Public") &&
        (includePending === "true" || one["status"] !== "Pending")
      );
    });
  }

  /** Bob tells changes of six months, and needs a time with its zone. */
  #listChanges({ since = "", includePending }: HibobRequest["query"]): Wire[] {
    require(/^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/.test(since), "since");
    require(daysBetween(since, this.now().toISOString()) <= 184, "more than six months");
    return this.company.changes
      .filter(({ on }) => on >= since.slice(0, 10))
      .map(({ change }) => change)
      .filter((one) => includePending === "true" || one["changeType"] !== "Pending");
  }

  #balanceOf(id: string, { policyType = "", date = "" }: HibobRequest["query"]): Wire {
    require(/^\d{4}-\d{2}-\d{2}$/.test(date) && policyType in this.company.policies, "query");
    const told = this.company.balances[id]?.[policyType];
    if (!told) throw new Refused(404, "the person has no policy of this type");
    return { employeeId: id, pointInTime: date, ...told };
  }

  #listEntries({ fields: asked, filters, limit, cursor = "from/0+", ...others }: Wire): unknown {
    require(Object.keys(others).length === 0, `unknown ${Object.keys(others).join(", ")}`);
    require(Array.isArray(asked) && Array.isArray(filters) && Number(limit) <= 200, "body");
    const of = (name: string, operator: string): string[] =>
      (filters as Wire[])
        .filter(
          (one) => one["fieldId"] === `/attendanceEntry/${name}` && one["operator"] === operator,
        )
        .flatMap((one) => one["values"] as string[]);
    const [ids, from, to] = [
      of("employeeId", "equals"),
      of("clockInDate", "from")[0],
      of("clockInDate", "to")[0],
    ];
    require(ids.length > 0 && daysBetween(from, to) >= 0 && daysBetween(from, to) < 33, "filters");
    const start = Number(/^from\/(\d+)\+$/.exec(String(cursor))?.[1]);
    const found = this.company.entries.filter(
      (one) =>
        ids.includes(String(one["employeeId"])) &&
        String(one["clockInDate"]) >= String(from) &&
        String(one["clockInDate"]) <= String(to),
    );
    const end = start + Math.min(Number(limit), this.rowsAtMost);
    const items = found.slice(start, end).map((one) => ({
      fields: Object.fromEntries(
        (asked as string[]).map((id) => [
          id,
          { value: one[id.replace("/attendanceEntry/", "")] ?? null },
        ]),
      ),
    }));
    const next = end < found.length ? `from/${end}+` : null;
    return { items, response_metadata: { next_cursor: next } };
  }
}

/** Bob knows one filter, of ids or emails. */
function toIds(filters: unknown): ReadonlySet<string> {
  const [filter, ...others] = Array.isArray(filters) ? (filters as Wire[]) : [];
  const { fieldPath, operator, values } = filter ?? {};
  require(others.length === 0 && fieldPath === "root.id" && operator === "equals", "filters");
  require(Array.isArray(values) && values.length > 0 && values.length <= 200, "values");
  return new Set(values as string[]);
}

/** Dates are written as the user likes them. */
function toDisplay(value: unknown): unknown {
  const date = /^(\d{4})-(\d{2})-(\d{2})$/.exec(String(value));
  return date ? `${date[3]}/${date[2]}/${date[1]}` : value;
}

function put(record: Wire, path: string, value: unknown): void {
  const names = path.split(".");
  const last = names.pop() ?? "";
  let part = record;
  for (const name of names) part = (part[name] ??= {}) as Wire;
  part[last] = value;
}

function withoutWords({ humanReadable: _words, ...record }: Wire): Wire {
  return record;
}

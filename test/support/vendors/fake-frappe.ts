import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  childrenOf,
  createFrappeSite,
  fieldsOf,
  type FrappeSite,
  type Wire,
} from "./frappe-site.ts";

/** An answer in place of the site's own. `cut-off` ends it in the middle. */
export interface FrappeAnswer {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

export interface SeenFrappeRequest {
  method: string;
  /** Decoded. */
  path: string;
  query: Readonly<Record<string, string>>;
  headers: Readonly<Record<string, unknown>>;
}

type Answer = { status: number; body: object };
type Filter = [field: string, operator: string, value: unknown];

export const frappeKey = "key-marker-frappe";
export const frappeSecret = "secret-marker-frappe";
export const frappeUser = "rollcall@lind.example";

const parametersOfList = new Set(["fields", "filters", "order_by", "limit_page_length", "parent"]);
const headersTaken = new Set([
  "accept",
  "accept-encoding",
  "authorization",
  "connection",
  "host",
  "user-agent",
]);
/** Of the first line of a request, as the server in front of Frappe takes it. */
const mostOfLine = 4_094;
/** What a site gives to whom does not say how many. */
const usualPage = 20;

/** A site that answers as Frappe does, and takes nothing that Frappe would not. */
export class FakeFrappe {
  readonly requests: SeenFrappeRequest[] = [];
  site: FrappeSite = createFrappeSite();
  version = "15.38.4";
  /** From the header of a key to its user. */
  users: Record<string, string> = {
    [`token ${frappeKey}:${frappeSecret}`]: frappeUser,
    "token other-key-frappe:other-secret-frappe": "other@lind.example",
  };
  /** Kinds of documents that no role of the user reads. */
  forbidden: readonly string[] = [];
  /** Kinds of documents that the site lacks. */
  absent: readonly string[] = [];
  /** Fields of a level that the user does not read. */
  hidden: Readonly<Record<string, readonly string[]>> = {};
  /** By kind, the names of the documents that are shared with the user. */
  shared: Readonly<Record<string, readonly string[]>> = {};
  /** Kinds of documents of which the user reads what they made. */
  owned: readonly string[] = [];
  userPermissions: Readonly<
    Record<string, readonly { doc: string; applicable_for: string | null }[]>
  > = {};
  /** Methods that the version lacks. */
  methodsAbsent: readonly string[] = [];
  interfere: (request: SeenFrappeRequest) => FrappeAnswer | "cut-off" | undefined = () => undefined;
  readonly #server: Server;

  static async start(): Promise<FakeFrappe> {
    const fake = new FakeFrappe();
    fake.#server.listen(0, "127.0.0.1");
    await once(fake.#server, "listening");
    return fake;
  }

  constructor() {
    this.#server = createServer((request, response) => this.#serve(request, response));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? "/", "http://frappe");
    const seen = {
      method: request.method ?? "",
      path: decodeURIComponent(url.pathname),
      query: Object.fromEntries(url.searchParams),
      headers: request.headers,
    };
    const answer = this.answer(seen);
    if (answer === "cut-off") {
      response.writeHead(200, { "content-type": "application/json", "content-length": "9000" });
      return void response.write('{"data":[', () => response.destroy());
    }
    const { status, headers, body } = answer;
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(body ?? "");
  }

  answer(seen: SeenFrappeRequest): FrappeAnswer | "cut-off" {
    this.requests.push(seen);
    const own = this.interfere(seen);
    if (own) return own;
    const { status, body } = this.#route(seen);
    return { status, body: JSON.stringify(body) };
  }

  #route({ method, path, query, headers }: SeenFrappeRequest): Answer {
    const isKnown = Object.keys(headers).every((name) => headersTaken.has(name));
    if (method !== "GET" || !isKnown) return refused(417, "ValidationError");
    const line = `GET ${encodeURI(path)}?${new URLSearchParams(query).toString()} HTTP/1.1`;
    if (line.length > mostOfLine) return { status: 400, body: {} };
    const key = headers["authorization"];
    const user = key === undefined ? "Guest" : this.users[typeof key === "string" ? key : ""];
    if (user === undefined) return refused(401, "AuthenticationError");
    const [, api, kind, name = "", ...rest] = path.split("/");
    if (api !== "api" || rest.length > 0) return refused(404, "DoesNotExistError");
    if (kind === "method") return this.#call(name, query, user);
    if (user === "Guest") return refused(403, "PermissionError");
    return kind === "resource" ? this.#list(name, query, user) : refused(404, "DoesNotExistError");
  }

  #call(method: string, query: SeenFrappeRequest["query"], user: string): Answer {
    const names = Object.keys(query).toSorted().join();
    const takes = method === "frappe.client.get_doc_permissions" ? "docname,doctype" : "";
    if (this.methodsAbsent.includes(method) || names !== takes)
      return refused(417, "ValidationError");
    switch (method) {
      case "version":
        return told(this.version);
      case "frappe.client.get_time_zone":
        return told({ time_zone: this.site.zone });
      case "frappe.auth.get_logged_user":
        return told(user);
    }
    if (user === "Guest") return refused(403, "PermissionError");
    switch (method) {
      case "frappe.core.doctype.user_permission.user_permission.get_user_permissions":
        return told(this.userPermissions);
      case "frappe.client.get_doc_permissions":
        return this.#tellRights(query["doctype"] ?? "", query["docname"] ?? "");
      default:
        return refused(417, "ValidationError");
    }
  }

  #tellRights(doctype: string, docname: string): Answer {
    if (!this.#rows(doctype).some(({ name }) => name === docname))
      return refused(404, "DoesNotExistError");
    const isOwned = this.owned.includes(doctype);
    const read = this.forbidden.includes(doctype) ? 0 : 1;
    return told({ permissions: { read, write: 0, if_owner: isOwned ? { read: 1 } : {} } });
  }

  #list(doctype: string, query: SeenFrappeRequest["query"], user: string): Answer {
    const known = fieldsOf[doctype];
    if (!known || this.absent.includes(doctype)) return refused(404, "DoesNotExistError");
    if (Object.keys(query).some((name) => !parametersOfList.has(name)))
      return refused(417, "ValidationError");
    const isChild = known.includes("parenttype");
    const { parent } = query;
    if (isChild && (parent === undefined || !childrenOf[parent]?.includes(doctype)))
      return refused(403, "PermissionError");
    const owner = isChild ? (parent ?? "") : doctype;
    const isForbidden = this.forbidden.includes(owner);
    if (isForbidden && !this.shared[owner]) return refused(403, "PermissionError");
    const asked = JSON.parse(query["fields"] ?? '["name"]') as string[];
    const filters = JSON.parse(query["filters"] ?? "[]") as Filter[];
    const fields = asked.includes("*") ? known : asked;
    const isUnknown = [...fields, ...filters.map(([field]) => field)].some(
      (one) => !known.includes(one),
    );
    if (isUnknown || query["order_by"] !== "name asc") return refused(417, "ValidationError");
    const rows = this.#rows(doctype)
      .filter((row) => isChild || this.#isSeen(doctype, row, { isForbidden, user }))
      .filter((row) => filters.every((filter) => fits(row, filter)))
      .toSorted((a, b) => compare(a["name"], b["name"]));
    const shown = fields.filter((one) => !this.hidden[doctype]?.includes(one));
    const data = rows
      .slice(0, Number(query["limit_page_length"] ?? usualPage))
      .map((row) => Object.fromEntries(shown.map((one) => [one, row[one] ?? null])));
    return { status: 200, body: { data } };
  }

  #rows(doctype: string): readonly Wire[] {
    return this.site.rows[doctype] ?? [];
  }

  /** What is shared alone, what is theirs, and what user permissions leave. */
  #isSeen(
    doctype: string,
    row: Wire,
    { isForbidden, user }: { isForbidden: boolean; user: string },
  ) {
    const name = String(row["name"]);
    if (doctype === "User") return name === user;
    if (isForbidden && !this.shared[doctype]?.includes(name)) return false;
    if (this.owned.includes(doctype) && row["owner"] !== user) return false;
    return Object.entries(this.userPermissions).every(([allowed, of]) => {
      const docs = of.filter(({ applicable_for: only }) => only === null || only === doctype);
      const value = allowed === doctype ? name : row[allowed.toLowerCase().replaceAll(" ", "_")];
      return docs.length === 0 || value === undefined || docs.some(({ doc }) => doc === value);
    });
  }
}

/** As the collation of the database does. */
function compare(one: unknown, other: unknown): number {
  const [a, b] = [String(one).toLowerCase(), String(other).toLowerCase()];
  return a < b ? -1 : Number(a > b);
}

function fits(row: Wire, [field, operator, value]: Filter): boolean {
  const own = (row[field] ?? null) as string | number | null;
  switch (operator) {
    case "is":
      return (own !== null && own !== "") === (value === "set");
    case "in":
      return (value as unknown[]).includes(own);
    case "between": {
      const [from, to] = value as [string, string];
      return own !== null && String(own) >= from && String(own) <= to;
    }
    case "=":
      return own === value;
    case "!=":
      return own !== value;
    case ">":
      return typeof own === "number"
        ? own > Number(value)
        : own !== null && compare(own, value) > 0;
    case "<":
      return Number(own) < Number(value);
    case ">=":
      return own !== null && String(own) >= String(value);
    case "<=":
      return own !== null && String(own) <= String(value);
    default:
      throw new Error(`no such operator: ${operator}`);
  }
}

const told = (message: unknown): Answer => ({ status: 200, body: { message } });

function refused(status: number, type: string): Answer {
  return { status, body: { exc_type: type, exception: `frappe.exceptions.${type}` } };
}

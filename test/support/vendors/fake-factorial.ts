import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import {
  createFactorialCompany,
  factorialNow,
  idOf,
  type FactorialCompany,
  type Wire,
} from "./factorial-company.ts";

export interface FactorialRequest {
  method: string;
  /** With its query. */
  path: string;
  headers: { "x-api-key"?: string; authorization?: string };
  body: string;
}

export interface FactorialReply {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
}

export const factorialKey = "key-marker-factorial";
export const otherFactorialKey = "key-marker-other-company";
/** The codes that the page gives: to an administrator, to one of another company, and to somebody for themselves. */
export const factorialCode = "code-of-the-company";
export const otherFactorialCode = "code-of-another-company";
export const personalCode = "code-of-a-person";
export const adminCode = "code-of-an-administrator";
export const factorialApplication = { clientId: "rollcall", clientSecret: "secret of rollcall" };

type Name = keyof FactorialCompany | "api_public/credentials";
const paging = ["after_id", "limit"];
/** What each list takes, and has to be asked with. */
const parameters: Partial<Record<Name, { takes?: readonly string[]; needs?: readonly string[] }>> =
  {
    "employees/employees": {
      takes: ["ids[]", "updated_at_gteq"],
      needs: ["only_active", "only_managers"],
    },
    "contracts/contract_versions": {
      takes: ["ids[]", "employee_ids[]", "date", "job_catalog_tree_node_uuids"],
    },
    "timeoff/leaves": {
      takes: ["from", "to", "include_pending", "include_leave_type", "include_duration"],
      needs: ["include_deleted_leaves"],
    },
    "timeoff/allowance_stats": { takes: ["employee_ids[]", "allowance_ids[]", "reference_date"] },
    "attendance/shifts": {
      takes: ["start_on", "end_on"],
      needs: ["half_day", "sort_created_at_asc"],
    },
  };
const ofDays = /^(?:from|to|start_on|end_on|reference_date|updated_at_gteq)$/;
const ofWords = /^(?:only_active|only_managers|half_day|sort_created_at_asc|include_.*)$/;

function isWellWritten(name: string, written = ""): boolean {
  if (ofDays.test(name)) return /^\d{4}-\d{2}-\d{2}$/.test(written);
  return !ofWords.test(name) || written === "true" || written === "false";
}

/** What somebody who is no administrator sees of others. */
const openFields = new Set([
  "id",
  "access_id",
  "first_name",
  "last_name",
  "full_name",
  "company_id",
]);
const mostOnPage = 100;

interface Grant {
  /** What the token or the key may do as. */
  company: string;
  employee?: string;
  role?: string;
}

/** A server that answers as Factorial does, by its description and the notes of others. */
export class FakeFactorial {
  readonly requests: { path: string; query: Readonly<Record<string, string>> }[] = [];
  company: FactorialCompany = createFactorialCompany();
  keys = new Map<string, Grant>([
    [factorialKey, { company: idOf(7) }],
    [otherFactorialKey, { company: idOf(8) }],
  ]);
  /** Of each version of the API that still answers. */
  versions = ["2026-07-01", "2026-10-01"];
  pageSize = mostOnPage;
  /** Beginnings of lists that are refused, and of those that the account does not have. */
  forbidden: readonly string[] = [];
  absent: readonly string[] = [];
  /** What nobody knows of the live service. */
  means = {
    onlyActiveFalse: "everybody" as "everybody" | "leavers",
    onlyManagersFalse: "everybody" as "everybody" | "others",
    halfDayFalse: "all" as "all" | "whole",
    leavesFound: "overlapping" as "overlapping" | "starting",
    needsJobCatalog: false,
  };
  interfere: (request: FactorialRequest) => FactorialReply | "cut-off" | undefined = () =>
    undefined;
  readonly counts = { refreshes: 0, revoked: 0 };
  readonly #tokens = new Map<string, Grant>();
  readonly #refreshTokens = new Map<string, Grant>();
  #minted = 0;
  #server: Server | undefined;

  async start(): Promise<this> {
    this.#server = createServer((request, response) => void this.#serve(request, response));
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return this;
  }

  get origin(): string {
    const address = this.#server?.address() as AddressInfo | undefined;
    return `http://127.0.0.1:${address?.port}`;
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((done) => this.#server?.close(done));
  }

  get openSessions(): number {
    return this.#tokens.size;
  }

  /** The access tokens work no more; they can be refreshed. */
  endTokens(): void {
    this.#tokens.clear();
  }

  /** For good, as when an administrator takes the access away. */
  endEverything(): void {
    this.endTokens();
    this.#refreshTokens.clear();
    this.keys.clear();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET", url: path = "/", headers } = request;
    const { "x-api-key": key, authorization } = headers;
    const proof = {
      ...(key !== undefined && { "x-api-key": String(key) }),
      ...(authorization !== undefined && { authorization }),
    };
    const asked = { method, path, headers: proof, body: await text(request) };
    const own = this.interfere(asked);
    if (own === "cut-off") {
      response.writeHead(200, { "content-type": "application/json", "content-length": "9000" });
      return void response.write('{"data":[', () => response.destroy());
    }
    const { status, headers: more, body } = own ?? this.answer(asked);
    response
      .writeHead(status, { "content-type": "application/json", ...more })
      .end(body === undefined ? "" : JSON.stringify(body));
  }

  answer({ method, path, headers, body }: FactorialRequest): FactorialReply {
    const url = new URL(path, "http://factorial");
    const query = Object.fromEntries(url.searchParams);
    this.requests.push({ path: url.pathname, query });
    if (url.pathname.startsWith("/oauth/"))
      return method === "POST"
        ? this.#answerOAuth(url.pathname, new URLSearchParams(body))
        : { status: 405 };
    const match = /^\/api\/([^/]+)\/resources\/([a-z_]+\/[a-z_]+)$/.exec(url.pathname);
    const [, version = "", name = ""] = match ?? [];
    if (!match || !this.versions.includes(version)) return { status: 404 };
    if (method !== "GET") return { status: 405 };
    const grant = this.#findGrant(headers);
    if (!grant) return { status: 401, body: { error: "unauthorized" } };
    return this.#answerList(name as Name, query, grant);
  }

  /** A key or a token, and never both: the key would win. */
  #findGrant(headers: FactorialRequest["headers"]): Grant | undefined {
    const { "x-api-key": key, authorization } = headers;
    if (key !== undefined && authorization !== undefined) return undefined;
    if (key !== undefined) return this.keys.get(key);
    const [scheme, token = ""] = (authorization ?? "").split(" ");
    return scheme === "Bearer" ? this.#tokens.get(token) : undefined;
  }

  #answerList(name: Name, query: Record<string, string>, grant: Grant): FactorialReply {
    const starts = (list: string): boolean => name.startsWith(list);
    if (this.forbidden.some(starts)) return { status: 403, body: { error: "forbidden" } };
    const isKnown = name === "api_public/credentials" || name in this.company;
    if (!isKnown || this.absent.some(starts)) return { status: 404 };
    const { takes = [], needs = [] } = parameters[name] ?? {};
    const needed = [...needs, ...this.#alsoNeeds(name)];
    const missing = needed.find((one) => query[one] === undefined);
    const known = new Set([...paging, ...takes, ...needs]);
    const stray = Object.keys(query).find(
      (one) => !known.has(one) || !isWellWritten(one, query[one]),
    );
    const wrong = missing ?? stray;
    if (wrong !== undefined) return { status: 422, body: { errors: { [wrong]: ["is invalid"] } } };
    const records =
      name === "api_public/credentials"
        ? [toCredential(grant)]
        : this.#select(name, query).map((one) => restrict(one, grant));
    return { status: 200, body: this.#page(records, query) };
  }

  #alsoNeeds(name: Name): string[] {
    const isJobs = name === "contracts/contract_versions" && this.means.needsJobCatalog;
    return isJobs ? ["job_catalog_tree_node_uuids"] : [];
  }

  #select(name: keyof FactorialCompany, query: Record<string, string>): readonly Wire[] {
    const records = this.company[name];
    switch (name) {
      case "employees/employees":
        return this.#selectPeople(records, query);
      case "timeoff/leaves":
        return this.#selectLeaves(records, query);
      case "attendance/shifts": {
        const { start_on = "", end_on = "9", half_day } = query;
        const isAsked = ({ half_day: half }: Wire): boolean =>
          half_day === "true" ? half !== null : this.means.halfDayFalse === "all" || half === null;
        return records
          .filter(({ date }) => String(date) >= start_on && String(date) <= end_on)
          .filter(isAsked);
      }
      default:
        return records;
    }
  }

  #selectPeople(records: readonly Wire[], query: Record<string, string>): readonly Wire[] {
    const managers = new Set(records.map((one) => one["manager_id"]));
    const { onlyActiveFalse, onlyManagersFalse } = this.means;
    const byActive = (one: Wire): boolean =>
      query["only_active"] === "true"
        ? isHere(one)
        : onlyActiveFalse === "everybody" || !isHere(one);
    const byManager = (one: Wire): boolean =>
      query["only_managers"] === "true"
        ? managers.has(one["id"])
        : onlyManagersFalse === "everybody" || !managers.has(one["id"]);
    const since = query["updated_at_gteq"] ?? "";
    return records
      .filter(byActive)
      .filter(byManager)
      .filter(({ updated_at: at }) => String(at) >= since);
  }

  #selectLeaves(records: readonly Wire[], query: Record<string, string>): readonly Wire[] {
    const { from = "", to = "9", include_pending, include_leave_type, include_duration } = query;
    const isStart = this.means.leavesFound === "starting";
    const isFound = ({ start_on: start, finish_on: end }: Wire): boolean =>
      String(start) <= to && ((end === null && !isStart) || String(isStart ? start : end) >= from);
    return records
      .filter(isFound)
      .filter(({ approved }) => approved !== null || include_pending === "true")
      .map((one) => ({
        ...one,
        ...(include_leave_type !== "true" && { leave_type_name: null }),
        ...(include_duration !== "true" && { duration_attributes: null }),
      }));
  }

  /** By the id that the page before ended with. More than a hundred are never given. */
  #page(records: readonly Wire[], query: Record<string, string>): Wire {
    const limit = Math.min(Number(query["limit"] ?? mostOnPage), this.pageSize, mostOnPage);
    const after = query["after_id"];
    const start = after === undefined ? 0 : records.findIndex(({ id }) => id === after) + 1;
    const data = records.slice(start, start + limit);
    const has_next_page = start + limit < records.length;
    return {
      data,
      meta: {
        has_next_page,
        has_previous_page: start > 0,
        start_cursor: data[0]?.["id"] ?? null,
        end_cursor: data.at(-1)?.["id"] ?? null,
        total: records.length,
        limit,
      },
    };
  }

  #answerOAuth(path: string, form: URLSearchParams): FactorialReply {
    const isOurs =
      form.get("client_id") === factorialApplication.clientId &&
      form.get("client_secret") === factorialApplication.clientSecret;
    if (!isOurs) return { status: 401, body: { error: "invalid_client" } };
    if (path === "/oauth/revoke") {
      this.counts.revoked += Number(this.#tokens.delete(form.get("token") ?? ""));
      return { status: 200, body: {} };
    }
    if (path !== "/oauth/token") return { status: 404 };
    const grant =
      form.get("grant_type") === "refresh_token" ? this.#takeRefresh(form) : this.#takeCode(form);
    return grant ? this.#giveTokens(grant) : { status: 400, body: { error: "invalid_grant" } };
  }

  #takeCode(form: URLSearchParams): Grant | undefined {
    if (form.get("grant_type") !== "authorization_code" || !form.get("redirect_uri"))
      return undefined;
    switch (form.get("code")) {
      case factorialCode:
        return { company: idOf(7) };
      case otherFactorialCode:
        return { company: idOf(8) };
      case personalCode:
        return { company: idOf(7), employee: idOf(2), role: "basic" };
      case adminCode:
        return { company: idOf(7), employee: idOf(1), role: "admin" };
      default:
        return undefined;
    }
  }

  /** A refresh token works once. */
  #takeRefresh(form: URLSearchParams): Grant | undefined {
    const token = form.get("refresh_token") ?? "";
    const grant = this.#refreshTokens.get(token);
    this.#refreshTokens.delete(token);
    this.counts.refreshes += Number(grant !== undefined);
    return grant;
  }

  #giveTokens(grant: Grant): FactorialReply {
    this.#minted += 1;
    const [access_token, refresh_token] = [
      `access-marker-${this.#minted}`,
      `refresh-marker-${this.#minted}`,
    ];
    this.#tokens.set(access_token, grant);
    this.#refreshTokens.set(refresh_token, grant);
    const more = { token_type: "Bearer", expires_in: 7_200, scope: "", created_at: 1_790_000_000 };
    return { status: 200, body: { access_token, refresh_token, ...more } };
  }
}

function toCredential({ company, employee, role }: Grant): Wire {
  const isPerson = employee !== undefined;
  return {
    id: employee ?? company,
    company_id: company,
    employee_id: employee ?? null,
    login_email: isPerson ? "lucja@garriga.example" : null,
    full_name: isPerson ? "Łucja Nowak Garriga" : null,
    role: role ?? null,
    legal_name: "Garriga i Fills SL",
    name: isPerson || company !== idOf(7) ? null : "Garriga",
    tin: null,
    locale: "ca",
  };
}

/** To somebody who is no administrator everything else is null, without a word. */
function restrict(record: Wire, { role }: Grant): Wire {
  if (role !== "basic") return record;
  return Object.fromEntries(
    Object.entries(record).map(([name, of]) => [name, openFields.has(name) ? of : null]),
  );
}

function isHere({ active, terminated_on: end }: Wire): boolean {
  const hasLeft = typeof end === "string" && end <= factorialNow.toISOString();
  return active !== false && !hasLeft;
}

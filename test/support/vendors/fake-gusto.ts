import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { addDays } from "../../../src/providers/kit/days.ts";
import { adminId, companyId, idOf, type GustoCompany, type GustoRow } from "./gusto-company.ts";

export interface GustoRequest {
  method: string;
  /** With its query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface GustoReply {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** The socket is closed in the middle of the answer. */
  isCutOff?: boolean;
}

export const application = { clientId: "rollcall", clientSecret: "secret of rollcall" };
export const rightCode = "code-of-gusto";
/** Of another administrator. */
export const otherCode = "code-of-another";
/** Of the same administrator, who chose another company. */
export const codeOfOtherCompany = "code-of-another-company";
/** Of somebody who is no administrator. */
export const codeOfEmployee = "code-of-an-employee";

const approvals: Readonly<Record<string, { company: string; owner: string; type: string }>> = {
  [rightCode]: { company: companyId, owner: adminId(1), type: "Company" },
  [otherCode]: { company: companyId, owner: adminId(2), type: "Company" },
  [codeOfOtherCompany]: { company: idOf(9, 2), owner: adminId(1), type: "Company" },
  [codeOfEmployee]: { company: idOf(9, 3), owner: idOf(9, 4), type: "Employee" },
};

export const allScopes: readonly string[] = [
  "companies:read",
  "company_admin:read",
  "employees:read",
  "compensations:read",
  "employments:read",
  "departments:read",
  "contractors:read",
  "pay_schedules:read",
  "payrolls:read",
  "employee_benefits:read",
  "employee_benefits:read:phi",
  "time_off_policies:read",
  "time_off_requests:read",
  "time_sheet:read",
];

const versions = new Set(["2026-02-01", "2026-06-15"]);
const tokenSeconds = 7_200;
const usualPage = 25;
const noSuch: GustoReply = { status: 404, body: refusal("not_found") };

interface Grant {
  code: string;
  accessToken: string;
  refreshToken: string;
  expiresAt: number;
  /** Works until the access token is used for the first time, because the answer may have got lost. */
  previous: string | undefined;
}

interface FakeGustoOptions {
  company: GustoCompany;
  now?: () => Date;
  perMinute?: number;
  /** So many records are on a page, whatever is asked for. */
  mostOnPage?: number;
}

type Parameters = URLSearchParams;
type Answer = (asked: Parameters, id: string) => GustoReply;

/**
 * Answers as Gusto does: a company for each approval, refresh tokens of one use, pages of 25 unless more are asked for,
 * and so many requests in a minute. Its data are in memory and can be changed at any time.
 */
export class FakeGusto {
  readonly company: GustoCompany;
  scopes: readonly string[] = allScopes;
  mostOnPage: number;
  readonly counts = { requests: 0, refused: 0, refreshes: 0, revoked: 0 };
  /** Of the company's data, in order. */
  readonly requests: GustoRequest[] = [];
  /** An answer in place of its own. */
  interfere: (request: GustoRequest) => GustoReply | undefined = () => undefined;
  readonly #now: () => Date;
  readonly #perMinute: number;
  #grants: Grant[] = [];
  #issued = 0;
  #times: number[] = [];
  #server: Server | undefined;

  constructor({
    company,
    now = () => new Date(),
    perMinute = 200,
    mostOnPage = 100,
  }: FakeGustoOptions) {
    this.company = company;
    this.mostOnPage = mostOnPage;
    this.#now = now;
    this.#perMinute = perMinute;
  }

  async start(): Promise<string> {
    const server = createServer((request, response) => {
      void (async () => {
        const { method = "", url: path = "", headers } = request;
        const sent = { method, path, headers: headers as Record<string, string> };
        const reply = this.answer({ ...sent, body: await text(request) });
        const body = reply.body === undefined ? "" : JSON.stringify(reply.body);
        if (reply.isCutOff) {
          response.writeHead(200, { "content-type": "application/json", "content-length": "9000" });
          return response.write(body.slice(0, 20), () => response.destroy());
        }
        const type = { "content-type": "application/json; charset=utf-8" };
        return response.writeHead(reply.status, { ...type, ...reply.headers }).end(body);
      })();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    this.#server = server;
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    if (!this.#server) return;
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  get openSessions(): number {
    return this.#grants.length;
  }

  /** Nothing that was given out works any more. */
  revokeTokens(): void {
    this.#grants = [];
  }

  /** The access tokens have ended, the refresh tokens have not. */
  endAccessTokens(): void {
    for (const grant of this.#grants) grant.expiresAt = 0;
  }

  answer(request: GustoRequest): GustoReply {
    const { pathname, searchParams } = new URL(request.path, "http://fake");
    if (pathname === "/oauth/token") return this.#answerTokens(request);
    if (pathname === "/oauth/revoke") return this.#revoke(request);
    this.counts.requests += 1;
    this.requests.push(request);
    const told = this.interfere(request);
    if (told) return told;
    const grant = this.#findGrant(request);
    if (!grant) return { status: 401, body: refusal("invalid_token") };
    if (!versions.has(request.headers["x-gusto-api-version"] ?? "2025-06-15"))
      return { status: 406, body: { name: "invalid_api_version", message: "…" } };
    return this.#isTooMuch()
      ? { status: 429, body: refusal("rate_limit") }
      : this.#answerData(grant, pathname, searchParams);
  }

  #isTooMuch(): boolean {
    const time = this.#now().getTime();
    this.#times = this.#times.filter((each) => each > time - 60_000);
    if (this.#times.length >= this.#perMinute) {
      this.counts.refused += 1;
      return true;
    }
    this.#times.push(time);
    return false;
  }

  #findGrant({ headers }: GustoRequest): Grant | undefined {
    const [, token = ""] = /^Bearer (.+)$/.exec(headers["authorization"] ?? "") ?? [];
    const grant = this.#grants.find(({ accessToken }) => accessToken === token);
    if (!grant || grant.expiresAt <= this.#now().getTime()) return undefined;
    grant.previous = undefined;
    return grant;
  }

  #answerTokens({ headers, body }: GustoRequest): GustoReply {
    if (!(headers["content-type"] ?? "").includes("json")) return invalid("invalid_request");
    const sent = JSON.parse(body) as Record<string, string>;
    const { client_id: id, client_secret: secret, grant_type: kind, code = "" } = sent;
    if (id !== application.clientId || secret !== application.clientSecret)
      return invalid("invalid_client");
    if (kind === "refresh_token") {
      const given = sent["refresh_token"];
      const grant = this.#grants.find((one) => [one.refreshToken, one.previous].includes(given));
      if (!grant) return invalid("invalid_grant");
      this.counts.refreshes += 1;
      return this.#issue({ ...grant, previous: given }, grant);
    }
    if (!approvals[code] || !sent["redirect_uri"]) return invalid("invalid_grant");
    return this.#issue({ code, previous: undefined });
  }

  #issue(of: Pick<Grant, "code" | "previous">, before?: Grant): GustoReply {
    this.#issued += 1;
    const grant = {
      ...of,
      accessToken: `access-token-${this.#issued}`,
      refreshToken: `refresh-token-${this.#issued}`,
      expiresAt: this.#now().getTime() + tokenSeconds * 1_000,
    };
    this.#grants = [...this.#grants.filter((one) => one !== before), grant];
    return {
      status: 200,
      body: {
        access_token: grant.accessToken,
        refresh_token: grant.refreshToken,
        expires_in: tokenSeconds,
        token_type: "Bearer",
      },
    };
  }

  #revoke({ body }: GustoRequest): GustoReply {
    const { client_secret: secret, token } = JSON.parse(body) as Record<string, string>;
    if (secret !== application.clientSecret) return { status: 403, body: {} };
    this.counts.revoked += 1;
    this.#grants = this.#grants.filter(({ accessToken }) => accessToken !== token);
    return { status: 200, body: {} };
  }

  #answerData({ code }: Grant, pathname: string, asked: Parameters): GustoReply {
    const { company = "", owner = "", type = "" } = approvals[code] ?? {};
    if (pathname === "/v1/token_info")
      return {
        status: 200,
        body: {
          scope: this.scopes.join(" "),
          resource: { type, uuid: company },
          resource_owner: { type: "CompanyAdmin", uuid: owner },
        },
      };
    const [, , kind, id = "", ...rest] = pathname.split("/");
    if (kind === "companies" && id !== company) return noSuch;
    const part = rest[0] === "payrolls" && rest.length > 1 ? "payroll" : rest.join("/");
    const [scope, answer] = this.#answers[`${kind}/${part}`] ?? [];
    if (!scope || !answer) return noSuch;
    if (!this.scopes.includes(scope)) return { status: 403, body: refusal("missing_scope") };
    return answer(asked, kind === "companies" ? (rest.at(-1) ?? "") : id);
  }

  readonly #page = (rows: readonly GustoRow[], asked: Parameters): GustoReply => {
    const per = Math.min(Number(asked.get("per") ?? usualPage), this.mostOnPage);
    const page = Number(asked.get("page") ?? 1);
    return {
      status: 200,
      body: rows.slice((page - 1) * per, page * per),
      headers: {
        "x-page": String(page),
        "x-per-page": String(per),
        "x-total-count": String(rows.length),
        "x-total-pages": String(Math.ceil(rows.length / per)),
      },
    };
  };

  /** By paths, with the scope of each. */
  readonly #answers: Readonly<Record<string, readonly [scope: string, answer: Answer]>> = {
    "companies/": ["companies:read", () => ({ status: 200, body: this.company.company })],
    "companies/admins": ["company_admin:read", (asked) => this.#page(this.company.admins, asked)],
    "companies/locations": ["companies:read", (asked) => this.#page(this.company.locations, asked)],
    "companies/departments": [
      "departments:read",
      () => ({ status: 200, body: this.company.departments }),
    ],
    "companies/employees": ["employees:read", (asked) => this.#answerStaff(asked)],
    "employees/employment_history": [
      "employments:read",
      (_asked, id) => ({ status: 200, body: this.company.histories[id] ?? [] }),
    ],
    "companies/contractors": [
      "contractors:read",
      (asked) => this.#page(this.company.contractors, asked),
    ],
    "companies/pay_schedules": [
      "pay_schedules:read",
      (asked) => this.#page(this.company.schedules, asked),
    ],
    "companies/pay_schedules/assignments": [
      "pay_schedules:read",
      () => ({ status: 200, body: this.company.assignments }),
    ],
    "companies/payrolls": ["payrolls:read", (asked) => this.#answerRuns(asked)],
    "companies/payroll": ["payrolls:read", (asked, id) => this.#answerRun(asked, id)],
    "companies/contractor_payments": ["payrolls:read", (asked) => this.#answerPayments(asked)],
    "companies/time_off_policies": [
      "time_off_policies:read",
      () => ({ status: 200, body: this.company.policies }),
    ],
    "companies/time_off_requests": [
      "time_off_requests:read",
      (asked) => this.#answerTimeOff(asked),
    ],
    "companies/time_tracking/time_sheets": [
      "time_sheet:read",
      (asked) => this.#answerSheets(asked),
    ],
  };

  #answerStaff(asked: Parameters): GustoReply {
    const include = (asked.get("include") ?? "").split(",");
    const mayReadPay = this.scopes.includes("compensations:read");
    if (include.includes("all_compensations") && !mayReadPay)
      return { status: 403, body: refusal("missing_scope") };
    const at = asked.get("location_uuid");
    const staff = this.company.staff.filter((one) => at === null || placeOf(one) === at);
    const reply = this.#page(staff, asked);
    const shown = (reply.body as GustoRow[]).map((one) => ({
      ...one,
      jobs: (one["jobs"] as GustoRow[]).map((job) => (mayReadPay ? job : withoutPay(job))),
      ...(!include.includes("current_home_address") && { current_home_address: undefined }),
      ...(!include.includes("custom_fields") && { custom_fields: undefined }),
    }));
    return { ...reply, body: shown };
  }

  /** By their periods, of a year at most, and not of those that are far ahead. */
  #answerRuns(asked: Parameters): GustoReply {
    const start = asked.get("start_date") ?? "";
    const end = asked.get("end_date") ?? "";
    const latest = addDays(this.#now().toISOString().slice(0, 10), 92);
    if (end > latest || end > addDays(start || "2000-01-01", 366))
      if (start !== "") return { status: 422, body: refusal("invalid_dates") };
    const has = (name: string, value: string): boolean =>
      (asked.get(name) ?? "").split(",").includes(value);
    const found = this.company.payrolls.filter((run) => {
      const period = run["pay_period"] as GustoRow;
      const [first, last] = [
        period["start_date"] ?? run["check_date"],
        period["end_date"] ?? run["check_date"],
      ];
      const kind = run["off_cycle"] ? "off_cycle" : run["external"] ? "external" : "regular";
      return (
        String(first) >= start &&
        String(last) <= (end || "9999") &&
        has("payroll_types", kind) &&
        has("processing_statuses", run["processed"] ? "processed" : "unprocessed")
      );
    });
    const bare = found.map(({ employee_compensations: _slips, ...run }) => run);
    return this.#page(bare, asked);
  }

  #answerRun(asked: Parameters, id: string): GustoReply {
    const run = this.company.payrolls.find((one) => one["payroll_uuid"] === id);
    if (!run) return noSuch;
    const include = (asked.get("include") ?? "").split(",");
    const mayRead = (scope: string): boolean => this.scopes.includes(scope);
    if (include.includes("benefits") && !mayRead("employee_benefits:read"))
      return { status: 403, body: refusal("missing_scope") };
    const reply = this.#page(run.employee_compensations, asked);
    // Of health benefits nothing tells that they are missing.
    const isShown = (benefit: GustoRow): boolean =>
      mayRead("employee_benefits:read:phi") || !String(benefit["name"]).startsWith("Medical");
    const slips = (reply.body as GustoRow[]).map(({ benefits, taxes, ...slip }) => ({
      ...slip,
      ...(include.includes("taxes") && { taxes }),
      ...(include.includes("benefits") && {
        benefits: (benefits as GustoRow[]).filter(isShown),
      }),
    }));
    return { ...reply, body: { ...run, employee_compensations: slips } };
  }

  #answerPayments(asked: Parameters): GustoReply {
    const [start, end] = [asked.get("start_date"), asked.get("end_date")];
    if (start === null || end === null) return { status: 422, body: refusal("missing_dates") };
    const paid = this.company.payments.filter(
      ({ date }) => String(date) >= start && String(date) <= end,
    );
    const reply = this.#page(paid, asked);
    const days = Map.groupBy(reply.body as GustoRow[], ({ date }) => date);
    const contractor_payments = [...days].map(([check_date, payments]) => ({
      check_date,
      payments,
    }));
    return { ...reply, body: { total: {}, contractor_payments } };
  }

  /** Those that lie in the asked days as a whole. */
  #answerTimeOff(asked: Parameters): GustoReply {
    const [start, end] = [asked.get("start_date") ?? "", asked.get("end_date") ?? "9999"];
    const body = this.company.requests.filter(({ days }) => {
      const listed = Object.keys(days).toSorted();
      return (listed[0] ?? "") >= start && (listed.at(-1) ?? "") <= end;
    });
    return { status: 200, body };
  }

  #answerSheets(asked: Parameters): GustoReply {
    const by = asked.get("sort_by") ?? "created_at";
    const sign = asked.get("sort_order") === "desc" ? -1 : 1;
    const sorted = this.company.sheets.toSorted(
      (a, b) => sign * (Date.parse(String(a[by])) - Date.parse(String(b[by]))),
    );
    return this.#page(sorted, asked);
  }
}

function invalid(error: string): GustoReply {
  return { status: 400, body: { error } };
}

function placeOf(one: GustoRow): unknown {
  const jobs = one["jobs"] as GustoRow[];
  return jobs.find(({ primary }) => primary)?.["location_uuid"] ?? one["hidden_location"];
}

function withoutPay({
  rate: _rate,
  payment_unit: _unit,
  current_compensation_uuid: _current,
  compensations: _pays,
  ...job
}: GustoRow): GustoRow {
  return job;
}

export function refusal(category: string): object {
  return { errors: [{ error_key: "base", category, message: "It may name somebody." }] };
}

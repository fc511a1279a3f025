import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { ApprovalPage } from "./approval-page.ts";
import { answerAustralia } from "./answer-australia.ts";
import { exampleOf, type XeroCompany, type XeroPerson, type XeroRow } from "./xero-company.ts";

export interface XeroRequest {
  method: string;
  /** With its query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface XeroReply {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** The socket is closed in the middle of the answer. */
  isCutOff?: boolean;
}

export interface XeroTenant {
  /** Of the connection. */
  id: string;
  tenantId: string;
  tenantName: string;
  tenantType: "ORGANISATION" | "PRACTICE";
  authEventId: string;
}

interface FakeXeroOptions {
  company: XeroCompany;
  tenants: XeroTenant[];
  /** What the person can approve on Xero's page. */
  organisations?: readonly XeroTenant[];
  now?: () => Date;
  /** Those of Xero by default, for each organisation. */
  perMinute?: number;
  perDay?: number;
  tokenMinutes?: number;
}

/** What was asked, without the hosts. */
interface Counts {
  /** Of the organisation's data. */
  requests: number;
  refused: number;
  refreshes: number;
  refusedRefreshes: number;
}

export const application = { clientId: "rollcall", clientSecret: "secret of rollcall" };
export const rightCode = "code-of-xero";
/** Of another user. */
export const otherCode = "code-of-another";

const basePath = "/payroll.xro/2.0";
const australianPath = "/payroll.xro/1.0";
const pageSize = 100;
/** For so long the refresh token before is taken again, because its answer may have got lost. */
const graceMs = 30 * 60_000;
const noSuch: XeroReply = { status: 404, body: { Title: "NotFound", Status: 404 } };

/**
 * Answers as Xero does: tokens of 30 minutes, refresh tokens of one use, pages of 100, and at most so many requests
 * a minute and a day. Its data are in memory and can be changed at any time.
 */
export class FakeXero {
  readonly company: XeroCompany;
  /** Those that are connected. */
  tenants: XeroTenant[];
  perDay: number;
  readonly counts: Counts = { requests: 0, refused: 0, refreshes: 0, refusedRefreshes: 0 };
  /** Paths of the organisation's data, in the order in which they were asked for. */
  readonly paths: string[] = [];
  /** Every request for payroll, for the description to check. */
  readonly payrollRequests: XeroRequest[] = [];
  readonly deletedConnections: string[] = [];
  /** An answer in place of its own. */
  interfere: (request: XeroRequest) => XeroReply | undefined = () => undefined;
  readonly #options: Required<Pick<FakeXeroOptions, "now" | "perMinute" | "tokenMinutes">>;
  readonly #organisations: readonly XeroTenant[];
  readonly #page = new ApprovalPage({
    path: "/identity/connect/authorize",
    clientId: application.clientId,
    choices: () =>
      this.#organisations.map(({ tenantId: value, tenantName: title }) => ({ value, title })),
  });
  #server: Server | undefined;
  /** Of the approval that the tokens are from, when somebody approved on the page. */
  #authEventId: string | undefined;
  #tokens = new Map<string, number>();
  #refreshToken = "";
  #previous: { refreshToken: string; until: number } | undefined;
  #issued = 0;
  #times: number[] = [];

  constructor({
    company,
    tenants,
    organisations = [],
    now = () => new Date(),
    perMinute = 60,
    perDay = 5_000,
    tokenMinutes = 30,
  }: FakeXeroOptions) {
    this.company = company;
    this.tenants = tenants;
    this.#organisations = organisations;
    this.perDay = perDay;
    this.#options = { now, perMinute, tokenMinutes };
  }

  async start(): Promise<string> {
    const server = createServer((request, response) => {
      void (async () => {
        const { method = "", url: path = "", headers } = request;
        const sent = await text(request);
        const shown = this.#page.answer({ method, path, body: sent });
        if (shown) return response.writeHead(shown.status, shown.headers).end(shown.body);
        const reply = this.answer({
          method,
          path,
          headers: headers as Record<string, string>,
          body: sent,
        });
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

  /** Nothing that was given out works any more. */
  revokeTokens(): void {
    this.#tokens.clear();
    this.#refreshToken = "none";
    this.#previous = undefined;
  }

  /** The access token has ended, the refresh token has not. */
  endAccessTokens(): void {
    this.#tokens.clear();
  }

  answer(request: XeroRequest): XeroReply {
    const { pathname } = new URL(request.path, "http://fake");
    if (pathname === "/connect/token") return this.#answerTokens(request);
    if (pathname.startsWith("/connections")) return this.#answerConnections(request, pathname);
    this.counts.requests += 1;
    this.paths.push(pathname.replace(/^\/payroll\.xro\/\d\.0/, ""));
    if (pathname.startsWith("/payroll.xro/")) this.payrollRequests.push(request);
    const told = this.interfere(request);
    if (told) return told;
    if (!this.#isAuthorized(request))
      return refuse(401, { Title: "Unauthorized", Detail: "TokenExpired: token expired at …" });
    const tenantId = request.headers["xero-tenant-id"];
    if (!this.tenants.some((tenant) => tenant.tenantId === tenantId))
      return refuse(403, { title: "Forbidden", detail: "AuthenticationUnsuccessful" });
    return this.#countedBy(() => this.answerData(request));
  }

  #countedBy(answer: () => XeroReply): XeroReply {
    const { now, perMinute } = this.#options;
    const time = now().getTime();
    this.#times = this.#times.filter((each) => each > time - 86_400_000);
    const lastMinute = this.#times.filter((each) => each > time - 60_000).length;
    const problem =
      this.#times.length >= this.perDay ? "Day" : lastMinute >= perMinute ? "Minute" : undefined;
    if (problem) {
      this.counts.refused += 1;
      const wait = problem === "Day" ? "66975" : "20";
      return { status: 429, headers: { "x-rate-limit-problem": problem, "retry-after": wait } };
    }
    this.#times.push(time);
    const headers = {
      "x-minlimit-remaining": String(perMinute - lastMinute - 1),
      "x-daylimit-remaining": String(this.perDay - this.#times.length),
      "x-appminlimit-remaining": "9999",
    };
    const reply = answer();
    return { ...reply, headers: { ...headers, ...reply.headers } };
  }

  #isAuthorized({ headers }: XeroRequest): boolean {
    const [, token = ""] = /^Bearer (.+)$/.exec(headers["authorization"] ?? "") ?? [];
    return (this.#tokens.get(token) ?? 0) > this.#options.now().getTime();
  }

  #answerTokens({ headers, body }: XeroRequest): XeroReply {
    const { clientId, clientSecret } = application;
    const pair = new URLSearchParams([["", clientSecret]]).toString().slice(1);
    if (headers["authorization"] !== `Basic ${btoa(`${clientId}:${pair}`)}`)
      return { status: 400, body: { error: "invalid_client" } };
    const form = new URLSearchParams(body);
    const isRefresh = form.get("grant_type") === "refresh_token";
    if (isRefresh ? !this.#takes(form.get("refresh_token")) : !this.#takesCode(form)) {
      if (isRefresh) this.counts.refusedRefreshes += 1;
      return { status: 400, body: { error: "invalid_grant" } };
    }
    if (isRefresh) this.counts.refreshes += 1;
    return { status: 200, body: this.#issueTokens(form.get("code") === otherCode ? 2 : 1) };
  }

  #takes(refreshToken: string | null): boolean {
    if (refreshToken === this.#refreshToken) return true;
    const previous = this.#previous;
    return (
      refreshToken === previous?.refreshToken && previous.until > this.#options.now().getTime()
    );
  }

  /** What was chosen on the page is connected from now on. */
  #takesCode(form: URLSearchParams): boolean {
    const approved = this.#page.take(form);
    if (!approved) return [rightCode, otherCode].includes(form.get("code") ?? "");
    const authEventId = `event-${this.#issued + 1}`;
    const chosen = this.#organisations.filter((each) => approved.chosen.includes(each.tenantId));
    const others = this.tenants.filter((each) => !approved.chosen.includes(each.tenantId));
    this.tenants = [...others, ...chosen.map((each) => ({ ...each, authEventId }))];
    this.#authEventId = authEventId;
    return true;
  }

  #issueTokens(user: number) {
    const { now, tokenMinutes } = this.#options;
    const time = now().getTime();
    this.#issued += 1;
    this.#previous = { refreshToken: this.#refreshToken, until: time + graceMs };
    this.#refreshToken = `refresh-${this.#issued}`;
    const event = this.#authEventId ?? this.tenants[0]?.authEventId ?? "none";
    const accessToken = makeJwt({ authentication_event_id: event, jti: String(this.#issued) });
    this.#tokens.set(accessToken, time + tokenMinutes * 60_000);
    return {
      access_token: accessToken,
      refresh_token: this.#refreshToken,
      id_token: makeJwt({ sub: `user-${user}`, given_name: "Ada", family_name: "Maple", email }),
      expires_in: tokenMinutes * 60,
      token_type: "Bearer",
    };
  }

  #answerConnections(request: XeroRequest, pathname: string): XeroReply {
    if (!this.#isAuthorized(request)) return refuse(401, { Title: "Unauthorized" });
    if (request.method !== "DELETE") return { status: 200, body: this.tenants };
    const id = pathname.split("/")[2] ?? "";
    if (!this.tenants.some((tenant) => tenant.id === id)) return noSuch;
    this.tenants = this.tenants.filter((tenant) => tenant.id !== id);
    this.deletedConnections.push(id);
    return { status: 204 };
  }

  /** Without a look at tokens and limits. */
  answerData({ path }: Pick<XeroRequest, "path">): XeroReply {
    const { pathname, searchParams } = new URL(path, "http://fake");
    const { organisation, people, calendars, timesheets, payruns } = this.company;
    if (pathname === "/api.xro/2.0/Organisation")
      return { status: 200, body: { Status: "OK", Organisations: [organisation] } };
    const [name = "", id, part] = pathname.slice(basePath.length + 1).split("/");
    const { australia, vendor = "xero" } = this.company;
    if (australia && pathname.startsWith(australianPath))
      return answerAustralia(australia, [name, ...(id === undefined ? [] : [id])], searchParams);
    // In Australia, the second version has timesheets alone. Only one of them has the first one.
    if (pathname.startsWith(australianPath) || (australia && name !== "Timesheets"))
      return { status: 405 };
    const page = Number(searchParams.get("page") ?? 1);
    if (id !== undefined) return this.#answerRecord(name, id, part);
    switch (name) {
      case "Employees":
        return list(
          "employees",
          people.map(({ record }) => record),
          page,
        );
      case "PayRunCalendars":
        return list("payRunCalendars", calendars, page);
      case "PayRuns":
        return list(
          "payRuns",
          payruns.map(({ paySlips: _paySlips, ...payrun }) => payrun),
          page,
        );
      case vendor === "xero" ? "Payslips" : "PaySlips":
        return list("paySlips", findPayslips(payruns, searchParams.get("PayRunID")), page);
      case "Timesheets":
        return list("timesheets", findTimesheets(timesheets, searchParams), page);
      default: {
        const body = exampleOf(`/${name}`, vendor);
        return body ? { status: 200, body } : noSuch;
      }
    }
  }

  #answerRecord(name: string, id: string, part: string | undefined): XeroReply {
    const { people, timesheets, payruns } = this.company;
    const ofType = (type: string) => (row: XeroRow) => row[type] === id;
    switch (name) {
      case "Employees":
        return answerPart(
          people.find(({ record }) => ofType("employeeID")(record)),
          part,
        );
      case "Timesheets":
        return one("timesheet", timesheets.find(ofType("timesheetID")));
      case "PayRuns":
        return one("payRun", payruns.find(ofType("payRunID")));
      default:
        return noSuch;
    }
  }
}

const email = "ada@maple.example";

function answerPart(person: XeroPerson | undefined, part: string | undefined): XeroReply {
  if (!person) return noSuch;
  switch (part) {
    case "SalaryAndWages":
      return list("salaryAndWages", person.salaries, 1);
    case "PaymentMethods":
      return one("paymentMethod", person.paymentMethod);
    case "Tax":
      return one("employeeTax", person.tax);
    case "Leave":
      return { status: 200, body: { pagination: null, problem: null, leave: person.leave } };
    case "LeaveBalances":
      return list("leaveBalances", person.balances, 1);
    default:
      return noSuch;
  }
}

function findPayslips(payruns: XeroCompany["payruns"], id: string | null): XeroRow[] {
  return payruns.find((payrun) => payrun["payRunID"] === id)?.paySlips ?? [];
}

/** As a whole in the range, and without their lines. */
function findTimesheets(timesheets: readonly XeroRow[], query: URLSearchParams): XeroRow[] {
  const [start, end] = [query.get("startDate") ?? "", query.get("endDate") ?? "9999"];
  return timesheets
    .filter(
      (row) =>
        String(row["startDate"]).slice(0, 10) >= start &&
        String(row["endDate"]).slice(0, 10) <= end,
    )
    .map(({ timesheetLines: _lines, ...row }) => row);
}

function list(field: string, rows: readonly XeroRow[], page: number): XeroReply {
  const pagination = {
    page,
    pageSize,
    pageCount: Math.max(1, Math.ceil(rows.length / pageSize)),
    itemCount: rows.length,
  };
  const shown = rows.slice((page - 1) * pageSize, page * pageSize);
  return { status: 200, body: { pagination, problem: null, [field]: shown } };
}

function one(field: string, row: XeroRow | undefined): XeroReply {
  return row ? { status: 200, body: { pagination: null, problem: null, [field]: row } } : noSuch;
}

export function refuse(status: number, fields: XeroRow): XeroReply {
  return { status, body: { Type: null, Status: status, Instance: null, ...fields } };
}

function makeJwt(claims: object): string {
  return `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.c2ln`;
}

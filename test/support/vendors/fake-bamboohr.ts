import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { ApprovalPage } from "./approval-page.ts";
import {
  bambooLists,
  bambooPlaces,
  createBambooPeople,
  createPerson,
  listRows,
  type BambooPerson,
  type BambooRow,
} from "./bamboohr-people.ts";

export interface SeenBambooRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body: unknown;
}

/** An answer in place of the server's own, or none. */
export interface BambooAnswer {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
}

export interface FakeBambooOptions {
  people?: number;
  pageSize?: number;
  /** Whether a key opens the newer paths. By default it does not: they answer 401 to it, and to a token 200. */
  keyOpensAll?: boolean;
  /** The employee of the key. 0 when it has none. */
  owner?: string;
  /** Null in every record, and marked. */
  restricted?: readonly string[];
  /** What the account may not read: beginnings of paths. */
  forbidden?: readonly string[];
  now?: () => Date;
}

export const bambooKey = "key-marker-1";
export const bambooCode = "code-marker-1";
/** Of the employee 4. */
export const otherBambooCode = "code-marker-4";
export const bambooApplication = { clientId: "rollcall", clientSecret: "secret of rollcall" };
const refusedToKeys = new Set(["/api/v1/employees", "/api/v1/hris/org/locations"]);
const lifetimeSeconds = 3_600;
const msOfDay = 86_400_000;

/** Names of the dataset, and what the list of employees calls them. */
const datasetNames: Readonly<Record<string, string>> = {
  eeid: "eeid",
  firstName: "firstName",
  lastName: "lastName",
  preferredName: "preferredName",
  status: "status",
  employeeNumber: "employeeNumber",
  email: "workEmail",
  homeEmail: "homeEmail",
  mobilePhone: "mobilePhone",
  dateOfBirth: "birthDate",
  hireDate: "hireDate",
  terminationDate: "terminationDate",
  gender: "gender",
  maritalStatus: "maritalStatus",
  ethnicity: "ethnicity",
  nationality: "nationality",
  ssn: "ssn",
  addressLineOne: "address1",
  addressLineTwo: "address2",
  city: "city",
  state: "state",
  stateCode: "stateCode",
  zipcode: "zipcode",
  country: "country",
  jobInformationJobTitle: "jobTitleName",
  jobInformationDepartment: "departmentName",
  jobInformationDivision: "divisionName",
  jobInformationLocation: "locationName",
  employmentStatus: "employmentStatusName",
  supervisorEid: "reportsToId",
  jobInformationReportsTo: "reportsToName",
  customShirtSize: "customShirtSize",
};

/** A server that answers as BambooHR does. */
export class FakeBamboo {
  readonly requests: SeenBambooRequest[] = [];
  /** Replaces or precedes the server's own answer. `cut-off` ends it in the middle. */
  interfere: (request: SeenBambooRequest) => BambooAnswer | "cut-off" | undefined = () => undefined;
  /** Called with each request that was answered with data. */
  onRequest: (request: SeenBambooRequest) => Promise<void> = async () => undefined;
  people: BambooPerson[];
  /** Requests for time off beside those of the first person. */
  absences: readonly BambooRow[] = [];
  readonly #options: FakeBambooOptions;
  readonly #server: Server;
  readonly #page = new ApprovalPage({
    path: "/authorize.php",
    clientId: bambooApplication.clientId,
  });
  readonly #deleted = new Map<string, string>();
  /** The number of the access token and of the refresh token that work. */
  #token = 0;
  #tokenEndsAt = 0;
  #isKeyEnded = false;
  #owner: string | undefined;

  static async start(options: FakeBambooOptions = {}): Promise<FakeBamboo> {
    const fake = new FakeBamboo(options);
    fake.#server.listen(0, "127.0.0.1");
    await once(fake.#server, "listening");
    return fake;
  }

  constructor(options: FakeBambooOptions) {
    this.#options = options;
    this.people = createBambooPeople(options.people ?? 60);
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The access token works no more; the refresh token does. */
  endToken(): void {
    this.#token += 0.5;
  }

  endSession(): void {
    this.#token += 1_000.5;
    this.#isKeyEnded = true;
  }

  /** One person gets another title, one comes and one is deleted. */
  change(): void {
    const at = this.#now()
      .toISOString()
      .replace(/\.\d+Z$/, "+00:00");
    const gone = this.people.at(-1)?.id ?? "";
    this.people = this.people.filter(({ id }) => id !== gone);
    this.#deleted.set(gone, at);
    const first = this.people[0];
    if (first) Object.assign(first, { jobTitleName: "Chief planner", changedAt: at });
    this.people.push(createPerson(901, at));
  }

  /** How often each path was asked for, without its query. */
  countOf(path: RegExp): number {
    return this.requests.filter((request) => path.test(request.path)).length;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  #now(): Date {
    return this.#options.now?.() ?? new Date();
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await text(incoming);
    const { method = "GET", url: path = "/" } = incoming;
    const shown = this.#page.answer({ method, path, body: raw });
    if (shown) {
      response.writeHead(shown.status, shown.headers).end(shown.body);
      return;
    }
    const request: SeenBambooRequest = {
      method,
      path,
      headers: incoming.headers as Record<string, string>,
      body: parseBody(raw, incoming.headers["content-type"]),
    };
    this.requests.push(request);
    const interference = this.interfere(request);
    if (interference === "cut-off") {
      response.writeHead(200, { "content-type": "application/json", "content-length": "9000" });
      response.write('{"data":[');
      setTimeout(() => response.destroy(), 5);
      return;
    }
    const { status, headers, body } = interference ?? this.#answer(request);
    if (status === 200) await this.onRequest(request);
    const isXml = !request.headers["accept"]?.includes("json");
    response.writeHead(status, {
      "content-type": isXml ? "text/xml" : "application/json",
      ...headers,
    });
    response.end(body === undefined ? "" : isXml ? "<employees/>" : JSON.stringify(body));
  }

  #answer(request: SeenBambooRequest): BambooAnswer {
    const url = new URL(request.path, "http://bamboo.invalid");
    if (url.pathname === "/token.php") return this.#giveToken(request.body);
    const { authorization = "" } = request.headers;
    const isKey = authorization === `Basic ${btoa(`${bambooKey}:x`)}` && !this.#isKeyEnded;
    const isToken =
      authorization === `Bearer access-${this.#token}` && this.#tokenEndsAt > this.#now().getTime();
    if (!isKey && !isToken) return { status: 401 };
    if (isKey && !this.#options.keyOpensAll && refusedToKeys.has(url.pathname))
      return { status: 401 };
    if (this.#options.forbidden?.some((path) => url.pathname.startsWith(path)))
      return {
        status: 403,
        headers: { "x-bamboohr-error-message": "Insufficient Permissions to view this employee" },
      };
    return this.#read(url, request.body) ?? { status: 404 };
  }

  /** A refresh gives a new refresh token, and ends the one that was sent. */
  #giveToken(body: unknown): BambooAnswer {
    const form = new URLSearchParams(body as Record<string, string>);
    const { clientId, clientSecret } = bambooApplication;
    if (form.get("client_id") !== clientId || form.get("client_secret") !== clientSecret)
      return { status: 400, body: { error: "invalid_client" } };
    const isGood =
      form.get("grant_type") === "refresh_token"
        ? form.get("refresh_token") === `refresh-${Math.floor(this.#token)}`
        : [bambooCode, otherBambooCode].includes(form.get("code") ?? "") ||
          this.#page.take(form) !== undefined;
    if (form.get("code") === otherBambooCode) this.#owner = "4";
    if (!isGood) return { status: 400, body: { error: "invalid_grant" } };
    this.#token = Math.floor(this.#token) + 1;
    this.#tokenEndsAt = this.#now().getTime() + lifetimeSeconds * 1_000;
    return ok({
      access_token: `access-${this.#token}`,
      refresh_token: `refresh-${this.#token}`,
      expires_in: lifetimeSeconds,
      token_type: "Bearer",
    });
  }

  #read(url: URL, body: unknown): BambooAnswer | undefined {
    const { pathname, searchParams: query } = url;
    switch (pathname) {
      case "/api/v1/meta/fields":
        return ok([{ id: 1, name: "First Name", type: "text", alias: "firstName" }]);
      case "/api/v1/meta/lists":
        return ok(bambooLists);
      case "/api/v1/meta/countries/options":
        return ok([
          { id: "1", name: "United States", isoCode: "US" },
          { id: "2", name: "Bundesrepublik", isoCode: "DE" },
        ]);
      case "/api/v1/company_information":
        return ok(companyInformation);
      case "/api/v1/hris/org/locations":
        return ok({ data: bambooPlaces, meta: { page: 0, pageSize: 500, totalPages: 1 } });
      case "/api/v1/employees":
        return ok(this.#list(query));
      case "/api/v1/employees/0":
        return ok(this.#readOwner());
      case "/api/v1/employees/changed":
        return ok(this.#listChanged(query.get("since") ?? ""));
      case "/api/v1/employeedependents":
        return ok({ "Employee Dependents": dependents });
      case "/api/v1_2/datasets/employee/fields":
        return ok(this.#listDatasetFields());
      case "/api/v2/datasets/employee/data":
        return this.#readDataset(body as DatasetQuery);
      case "/api/v1/time_off/requests":
        return ok(this.#listRequests(query));
      case "/api/v1/time_tracking/timesheet_entries":
        return this.#listTimesheets(query);
      default:
        return this.#readOfPerson(pathname, query);
    }
  }

  #readOfPerson(pathname: string, query: URLSearchParams): BambooAnswer | undefined {
    const [, changed] = /^\/api\/v1\/employees\/changed\/tables\/(\w+)$/.exec(pathname) ?? [];
    if (changed !== undefined) return this.#readChangedTable(changed, query.get("since") ?? "");
    const [, table] = /^\/api\/v1\/employees\/all\/tables\/(\w+)$/.exec(pathname) ?? [];
    if (table !== undefined && listRows(table, createPerson(1)))
      return ok(this.people.flatMap((person) => listRows(table, person) ?? []).toReversed());
    const [, id] = /^\/api\/v1\/employees\/(\d+)\/time_off\/calculator$/.exec(pathname) ?? [];
    if (id === undefined || !this.people.some((person) => person.id === id)) return undefined;
    return ok(listBalances(query.get("end") ?? ""));
  }

  #list(query: URLSearchParams) {
    const size = Math.min(Number(query.get("page[limit]") ?? 250), this.#options.pageSize ?? 25);
    const start = fromCursor(query.get("page[after]"));
    const end = start + size;
    const extra = (query.get("fields") ?? "").split(",");
    const names = ["employeeId", "firstName", "lastName", "preferredName", "photoUrl"];
    return {
      data: this.people
        .slice(start, end)
        .map((person) => this.#mark(person, [...names, "jobTitleName", "status", ...extra])),
      meta: {
        total: this.people.length,
        page: {
          limit: size,
          nextCursor: end < this.people.length ? toCursor(end) : null,
          prevCursor: null,
        },
      },
      _links: {},
    };
  }

  #mark(person: BambooPerson, names: readonly string[], nameOf = (name: string) => name) {
    const restricted = names.filter((name) => this.#options.restricted?.includes(nameOf(name)));
    const values = names.map((name) => [
      name,
      restricted.includes(name) ? null : (person[nameOf(name)] ?? null),
    ]);
    return { ...Object.fromEntries(values), _restrictedFields: restricted };
  }

  #readOwner() {
    const { owner = this.#owner ?? "1" } = this.#options;
    const person = this.people.find(({ id }) => id === owner);
    if (!person) return { id: "0" };
    const { id, firstName, lastName, workEmail, mobilePhone } = person;
    return { id, firstName, lastName, workEmail, mobilePhone };
  }

  #listChanged(since: string) {
    const entries = [
      ...this.people.map(({ id, changedAt }) => [id, "Updated", changedAt] as const),
      ...[...this.#deleted].map(([id, at]) => [id, "Deleted", at] as const),
    ].filter(([, , at]) => Date.parse(at) >= Date.parse(since));
    return {
      latest:
        entries
          .map(([, , at]) => at)
          .toSorted()
          .at(-1) ?? null,
      employees: Object.fromEntries(
        entries.map(([id, action, lastChanged]) => [id, { id, action, lastChanged }]),
      ),
    };
  }

  #readChangedTable(table: string, since: string): BambooAnswer | undefined {
    const people = this.people.filter((one) => Date.parse(one.changedAt) >= Date.parse(since));
    if (!listRows(table, createPerson(1))) return undefined;
    return ok({
      table,
      employees: Object.fromEntries(
        people.map((person) => [
          person.id,
          { lastChanged: person.changedAt, rows: listRows(table, person) },
        ]),
      ),
    });
  }

  #listDatasetFields() {
    const fields = Object.keys(datasetNames).map((name) => ({
      name,
      label: name === "customShirtSize" ? "Shirt size" : name,
    }));
    return { pagination: { total_pages: 1, current_page: 1 }, name: "employee", fields };
  }

  #readDataset({ fields, filter, page = 1, pageSize = 100 }: DatasetQuery): BambooAnswer {
    if (fields.some((name) => !(name in datasetNames))) return { status: 422 };
    const ids = filter === undefined ? undefined : readIds(filter);
    const people = this.people.filter(({ id }) => ids?.includes(id) ?? true);
    const size = Math.min(pageSize, this.#options.pageSize ?? 25);
    const totalPages = Math.max(1, Math.ceil(people.length / size));
    const data = people.slice((page - 1) * size, page * size).map((person) => {
      const marked = this.#mark(person, fields, (name) => datasetNames[name] ?? name);
      const { _restrictedFields, ...values } = marked;
      return { fields: values, _restrictedFields };
    });
    return ok({ data, links: {}, meta: { page, pageSize: size, totalPages } });
  }

  #listRequests(query: URLSearchParams) {
    const [start, end] = [query.get("start") ?? "", query.get("end") ?? ""];
    const day = dayOf(this.#now(), -10);
    const later = dayOf(this.#now(), -8);
    const common = { employeeId: "1", start: day, end: later, created: day };
    const amount = { unit: "days", amount: "3" };
    const all = ["approved", "requested", "denied", "canceled", "superceded"].map(
      (status, index) => ({
        id: String(1_659 + index),
        ...common,
        status: { status, lastChanged: day },
        type: { id: "78", name: "Vacation" },
        amount,
        notes: index === 0 ? { employee: "Familie 🏖" } : {},
      }),
    );
    return [...all, ...this.absences].filter(
      (request) => String(request["start"]) <= end && String(request["end"]) >= start,
    );
  }

  #listTimesheets(query: URLSearchParams): BambooAnswer {
    const [start, end] = [query.get("start") ?? "", query.get("end") ?? ""];
    const [first, last] = [dayOf(this.#now(), -365), dayOf(this.#now(), 0)];
    if (start < first || end > last || start > end) return { status: 400, body: { status: 400 } };
    const day = dayOf(this.#now(), -5);
    const common = { employeeId: 1, date: day, createdAt: `${day}T18:00:00+00:00` };
    const entries = [
      {
        id: 1,
        ...common,
        type: "clock",
        start: `${day}T09:00:00-06:00`,
        end: `${day}T12:30:00-06:00`,
        timezone: "America/Denver",
        hours: 3.5,
        updatedAt: `${day}T19:00:00+00:00`,
      },
      { id: 2, ...common, type: "hour", start: null, end: null, hours: 7.25, updatedAt: null },
      { id: 3, ...common, type: "clock", start: `${day}T13:00:00-06:00`, end: null, hours: null },
    ];
    const isAsked = query.get("employeeIds") === null;
    return ok(isAsked ? entries.filter(({ date }) => date >= start && date <= end) : []);
  }
}

interface DatasetQuery {
  fields: string[];
  filter?: string;
  page?: number;
  pageSize?: number;
}

const companyInformation = {
  legalName: "Lindgren & Søn, Inc.",
  displayName: "Lindgren",
  address: { line1: "335 S 560 W", line2: "Suite 200", city: "Lindon", state: "UT", zip: "84042" },
  phone: "801-555-0100",
};

const dependents = [
  {
    id: "1",
    employeeId: "1",
    firstName: "Ida",
    middleName: null,
    lastName: "Holm",
    relationship: "Child",
  },
  {
    id: "2",
    employeeId: "74",
    firstName: "Ada",
    middleName: "M.",
    lastName: "Cruz",
    relationship: "Spouse",
  },
];

function listBalances(end: string) {
  return [
    ["78", "Vacation", "days", "-26.36", "accruing", "12.2500"],
    ["79", "Sick time", "hours", "24.5000", "manual", "0.0000"],
    ["80", "Flexible", "hours", "0.00", "discretionary", "8.0000"],
  ].map(([timeOffType, name, units, balance, policyType, usedYearToDate]) => ({
    timeOffType,
    name,
    units,
    balance,
    end,
    policyType,
    usedYearToDate,
  }));
}

function ok(body: unknown): BambooAnswer {
  return { status: 200, body };
}

/** Opaque text, as BambooHR's is. */
function toCursor(position: number): string {
  return Buffer.from(JSON.stringify({ cursor: `after-${position}` })).toString("base64");
}

function fromCursor(cursor: string | null): number {
  if (cursor === null) return 0;
  return Number(/after-(\d+)/.exec(Buffer.from(cursor, "base64").toString())?.[1]);
}

function readIds(filter: string): string[] {
  const [, list = ""] = /^eeid in \((.*)\)$/.exec(filter) ?? [];
  return list.split(",").map((id) => id.replaceAll("'", ""));
}

function dayOf(now: Date, days: number): string {
  return new Date(now.getTime() + days * msOfDay).toISOString().slice(0, 10);
}

function parseBody(raw: string, contentType = ""): unknown {
  if (raw === "") return undefined;
  return contentType.includes("json")
    ? (JSON.parse(raw) as unknown)
    : Object.fromEntries(new URLSearchParams(raw));
}

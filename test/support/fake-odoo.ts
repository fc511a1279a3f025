import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import {
  models,
  payrollModels,
  refusedWithout,
  silentWithout,
  toFields,
  type Field,
} from "./fake-odoo-models.ts";

export type OdooRow = Record<string, unknown> & { id: number };
export type OdooTables = Record<string, OdooRow[]>;

export interface FakeUser {
  uid: number;
  login: string;
  password: string;
  groups: string[];
  /** The second factor, for users who have one. */
  otp?: string;
  /** English by default. */
  lang?: string;
  /** None by default. */
  tz?: string;
  /** An API key. */
  key?: string;
}

export interface FakeOdooOptions {
  version: 14 | 19;
  users: FakeUser[];
  tables: OdooTables;
  /** Models whose module is not installed. */
  without?: string[];
  /** Names in the languages that are installed besides English, by the English name. */
  translations?: Record<string, Record<string, string>>;
  /** Fields that the company added, by model, each as `name:type`. */
  companyFields?: Record<string, string[]>;
  /** The ids that the modules of the server gave to records, by model and id. */
  externalIds?: Record<string, Record<number, string>>;
}

/** An answer in place of the server's own, or no answer at all. */
export type Interference =
  { status: number; headers?: Record<string, string>; body: string } | "silence";

export interface SeenRequest {
  path: string;
  model?: string;
  method?: string;
  kwargs: Record<string, unknown>;
  requestId?: unknown;
}

interface FakeSession {
  /** Null until the second factor is accepted. */
  user: FakeUser | null;
  waiting: FakeUser | null;
}

interface Reply {
  result?: unknown;
  error?: unknown;
}

const csrfToken = "c5rf-t0ken";

const versionInfo = {
  14: {
    server_version: "14.0",
    server_version_info: [14, 0, 0, "final", 0, ""],
    server_serie: "14.0",
    protocol_version: 1,
  },
  19: {
    server_version: "19.0",
    server_version_info: [19, 0, 0, "final", 0, ""],
    server_serie: "19.0",
    protocol_version: 1,
  },
};

/** A server that answers as real Odoo servers do, with the tables and users of a test. */
export class FakeOdoo {
  readonly requests: SeenRequest[] = [];
  /** The number of attempts with a password. */
  passwordsTried = 0;
  /** The databases of the server, and whether it lists them. */
  databases = ["people"];
  isListOpen = true;
  /** Whether the server checks its list, just connects, or finds a database without Odoo. */
  unknownDatabase: "listed" | "connected" | "empty" = "listed";
  /** Gives each session a new cookie with its next answer. The old one ends at once. */
  rotates = false;
  /** How long the cookie of a session lives. */
  cookieSeconds = 604_800;
  interfere: (request: SeenRequest) => Interference | undefined = () => undefined;
  readonly #options: FakeOdooOptions;
  readonly #server: Server;
  readonly #sessions = new Map<string, FakeSession>();
  #cookiesGiven = 0;

  static async start(options: FakeOdooOptions): Promise<FakeOdoo> {
    const fake = new FakeOdoo(options);
    fake.#server.listen(0, "127.0.0.1");
    await once(fake.#server, "listening");
    return fake;
  }

  private constructor(options: FakeOdooOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get translations(): Record<string, Record<string, string>> {
    return this.#options.translations ?? {};
  }

  get users(): FakeUser[] {
    return this.#options.users;
  }

  get tables(): OdooTables {
    return this.#options.tables;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  endSessions(): void {
    this.#sessions.clear();
  }

  /** Those that a person could go on with. */
  get openSessions(): number {
    return [...this.#sessions.values()].filter(({ user }) => user !== null).length;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const {
      params = {},
      id = null,
      ...named
    } = (body.startsWith("{") ? JSON.parse(body) : {}) as {
      params?: Record<string, unknown>;
      id?: unknown;
    };
    const path = request.url ?? "";
    const byKey = toCallByKey(path, named);
    const seen: SeenRequest = { path, kwargs: {}, requestId: id };
    const { model, method, kwargs } = byKey ?? (params as unknown as Call);
    if (byKey || path.startsWith("/web/dataset/")) Object.assign(seen, { model, method, kwargs });
    this.requests.push(seen);
    const interference = this.interfere(seen);
    if (interference === "silence") return;
    if (interference)
      return void response
        .writeHead(interference.status, interference.headers)
        .end(interference.body);
    if (byKey) return this.#answerByKey(byKey, request, response);
    const sid = /session_id=([^;]+)/.exec(request.headers.cookie ?? "")?.[1];
    if (path === "/web/login/totp")
      return this.#answerTotp(request, response, sid, new URLSearchParams(body));
    const reply = this.#route(path, params, sid, response);
    if (!reply)
      return void response
        .writeHead(404, { "content-type": "text/html" })
        .end("<h1>Not Found</h1>");
    response.setHeader("content-type", "application/json; charset=utf-8");
    response.end(JSON.stringify({ jsonrpc: "2.0", id, ...reply }));
  }

  /** The JSON-2 API has no envelope, and errors have a status. */
  #answerByKey(call: Call, { headers }: IncomingMessage, response: ServerResponse): void {
    const named = headers["x-odoo-database"];
    const database = named ?? (this.databases.length === 1 ? this.databases[0] : undefined);
    if (database === undefined || !this.databases.includes(String(database)))
      return void response
        .writeHead(404, { "content-type": "text/html" })
        .end("<h1>Not Found</h1>");
    const user = this.#options.users.find(
      ({ key }) => key !== undefined && headers.authorization === `Bearer ${key}`,
    );
    const { result, error } = user ? this.#call(call, user) : unauthorized;
    const { code, data } = (error ?? {}) as { code?: number; data?: { name: string } };
    const status = error === undefined ? 200 : code || toStatus(data?.name ?? "");
    response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
    response.end(JSON.stringify(error === undefined ? result : data));
  }

  #route(
    path: string,
    params: Record<string, unknown>,
    sid: string | undefined,
    response: ServerResponse,
  ): Reply | undefined {
    if (path === "/web/webclient/version_info")
      return { result: versionInfo[this.#options.version] };
    if (path === "/web/database/list")
      return this.isListOpen
        ? { result: this.databases }
        : fault("odoo.exceptions.AccessDenied", "Access Denied");
    if (path === "/web/session/authenticate") return this.#authenticate(params, response);
    // With several databases, a request without a session names none of them.
    if (path.startsWith("/web/") && !this.#sessions.has(sid ?? "") && this.databases.length > 1)
      return undefined;
    const session = this.#sessions.get(sid ?? "");
    const user = session?.user;
    if (!session || !user)
      return {
        error: {
          code: 100,
          message: "Odoo Session Expired",
          data: {
            name: "odoo.http.SessionExpiredException",
            message: "Session expired",
            arguments: ["Session expired"],
          },
        },
      };
    if (path === "/web/session/destroy") {
      this.#sessions.delete(sid ?? "");
      return { result: null };
    }
    if (this.rotates) {
      this.#sessions.delete(sid ?? "");
      this.#startSession(session, response);
    }
    if (path === "/web/session/get_session_info") return { result: this.#sessionInfo(user) };
    if (path.startsWith("/web/dataset/call_kw/"))
      return this.#call(params as unknown as Call, user);
    return undefined;
  }

  #sessionInfo(user: FakeUser): object {
    const { server_version_info } = versionInfo[this.#options.version];
    return {
      uid: user.uid,
      user_context: contextOf(user),
      username: user.login,
      server_version_info,
    };
  }

  #startSession(session: FakeSession, response: ServerResponse): void {
    const sid = `cookie-marker-${++this.#cookiesGiven}`;
    this.#sessions.set(sid, session);
    response.setHeader(
      "set-cookie",
      `session_id=${sid}; Max-Age=${this.cookieSeconds}; HttpOnly; Path=/`,
    );
  }

  #authenticate({ db, login, password }: Record<string, unknown>, response: ServerResponse): Reply {
    this.passwordsTried += 1;
    if (!this.databases.includes(String(db))) {
      if (this.unknownDatabase === "empty") return fault("builtins.KeyError", "res.users");
      if (this.unknownDatabase === "connected")
        return fault(
          "psycopg2.OperationalError",
          `FATAL:  database "${String(db)}" does not exist\n`,
        );
      return fault("odoo.exceptions.AccessError", "Database not found.");
    }
    const user = this.#options.users.find((candidate) => candidate.login === login);
    if (user?.password !== password || !user)
      return fault("odoo.exceptions.AccessDenied", "Access Denied");
    this.#startSession(
      user.otp === undefined ? { user, waiting: null } : { user: null, waiting: user },
      response,
    );
    return { result: user.otp === undefined ? this.#sessionInfo(user) : { uid: null } };
  }

  #answerTotp(
    request: IncomingMessage,
    response: ServerResponse,
    sid: string | undefined,
    form: URLSearchParams,
  ): void {
    const waiting = this.#sessions.get(sid ?? "")?.waiting;
    if (request.method === "POST" && (!waiting || form.get("csrf_token") !== csrfToken))
      return void response.writeHead(400).end("<h1>Bad Request</h1>");
    if (!waiting) return void response.writeHead(303, { location: "/web/login" }).end();
    if (request.method === "POST" && form.get("totp_token") === waiting.otp) {
      this.#sessions.delete(sid ?? "");
      this.#startSession({ user: waiting, waiting: null }, response);
      return void response.writeHead(303, { location: "/odoo" }).end();
    }
    const alert =
      request.method === "POST"
        ? `<p class="alert alert-danger" role="alert">Verification failed</p>`
        : "";
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end(
      `<form method="POST"><input type="hidden" name="csrf_token" value="${csrfToken}"/>` +
        `<input name="totp_token"/>${alert}</form>`,
    );
  }

  #call({ model, method, args, kwargs }: Call, user: FakeUser): Reply {
    const fields = this.#fieldsOf(model);
    if (!fields || this.#options.without?.includes(model)) {
      return this.#options.version === 14
        ? fault("builtins.KeyError", model)
        : {
            error: {
              code: 404,
              message: "404: Not Found",
              data: {
                name: "werkzeug.exceptions.NotFound",
                message: "404 Not Found",
                arguments: [],
              },
            },
          };
    }
    const lang = (kwargs["context"] as { lang?: string } | undefined)?.lang ?? "en_US";
    if (lang !== "en_US" && !this.translations[lang])
      return fault("odoo.exceptions.UserError", `Invalid language code: ${lang}`);
    const companies = this.#companiesOf(user, kwargs["context"] as Search["context"]);
    if (companies === "refused")
      return fault("odoo.exceptions.AccessError", "Access to unauthorized or invalid companies.");
    if (method === "has_group") return this.#hasGroup(args, user);
    if (method === "context_get") return { result: contextOf(user) };
    if (method === "default_get") return { result: defaultsOf(kwargs) };
    const isReadable = ({ group }: Field): boolean =>
      group === undefined || user.groups.includes(group);
    if (method === "fields_get") {
      const { allfields, attributes } = kwargs as { allfields?: string[]; attributes: string[] };
      const listed = Object.entries({ id: { type: "integer" }, ...fields }).filter(
        ([name, field]) => (!allfields || allfields.includes(name)) && isReadable(field),
      );
      const pick = (field: Field) =>
        Object.fromEntries(Object.entries(field).filter(([name]) => attributes.includes(name)));
      return { result: Object.fromEntries(listed.map(([name, field]) => [name, pick(field)])) };
    }
    if (method === "get_external_id") {
      const known = this.#options.externalIds?.[model] ?? {};
      const ids = args[0] as number[];
      return { result: Object.fromEntries(ids.map((id) => [id, known[id] ?? ""])) };
    }
    const isNested = method === "web_search_read" && this.#options.version >= firstNested;
    if (method !== "search_read" && !isNested)
      return fault("builtins.AttributeError", `The method '${model}.${method}' does not exist`);
    const isOfCompany = (of: string, row: OdooRow): boolean =>
      isOfEveryCompany(of, user) || this.#isOfCompany(of, row, companies);
    const rights = { user, isReadable, isOfCompany };
    const refusal = refusalOf(model, user);
    if (refusal) return refusal;
    const silent = silentWithout[model];
    const isSilent = silent !== undefined && !user.groups.includes(silent);
    const search = kwargs as unknown as Search;
    if (!isNested) return isSilent ? { result: [] } : this.#searchRead(model, search, rights);
    const specification = kwargs["specification"] as Specification;
    const rows = isSilent ? [] : this.#search(model, search, rights);
    try {
      const records = this.#webRead(model, rows, specification, { ...rights, lang });
      return { result: { length: records.length, records } };
    } catch (error) {
      if (error instanceof Fault) return error.reply;
      throw error;
    }
  }

  /** Each record with what it points to inside of it. Throws a fault where one of these may not be read. */
  #webRead(model: string, rows: OdooRow[], specification: Specification, asked: Asked): object[] {
    const fault =
      refusalOf(model, asked.user) ??
      this.#fieldFault(model, Object.keys(specification), asked) ??
      (rows.every((row) => asked.isOfCompany(model, row)) ? undefined : refused(model));
    if (fault) throw new Fault(fault);
    const fields = Object.entries(specification);
    return rows.map((row) => ({
      id: row.id,
      ...Object.fromEntries(
        fields.map(([name, { fields: of }]) => [
          name,
          this.#nestedValue(model, row, name, of, asked),
        ]),
      ),
    }));
  }

  #nestedValue(
    model: string,
    row: OdooRow,
    name: string,
    inner: Specification | undefined,
    asked: Asked,
  ): unknown {
    if (name === "display_name") return this.#translate(row["name"], asked.lang);
    if (name === "show_leaves") return asked.user.groups.includes(silentWithout["hr.leave"] ?? "");
    const field = this.#fieldsOf(model)?.[name];
    if (!inner || field?.relation === undefined) return row[name] ?? false;
    const related = this.#webRead(
      field.relation,
      this.#related(field, row[name], row),
      inner,
      asked,
    );
    return field.type === "many2one" ? (related[0] ?? false) : related;
  }

  #related({ type, relation = "" }: Field, value: unknown, { id: own }: OdooRow): OdooRow[] {
    const rows = this.tables[relation] ?? [];
    if (type === "one2many") return rows.filter((one) => one["employee_id"] === own);
    const ids = [value || []].flat() as number[];
    return ids.map((id) => rows.find((one) => one.id === id) ?? { id, name: "Somebody" });
  }

  /** Undefined for a model whose module is not installed. */
  #fieldsOf(model: string): Record<string, Field> | undefined {
    const payroll: Record<string, Record<string, Field>> = payrollModels;
    const fields =
      models[this.#options.version][model] ??
      ("hr.payslip.run" in this.tables ? payroll[model] : undefined);
    const added = this.#options.companyFields?.[model];
    return fields && added ? { ...fields, ...toFields(...added) } : fields;
  }

  /** Undefined for a user whose companies the test does not say. */
  #companiesOf(user: FakeUser, context: Search["context"]): number[] | "refused" | undefined {
    const row = this.tables["res.users"]?.find(({ id }) => id === user.uid);
    const own = row?.["company_ids"] as number[] | undefined;
    const asked = context?.allowed_company_ids;
    if (asked && !asked.every((id) => own?.includes(id))) return "refused";
    return asked ?? own;
  }

  #isOfCompany(model: string, row: OdooRow, companies: number[] | undefined): boolean {
    if (!companies) return true;
    const employee = this.tables["hr.employee"]?.find(({ id }) => id === row["employee_id"]);
    const company =
      model === "res.company" ? row.id : (row["company_id"] ?? employee?.["company_id"]);
    return !company || companies.includes(company as number);
  }

  #hasGroup(args: unknown[], user: FakeUser): Reply {
    const isOfModel = typeof args[0] === "string";
    if (isOfModel !== (this.#options.version === 14))
      return fault("builtins.TypeError", "has_group() got other arguments");
    return { result: user.groups.includes(String(isOfModel ? args[0] : args[1])) };
  }

  #fieldFault(model: string, names: string[], { isReadable }: Rights): Reply | undefined {
    for (const name of names) {
      const isOfAll = name === "id" || name === "display_name";
      const field = isOfAll ? nameField : this.#fieldsOf(model)?.[name];
      if (!field) return fault("builtins.ValueError", `Invalid field '${name}' on '${model}'`);
      if (!isReadable(field))
        return fault(
          "odoo.exceptions.AccessError",
          `You do not have enough rights to access the field ${name}`,
        );
    }
    return undefined;
  }

  #search(model: string, { domain, limit, context }: Search, { isOfCompany }: Rights): OdooRow[] {
    const isArchivable = "active" in (this.#fieldsOf(model) ?? {});
    const hasArchived = !isArchivable || context?.active_test === false;
    return (this.tables[model] ?? [])
      .filter((row) => hasArchived || row["active"] !== false)
      .filter(
        (row) => isOfCompany(model, row) && domain.every((condition) => isMatch(row, condition)),
      )
      .sort((a, b) => a.id - b.id)
      .slice(0, limit);
  }

  #searchRead(model: string, search: Search, rights: Rights): Reply {
    const { fields: names, order, context } = search;
    const refusal = this.#fieldFault(model, names, rights);
    if (refusal) return refusal;
    if (order !== "id")
      return fault("builtins.ValueError", "The order is not the one that the tests know");
    const fields = this.#fieldsOf(model) ?? {};
    return {
      result: this.#search(model, search, rights).map((row) =>
        Object.fromEntries(
          names.map((name) => {
            const value = name === "name" ? this.#translate(row[name], context?.lang) : row[name];
            return [name, this.#present(value, fields[name], context?.lang)];
          }),
        ),
      ),
    };
  }

  #translate(name: unknown, lang = "en_US"): unknown {
    return this.translations[lang]?.[String(name)] ?? name;
  }

  /** A field that points to one record is its id and name. An empty field is `false`. */
  #present(value: unknown, field: Field | undefined, lang: string | undefined): unknown {
    if (value === undefined || value === null) return field?.type === "many2many" ? [] : false;
    if (field?.type !== "many2one" || value === false) return value;
    const name = this.tables[field.relation ?? ""]?.find(({ id }) => id === value)?.["name"];
    return [value, this.#translate(name ?? "Somebody", lang)];
  }
}

interface Call {
  model: string;
  method: string;
  args: unknown[];
  kwargs: Record<string, unknown>;
}

/** From this version on records can be read with what they point to. */
const firstNested = 17;
const nameField: Field = { type: "char" };

type Specification = Record<string, { fields?: Specification }>;

interface Rights {
  user: FakeUser;
  isReadable: (field: Field) => boolean;
  isOfCompany: (model: string, row: OdooRow) => boolean;
}

interface Asked extends Rights {
  lang: string;
}

class Fault extends Error {
  readonly reply: Reply;
  constructor(reply: Reply) {
    super("a record may not be read");
    this.reply = reply;
  }
}

function refusalOf(model: string, { groups }: FakeUser): Reply | undefined {
  const needed = refusedWithout[model] ?? ["base.group_user"];
  const isAllowed = model === "res.users" || needed.some((group) => groups.includes(group));
  return isAllowed ? undefined : refused(model);
}

function refused(model: string): Reply {
  return fault("odoo.exceptions.AccessError", `You are not allowed to access ${model}`);
}

interface Search {
  domain: [field: string, operator: string, value: unknown][];
  fields: string[];
  limit: number;
  order: string;
  context?: { active_test?: boolean; lang?: string; allowed_company_ids?: number[] };
}

/**
 * Odoo's rules know no company of pay runs, of the lines of payslips and of work locations, and show all
 * companies to an administrator of access rights.
 */
function isOfEveryCompany(model: string, { groups }: FakeUser): boolean {
  if (model === "res.company") return groups.includes("base.group_erp_manager");
  return model === "hr.payslip.line" || model === "hr.work.location";
}

/** Undefined for a path of another API. */
function toCallByKey(path: string, named: Record<string, unknown>): Call | undefined {
  const [, model, method] = /^\/json\/2\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
  if (model === undefined || method === undefined) return undefined;
  const { ids, group_ext_id: group, ...kwargs } = named;
  const args = [...(ids ? [ids] : []), ...(group ? [group] : [])];
  return { model, method, args, kwargs };
}

function contextOf({ uid, lang = "en_US", tz = "" }: FakeUser): object {
  return { lang, tz: tz || false, uid };
}

/** The context of a call can give defaults. */
function defaultsOf(kwargs: Record<string, unknown>): object {
  const context = (kwargs["context"] ?? {}) as Record<string, unknown>;
  const fields = kwargs["fields"] as string[];
  return Object.fromEntries(fields.map((field) => [field, context[`default_${field}`]]));
}

const unauthorized: Reply = {
  error: {
    code: 401,
    data: { name: "werkzeug.exceptions.Unauthorized", message: "Invalid apikey" },
  },
};

function toStatus(name: string): number {
  if (name.endsWith("AccessError")) return 403;
  return name.endsWith("UserError") ? 422 : 500;
}

function isMatch(row: OdooRow, [field, operator, value]: Search["domain"][number]): boolean {
  const actual = (row[field] ?? false) as string | number | false;
  switch (operator) {
    case "=":
      return actual === value;
    case "!=":
      return actual !== value;
    case ">":
      return actual > (value as string | number);
    case ">=":
      return actual >= (value as string | number);
    case "<=":
      return actual <= (value as string | number);
    case "in":
      return (value as unknown[]).includes(actual);
    default:
      throw new Error(`the fake does not know the operator ${operator}`);
  }
}

export function fault(name: string, message: string): Reply {
  const data = {
    name,
    message,
    arguments: [message],
    context: {},
    debug: `Traceback (most recent call last):\n${name}: ${message}`,
  };
  return {
    error: {
      code: name.endsWith("SessionExpiredException") ? 100 : 0,
      message: "Odoo Server Error",
      data,
    },
  };
}

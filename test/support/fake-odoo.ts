import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

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
}

export interface FakeOdooOptions {
  version: 14 | 19;
  users: FakeUser[];
  tables: OdooTables;
  /** Models whose module is not installed. */
  without?: string[];
  /** Names in the languages that are installed besides English, by the English name. */
  translations?: Record<string, Record<string, string>>;
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

interface Field {
  type: string;
  relation?: string;
  group?: string;
}

interface Reply {
  result?: unknown;
  error?: unknown;
}

const officer = "hr.group_hr_user";
const administrator = "hr.group_hr_manager";
const csrfToken = "c5rf-t0ken";

/** Each description is `name`, `name:type` or `name:type:relation`, and may end with `@group`. */
function toFields(...descriptions: string[]): Record<string, Field> {
  return Object.fromEntries(
    descriptions
      .join(" ")
      .split(" ")
      .map((description) => {
        const [field = "", group] = description.split("@");
        const [name = "", type = "char", relation] = field.split(":");
        return [
          name,
          {
            type,
            ...(relation && { relation }),
            ...(group && { group: group === "officer" ? officer : administrator }),
          },
        ];
      }),
  );
}

const address =
  "street street2 city zip state_id:many2one:res.country.state country_id:many2one:res.country";
const employee =
  "active:boolean name work_email mobile_phone work_phone job_title job_id:many2one:hr.job " +
  "department_id:many2one:hr.department parent_id:many2one:hr.employee " +
  "address_id:many2one:res.partner create_date:datetime barcode:char@officer " +
  "identification_id:char@officer birthday:date@officer marital:selection@officer " +
  "country_id:many2one:res.country@officer ssnid:char@officer private_email:char@officer " +
  "departure_date:date@officer emergency_contact:char@officer emergency_phone:char@officer";
const contract =
  "employee_id:many2one:hr.employee active:boolean job_id:many2one:hr.job " +
  "department_id:many2one:hr.department currency_id:many2one:res.currency " +
  "wage:monetary@administrator";

const common = {
  "res.users": toFields("name login email phone company_id:many2one:res.company"),
  "resource.calendar": toFields("name tz:selection"),
  "res.company": toFields(`name vat resource_calendar_id:many2one:resource.calendar ${address}`),
  "res.partner": toFields(`name ${address}`),
  "res.country": toFields("name code"),
  "res.country.state": toFields("name code"),
  "res.currency": toFields("name"),
  "res.partner.bank": toFields("acc_number acc_holder_name bank_name bank_bic"),
  "hr.job": toFields("name"),
  "hr.department": toFields("active:boolean name parent_id:many2one:hr.department"),
  "hr.employee.category": toFields("name"),
  "hr.leave": toFields(
    "employee_id:many2one:hr.employee state:selection request_date_from:date request_date_to:date",
    "number_of_days:float holiday_status_id.time_type:selection",
  ),
};

const models: Record<FakeOdooOptions["version"], Record<string, Record<string, Field>>> = {
  14: {
    ...common,
    "hr.employee": toFields(
      `${employee} gender:selection@officer work_location phone:char@officer`,
      "category_ids:many2many:hr.employee.category@administrator",
      "address_home_id:many2one:res.partner@officer",
      "bank_account_id:many2one:res.partner.bank@officer",
    ),
    "hr.contract": toFields(
      `${contract} date_start:date date_end:date state:selection`,
      "kanban_state:selection schedule_pay:selection",
    ),
  },
  19: {
    ...common,
    "res.company": { ...common["res.company"], ...toFields("active:boolean") },
    "res.partner.bank": { ...common["res.partner.bank"], ...toFields("active:boolean") },
    "hr.employee": toFields(
      `${employee} sex:selection@officer employee_type:selection@officer phone`,
      "private_phone:char@officer",
      "work_location_id:many2one:hr.work.location",
      "category_ids:many2many:hr.employee.category@officer",
      "private_street:char@officer private_street2:char@officer",
      "private_city:char@officer private_zip:char@officer",
      "private_state_id:many2one:res.country.state@officer",
      "private_country_id:many2one:res.country@officer",
      "bank_account_ids:many2many:res.partner.bank@officer",
      "primary_bank_account_id:many2one:res.partner.bank@officer",
    ),
    "hr.version": toFields(
      `${contract} job_title employee_type:selection@officer date_version:date@officer`,
      "contract_type_id:many2one:hr.contract.type@administrator",
      "contract_date_start:date@administrator contract_date_end:date@administrator",
    ),
    "hr.contract.type": toFields("name code"),
    "hr.work.location": toFields(
      "active:boolean name location_type:selection address_id:many2one:res.partner",
    ),
  },
};

/**
 * Models that Odoo refuses to users without this group. Everybody may read the public part of
 * hr.employee.
 */
const refusedWithout: Record<string, string> = {
  "hr.version": officer,
  "hr.contract": administrator,
  "hr.contract.type": officer,
};

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

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { params, id = null } = (body.startsWith("{") ? JSON.parse(body) : { params: {} }) as {
      params: Record<string, unknown>;
      id?: unknown;
    };
    const path = request.url ?? "";
    const seen: SeenRequest = { path, kwargs: {}, requestId: id };
    if (path.startsWith("/web/dataset/"))
      Object.assign(seen, {
        model: params["model"],
        method: params["method"],
        kwargs: params["kwargs"],
      });
    this.requests.push(seen);
    const interference = this.interfere(seen);
    if (interference === "silence") return;
    if (interference)
      return void response
        .writeHead(interference.status, interference.headers)
        .end(interference.body);
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
    if (this.rotates) {
      this.#sessions.delete(sid ?? "");
      this.#startSession(session, response);
    }
    if (path === "/web/session/get_session_info") return { result: this.#sessionInfo(user) };
    if (path.startsWith("/web/dataset/call_kw/"))
      return this.#call(params as unknown as Call, user);
    return undefined;
  }

  #sessionInfo({ uid, login, lang = "en_US", tz = "" }: FakeUser): object {
    return { uid, user_context: { lang, tz: tz || false, uid }, username: login };
  }

  #startSession(session: FakeSession, response: ServerResponse): void {
    const sid = `cookie-marker-${++this.#cookiesGiven}`;
    this.#sessions.set(sid, session);
    response.setHeader("set-cookie", `session_id=${sid}; Max-Age=604800; HttpOnly; Path=/`);
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
    const fields = models[this.#options.version][model];
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
    if (method === "has_group") return this.#hasGroup(args, user);
    const isReadable = ({ group }: Field): boolean =>
      group === undefined || user.groups.includes(group);
    if (method === "fields_get") {
      const { allfields } = kwargs as { allfields: string[] };
      const listed = Object.entries({ id: { type: "integer" }, ...fields }).filter(
        ([name, field]) => allfields.includes(name) && isReadable(field),
      );
      return {
        result: Object.fromEntries(
          listed.map(([name, { type, relation }]: [string, Field]) => [
            name,
            { type, ...(relation && { relation }) },
          ]),
        ),
      };
    }
    if (method === "get_external_id") {
      const known = this.#options.externalIds?.[model] ?? {};
      const ids = args[0] as number[];
      return { result: Object.fromEntries(ids.map((id) => [id, known[id] ?? ""])) };
    }
    if (method !== "search_read")
      return fault("builtins.AttributeError", `The method '${model}.${method}' does not exist`);
    const needed = refusedWithout[model];
    const isOwn = model === "res.users";
    const isInternal = user.groups.includes("base.group_user");
    if ((!isInternal && !isOwn) || (needed && !user.groups.includes(needed)))
      return fault("odoo.exceptions.AccessError", `You are not allowed to access ${model}`);
    return this.#searchRead(model, fields, kwargs as unknown as Search, isReadable);
  }

  #hasGroup(args: unknown[], user: FakeUser): Reply {
    const isOfModel = typeof args[0] === "string";
    if (isOfModel !== (this.#options.version === 14))
      return fault("builtins.TypeError", "has_group() got other arguments");
    return { result: user.groups.includes(String(isOfModel ? args[0] : args[1])) };
  }

  #searchRead(
    model: string,
    fields: Record<string, Field>,
    { domain, fields: names, limit, order, context }: Search,
    isReadable: (field: Field) => boolean,
  ): Reply {
    for (const name of names) {
      const field = name === "id" ? { type: "integer" } : fields[name];
      if (!field) return fault("builtins.ValueError", `Invalid field '${name}' on '${model}'`);
      if (!isReadable(field))
        return fault(
          "odoo.exceptions.AccessError",
          `You do not have enough rights to access the field ${name}`,
        );
    }
    if (order !== "id")
      return fault("builtins.ValueError", "The order is not the one that the tests know");
    const found = (this.tables[model] ?? [])
      .filter((row) => context?.active_test === false || row["active"] !== false)
      .filter((row) => domain.every((condition) => isMatch(row, condition)))
      .sort((a, b) => a.id - b.id)
      .slice(0, limit);
    return {
      result: found.map((row) =>
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

interface Search {
  domain: [field: string, operator: string, value: unknown][];
  fields: string[];
  limit: number;
  order: string;
  context?: { active_test?: boolean; lang?: string };
}

function isMatch(row: OdooRow, [field, operator, value]: Search["domain"][number]): boolean {
  const actual = row[field] as string | number;
  switch (operator) {
    case "=":
      return actual === value;
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

import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import {
  MadeUpCompany,
  modelFields,
  versionIdsOf,
  type OdooRow,
  type Search,
} from "./made-up-company.ts";
import { RequestLog } from "./request-log.ts";

type Specification = Record<string, { fields?: Specification }>;

/** A request, as far as Odoo's protocol says what it asks. */
export interface Call {
  path: string;
  /** The model and method, or the path. */
  kind: string;
  /** The user name of the session. Empty before the sign-in. */
  account: string;
  model: string;
  method: string;
  search: Search & { fields: readonly string[] };
  /** The first page of the list of employees and all pages after it. */
  isEmployeePage: boolean;
  specification: Specification;
  params: Record<string, unknown>;
}

const versionInfo = {
  server_version: "19.0",
  server_version_info: [19, 0, 0, "final", 0, ""],
  server_serie: "19.0",
  protocol_version: 1,
};
const sessionInfo = { uid: 2, user_context: { lang: "en_US", tz: "UTC", uid: 2 } };

interface DeskOptions {
  employees: number;
  delayMs: number;
  /** Also gives employees with what they point to inside of them, as its sessions then say. */
  isNested?: boolean;
}

/** Answers as Odoo 19 does, for any user name and password and with a company of any size. */
export class OdooDesk {
  readonly company: MadeUpCompany;
  readonly log = new RequestLog();
  /** The wait before each page of records. */
  delayMs: number;
  readonly #isNested: boolean;
  readonly #sessionInfo: object;
  #sessions = 0;

  constructor({ employees, delayMs, isNested = false }: DeskOptions) {
    this.company = new MadeUpCompany(employees);
    this.delayMs = delayMs;
    this.#isNested = isNested;
    const { server_version_info } = versionInfo;
    this.#sessionInfo = { ...sessionInfo, ...(isNested && { server_version_info }) };
  }

  /** Reads the request and counts it. */
  async receive(request: IncomingMessage): Promise<Call> {
    const call = parseCall(request, await text(request));
    this.log.note(call.account, call.kind);
    if (call.isEmployeePage && call.search.after === 0)
      this.log.noteRead(call.account, "readsBegun");
    return call;
  }

  async answer(call: Call, response: ServerResponse): Promise<void> {
    if (call.path === "/web/webclient/version_info") return sendResult(response, versionInfo);
    if (call.path === "/web/database/list") return sendResult(response, ["people"]);
    if (call.path === "/web/session/authenticate") {
      this.startSession(String(call.params["login"]), response);
      return sendResult(response, this.#sessionInfo);
    }
    if (call.account === "") return sendError(response, 100, "odoo.http.SessionExpiredException");
    if (call.path === "/web/session/get_session_info")
      return sendResult(response, this.#sessionInfo);
    const fields = modelFields[call.model];
    if (call.method === "has_group") return sendResult(response, true);
    if (!fields) return sendError(response, 404, "werkzeug.exceptions.NotFound");
    if (call.method === "fields_get") {
      const { fields: wanted } = call.search;
      const listed = Object.entries(fields).filter(
        ([name]) => wanted.length === 0 || wanted.includes(name),
      );
      return sendResult(response, Object.fromEntries(listed));
    }
    if (call.method === "web_search_read" && this.#isNested)
      return this.#sendNested(call, response);
    if (call.method !== "search_read") return sendError(response, 200, "builtins.AttributeError");
    await this.#sendPage(call, response);
  }

  startSession(account: string, response: ServerResponse): void {
    const sid = `${Buffer.from(account).toString("base64url")}.${(this.#sessions += 1)}`;
    response.setHeader("set-cookie", `session_id=${sid}; Max-Age=604800; HttpOnly; Path=/`);
  }

  #sendNested({ model, search, specification }: Call, response: ServerResponse): void {
    const rows = [...this.company.find(model, search)];
    const records = rows.map((row) => this.#nest(model, row, specification));
    sendResult(response, { length: records.length, records });
  }

  #nest(model: string, row: OdooRow, specification: Specification): object {
    const values = Object.entries(specification).map(([name, { fields: inner }]) => {
      const { type, relation } = modelFields[model]?.[name] ?? { type: "char" };
      const value = name === "version_ids" ? versionIdsOf(row.id) : (row[name] ?? false);
      if (!inner || relation === undefined) return [name, value];
      const pointsTo = Array.isArray(value) ? (value as unknown[]) : [];
      const [id, label] = pointsTo;
      if (type === "many2one" && "display_name" in inner)
        return [name, id === undefined ? false : { id, display_name: label }];
      const ids = (type === "many2one" ? pointsTo.slice(0, 1) : pointsTo) as number[];
      const found = ids.map((one) => this.#nest(relation, this.company.row(relation, one), inner));
      return [name, type === "many2one" ? (found[0] ?? false) : found];
    });
    return { id: row.id, ...(Object.fromEntries(values) as object) };
  }

  /** Row by row, so that no page is held. */
  async #sendPage(call: Call, response: ServerResponse): Promise<void> {
    const { model, search, account } = call;
    if (this.delayMs > 0 && model !== "res.users") await delay(this.delayMs);
    response.setHeader("content-type", "application/json; charset=utf-8");
    response.write('{"jsonrpc":"2.0","id":null,"result":[');
    let rows = 0;
    for (const row of this.company.find(model, search)) {
      const cut = Object.fromEntries(search.fields.map((name) => [name, row[name] ?? false]));
      const isRoomLeft = response.write(`${rows === 0 ? "" : ","}${JSON.stringify(cut)}`);
      rows += 1;
      if (!isRoomLeft && !response.destroyed) await untilDrained(response);
      if (response.destroyed) return;
    }
    response.end("]}");
    if (call.isEmployeePage && rows < search.limit) this.log.noteRead(account, "readsCompleted");
  }
}

function parseCall(request: IncomingMessage, body: string): Call {
  const path = (request.url ?? "").split("?", 1)[0] ?? "";
  const { params = {} } = (body.startsWith("{") ? JSON.parse(body) : {}) as {
    params?: Record<string, unknown>;
  };
  const { model = "", method = "" } = params as { model?: string; method?: string };
  const kwargs = (params["kwargs"] ?? {}) as Record<string, unknown>;
  const domain = (kwargs["domain"] ?? []) as [string, string, unknown][];
  const find = (field: string, operator: string): unknown =>
    domain.findLast(([name, means]) => name === field && means === operator)?.[2];
  const search = {
    ids: (find("id", "in") ?? toList(find("id", "="))) as number[] | undefined,
    employeeIds: find("employee_id", "in") as number[] | undefined,
    after: (find("id", ">") ?? 0) as number,
    limit: (kwargs["limit"] ?? Infinity) as number,
    fields: (kwargs["fields"] ?? kwargs["allfields"] ?? []) as string[],
  };
  return {
    path,
    kind: model === "" ? path : `${model}.${method}`,
    account: accountOf(request),
    model,
    method,
    search,
    specification: (kwargs["specification"] ?? {}) as Specification,
    isEmployeePage: model === "hr.employee" && method === "search_read" && !search.ids,
    params,
  };
}

function accountOf(request: IncomingMessage): string {
  const [, sid = ""] = /session_id=([^;.]+)/.exec(request.headers.cookie ?? "") ?? [];
  return Buffer.from(sid, "base64url").toString();
}

function toList(id: unknown): unknown[] | undefined {
  return id === undefined ? undefined : [id];
}

/** Until there is room for more, or nobody reads any more. */
export async function untilDrained(stream: Writable): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  try {
    await Promise.race([once(stream, "drain", { signal }), once(stream, "close", { signal })]);
  } finally {
    over.abort();
  }
}

export function sendResult(response: ServerResponse, result: unknown): void {
  send(response, { result });
}

function sendError(response: ServerResponse, code: number, name: string): void {
  send(response, { error: { code, message: name, data: { name, message: name, arguments: [] } } });
}

function send(response: ServerResponse, reply: object): void {
  response.setHeader("content-type", "application/json; charset=utf-8");
  response.end(JSON.stringify({ jsonrpc: "2.0", id: null, ...reply }));
}

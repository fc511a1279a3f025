import {
  apiVersion,
  type Company,
  type Disconnection,
  type Employee,
  type GetEmployeeQuery,
  type Group,
  type Identity,
  type Introspection,
  type ListEmployeesQuery,
  type ListPayrunsQuery,
  type ListTimeOffEntriesQuery,
  type ListTimesheetsQuery,
  type Mode,
  type Payrun,
  type Payslip,
  type Resource,
  type TimeOffBalance,
  type TimeOffEntry,
  type Timesheet,
  type WorkLocation,
} from "./api.ts";
import type { RollcallEvent } from "./events.ts";
import { formatQuery, plain, type CallOptions, type Transport } from "./transport.ts";

/** What you store of a connection: what the exchange gave. */
export interface Connected {
  /** The credential. Keep it as you keep passwords. */
  access_token: string;
  /** The id of the token. */
  token: string;
  /** `xhr` when left out. */
  mode?: Mode | undefined;
}

export interface ReadOptions extends CallOptions {
  /** Takes no data that is older than a minute. */
  isFresh?: boolean | undefined;
}

/** The payslips of one pay run, or of all pay runs of a range of dates. */
export type PayslipsQuery = { payrun_id: string } | ListPayrunsQuery;

const longestHoldSeconds = 30;

/** Reads the data of one end user's account. Each method waits for the data until its deadline. */
export class Connection {
  readonly #transport: Transport;
  readonly #connected: Connected;

  constructor(transport: Transport, connected: Connected) {
    this.#transport = transport;
    this.#connected = {
      ...connected,
      access_token: plain("access_token", connected.access_token),
    };
  }

  async company(options?: ReadOptions): Promise<Company[]> {
    return await this.#read("company", "company", {}, options);
  }

  async employee(query: GetEmployeeQuery, options?: ReadOptions): Promise<Employee> {
    return await this.#read("employee", "employees", query, options);
  }

  async employees(query: ListEmployeesQuery = {}, options?: ReadOptions): Promise<Employee[]> {
    return await this.#read("employees", "employees", query, options);
  }

  async groups(options?: ReadOptions): Promise<Group[]> {
    return await this.#read("groups", "groups", {}, options);
  }

  /** Who signed in. It is known from the sign-in, so nothing is waited for. */
  async identity(options?: CallOptions): Promise<Identity> {
    return await this.#read("identity", undefined, {}, options);
  }

  async payruns(query: ListPayrunsQuery, options?: ReadOptions): Promise<Payrun[]> {
    return await this.#read("payruns", "payruns", query, options);
  }

  async payslips(query: PayslipsQuery, options?: ReadOptions): Promise<Payslip[]> {
    if (!("payrun_id" in query)) return await this.#read("payslips", "payslips", query, options);
    const path = `payruns/${encodeURIComponent(query.payrun_id)}`;
    return await this.#read(path, "payslips", {}, options, { payrun_id: query.payrun_id });
  }

  async timeOffBalances(options?: ReadOptions): Promise<TimeOffBalance[]> {
    return await this.#read("time-off-balances", "time-off-balances", {}, options);
  }

  async timeOffEntries(
    query: ListTimeOffEntriesQuery,
    options?: ReadOptions,
  ): Promise<TimeOffEntry[]> {
    return await this.#read("time-off-entries", "time-off-entries", query, options);
  }

  async timesheets(query: ListTimesheetsQuery, options?: ReadOptions): Promise<Timesheet[]> {
    return await this.#read("timesheets", "timesheets", query, options);
  }

  async workLocations(options?: ReadOptions): Promise<WorkLocation[]> {
    return await this.#read("work-locations", "work-locations", {}, options);
  }

  /** What the token is for, and whether it works. */
  async introspect(options?: CallOptions): Promise<Introspection> {
    const path = `/${apiVersion}/management/introspect`;
    return await this.#transport.call(this.#authorized("GET", path), options);
  }

  /** Ends the connection: what is stored for it is deleted, and the token is worth nothing from then on. */
  async disconnect(options?: CallOptions): Promise<Disconnection> {
    const call = this.#authorized("POST", `/${apiVersion}/management/disconnect`);
    return await this.#transport.call({ ...call, isRepeatable: true, isEnd: true }, options);
  }

  async #read<Body>(
    name: string,
    resource: Resource | undefined,
    query: object,
    { isFresh = false, ...options }: ReadOptions = {},
    parameters: object = query,
  ): Promise<Body> {
    const { token, mode = "xhr" } = this.#connected;
    const path = `/${apiVersion}/${mode}/${name}`;
    const call = {
      ...this.#authorized("GET", path),
      query,
      ...(resource && { holdSeconds: longestHoldSeconds }),
      copyKey: `${copiesOf(token)}${path}${formatQuery(query)}`,
      ...(isFresh && { headers: { "cache-control": "no-cache" } }),
      wakesAt: (event: RollcallEvent) => isAbout(event, { token, resource, parameters }),
    };
    return await this.#transport.call<Body>(call, options);
  }

  #authorized<Method extends "GET" | "POST">(method: Method, path: string) {
    const { access_token: accessToken, token } = this.#connected;
    return { method, path, authorization: `Bearer ${accessToken}`, copiesOf: copiesOf(token) };
  }
}

const copiesOf = (token: string): string => `${token} `;

interface Read {
  token: string;
  resource: Resource | undefined;
  parameters: object;
}

/** Whether a read of this data has come to its end. A filter of ours is no parameter of the read. */
function isAbout(event: RollcallEvent, { token, resource, parameters }: Read): boolean {
  if (event.type !== "data.ready" && event.type !== "data.failed") return false;
  const ours = parameters as Record<string, unknown>;
  return (
    event.data.token === token &&
    event.data.resource === resource &&
    Object.entries(event.data.parameters).every(([name, value]) => ours[name] === value)
  );
}

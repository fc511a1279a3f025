import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createSageCompany, type SageCompany, type Wire } from "./sage-hr-people.ts";

/** An answer in place of the server's own. `cut-off` ends it in the middle. */
export interface SageAnswer {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

export interface SeenSageRequest {
  path: string;
  query: Readonly<Record<string, string>>;
}

type Body = { data: unknown; meta?: Wire };
type Answer = { status: number; body?: Body };

export const sageKey = "key-marker-sage";
const msOfDay = 86_400_000;
/** The most days between the first and the last of one question. */
const mostDays = 64;

/** A server that answers as Sage HR does. */
export class FakeSageHr {
  readonly requests: SeenSageRequest[] = [];
  company: SageCompany = createSageCompany();
  keys: string[] = [sageKey];
  pageSize = 50;
  /** What a page does not tell of itself. */
  untold: readonly string[] = [];
  /** Beginnings of paths that the key does not open. */
  forbidden: readonly string[] = [];
  /** Whether the list of requests has what overlaps the days, or what starts in them. */
  listsOverlapping = true;
  interfere: (request: SeenSageRequest) => SageAnswer | "cut-off" | undefined = () => undefined;
  readonly #server: Server;

  static async start(): Promise<FakeSageHr> {
    const fake = new FakeSageHr();
    fake.#server.listen(0, "127.0.0.1");
    await once(fake.#server, "listening");
    return fake;
  }

  private constructor() {
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? "/", "http://sage");
    const seen = {
      path: url.pathname.replace(/^\/api/, ""),
      query: Object.fromEntries(url.searchParams),
    };
    this.requests.push(seen);
    const own = this.interfere(seen);
    if (own === "cut-off") {
      response.writeHead(200, { "content-type": "application/json", "content-length": "9000" });
      return void response.write('{"data":[', () => response.destroy());
    }
    if (own)
      return void response
        .writeHead(own.status, { "content-type": "application/json", ...own.headers })
        .end(own.body ?? "");
    const { status, body } = this.route(seen, request.headers["x-auth-token"]);
    const json = JSON.stringify(body ?? { error: "refused" });
    response.writeHead(status, { "content-type": "application/json" }).end(json);
  }

  /** What it answers, for who has no socket. */
  route({ path, query }: SeenSageRequest, key: unknown): Answer {
    if (!this.keys.includes(String(key))) return { status: 401 };
    if (this.forbidden.some((start) => path.startsWith(start))) return { status: 403 };
    const { people, leavers, teams, policies, balances, compensations } = this.company;
    const [, room, id = "", ...rest] = path.split("/");
    switch (`${room}/${rest.join("/")}`) {
      case "employees/":
        return this.#page(people, query, (one) => this.#withHistories(one, query));
      case "employees/compensations":
        return this.#ofPerson(id, () => this.#page(compensations[id] ?? [], query));
      case "employees/leave-management/balances":
        return this.#ofPerson(id, () => all(balances[id] ?? []));
      case "terminated-employees/":
        return this.#page(leavers, query);
      case "teams/":
        return this.#page(teams, query);
      case "leave-management/":
        return id === "policies" ? all(policies) : this.#leave(id, query);
      default:
        return { status: 404 };
    }
  }

  #leave(path: string, query: SeenSageRequest["query"]): Answer {
    const { requests, away } = this.company;
    if (path === "out-of-office-today")
      return all(requests.filter(({ id }) => away.includes(Number(id))));
    if (path !== "requests") return { status: 404 };
    const { from = "2026-03-01", to = "2026-03-31" } = query;
    if ((Date.parse(to) - Date.parse(from)) / msOfDay > mostDays) return { status: 422 };
    const isListed = ({ start_date: start, end_date: end }: Wire): boolean =>
      String(start) <= to && String(this.listsOverlapping ? end : start) >= from;
    return this.#page(requests.filter(isListed), query);
  }

  /** Histories come when they are asked for alone. */
  #withHistories(person: Wire, query: SeenSageRequest["query"]): Wire {
    const names = ["team_history", "employment_status_history", "position_history"];
    const left = new Set(names.filter((name) => query[name] !== "true"));
    return Object.fromEntries(Object.entries(person).filter(([name]) => !left.has(name)));
  }

  #ofPerson(id: string, answer: () => Answer): Answer {
    return this.company.people.some((one) => String(one["id"]) === id) ? answer() : { status: 404 };
  }

  #page(
    records: readonly Wire[],
    query: SeenSageRequest["query"],
    show = (record: Wire): Wire => record,
  ): Answer {
    const page = Number(query["page"] ?? 1);
    const pages = Math.max(1, Math.ceil(records.length / this.pageSize));
    const meta = {
      current_page: page,
      next_page: page < pages ? page + 1 : null,
      previous_page: page > 1 ? page - 1 : null,
      total_pages: pages,
      per_page: this.pageSize,
      total_entries: records.length,
    };
    const data = records.slice((page - 1) * this.pageSize, page * this.pageSize).map(show);
    for (const name of this.untold) delete (meta as Wire)[name];
    return { status: 200, body: { data, meta } };
  }
}

function all(data: unknown): Answer {
  return { status: 200, body: { data } };
}

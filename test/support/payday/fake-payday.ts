import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { isDeepStrictEqual } from "node:util";
import {
  absences,
  balances,
  company,
  payruns,
  payslips,
  people,
  shifts,
  users,
  type User,
} from "./payday-data.ts";

/** What the server does after the sign-in. */
export type Trouble =
  { status: number; headers?: Record<string, string> } | "cut-off" | "no-session";

interface Options {
  pageSize?: number;
  trouble?: Trouble | undefined;
}

type Answer = [status: number, body: object];

/** A payroll system. Its clock times are those of Berlin. */
export class FakePayday {
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #options: Options;
  readonly #sessions = new Map<string, User>();
  #logins = 0;
  isInTrouble = false;

  static async start(options: Options): Promise<FakePayday> {
    const fake = new FakePayday(options);
    fake.#server.listen(0, "127.0.0.1");
    await once(fake.#server, "listening");
    return fake;
  }

  private constructor(options: Options) {
    this.#options = options;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get openSessions(): number {
    return this.#sessions.size;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const url = new URL(request.url ?? "/", this.origin);
    const { trouble } = this.#options;
    if (trouble === "cut-off" && this.isInTrouble && url.searchParams.get("page") === "2")
      return void response.destroy();
    const [status, answer] = this.#find(request, url, body);
    const headers = typeof trouble === "object" && this.isInTrouble ? trouble.headers : {};
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(answer));
  }

  #find({ method, headers }: IncomingMessage, url: URL, body: string): Answer {
    const { trouble } = this.#options;
    if (this.isInTrouble && trouble === "no-session") this.#sessions.clear();
    if (this.isInTrouble && typeof trouble === "object") return [trouble.status, {}];
    const token = headers["x-session"] as string;
    if (url.pathname === "/login" && method === "POST") return this.#logIn(JSON.parse(body));
    const user = this.#sessions.get(token);
    if (!user) return [401, { error: "no_session" }];
    if (url.pathname === "/login") return [this.#sessions.delete(token) ? 200 : 404, {}];
    return this.#read(user, url);
  }

  #logIn(typed: Pick<User, "name" | "password">): Answer {
    const user = users.find(({ name, password }) =>
      isDeepStrictEqual(typed, { name: name.toLowerCase(), password }),
    );
    if (!user) return [401, { error: "wrong_password" }];
    const token = `session-of-payday-${(this.#logins += 1)}`;
    this.#sessions.set(token, user);
    return [200, { token, user: user.id }];
  }

  #read(user: User, { pathname, searchParams }: URL): Answer {
    const { run, from = "", to = "", by = "", page } = Object.fromEntries(searchParams);
    const isPaid = !user.isClerk;
    switch (pathname) {
      case "/me":
        return [200, { id: user.id, name: "Ada Lindqvist", mail: user.name, mayReadPay: isPaid }];
      case "/company":
        return [200, company];
      case "/people":
        return [200, this.#pageOf(people, page)];
      case "/balances":
        return [200, { items: balances }];
      case "/absences":
        return [200, { items: absences.filter((one) => isAsked(one, by, { from, to })) }];
      case "/shifts": {
        const isIn = (one: { from: string }): boolean => isBetween(one.from.slice(0, 10), from, to);
        return [200, { items: shifts.filter(isIn) }];
      }
      case "/payruns": {
        const dayOf = by === "payment" ? "paid" : "from";
        return isPaid
          ? [200, { items: payruns.filter((one) => isBetween(one[dayOf], from, to)) }]
          : [403, {}];
      }
      case "/payslips": {
        const found = payslips.filter((one) => run === undefined || String(one.run) === run);
        return isPaid ? [200, this.#pageOf(found, page)] : [403, {}];
      }
      default:
        return [404, {}];
    }
  }

  #pageOf<Item>(items: readonly Item[], page = "1"): object {
    const { pageSize = 50 } = this.#options;
    const start = (Number(page) - 1) * pageSize;
    return {
      items: items.slice(start, start + pageSize),
      pages: Math.ceil(items.length / pageSize),
    };
  }
}

function isAsked(
  one: { from: string; to: string },
  by: string,
  { from, to }: { from: string; to: string },
): boolean {
  return by === "overlap"
    ? one.from <= to && one.to >= from
    : isBetween(one.from, from, to) && isBetween(one.to, from, to);
}

function isBetween(day: string, from: string, to: string): boolean {
  return day >= from && day <= to;
}

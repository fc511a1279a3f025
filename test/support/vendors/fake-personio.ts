import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { describeViolations } from "./personio-requests.ts";
import {
  absencePeriod,
  balances,
  createPeople,
  idOf,
  period,
  timeOff,
  timeOffTypes,
  type PersonioRecord,
} from "./personio-records.ts";

export interface PersonioAnswer {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

interface SeenRequest {
  path: string;
  query: Record<string, string>;
}

const right = { client_id: "papi-1", client_secret: "papi-secret" };
const problem = (status: number, title: string): PersonioAnswer => ({
  status,
  body: { personio_trace_id: "trace", timestamp: "2026-03-02T09:00:00Z", errors: [{ title }] },
});
const failure = (code: number, message: string): PersonioAnswer => ({
  status: code,
  body: { success: false, error: { code, message } },
});

/**
 * Answers as Personio does. It keeps what a request has that Personio does not name. Personio's own description has no
 * licence, so the rules of requests stand in personio-requests.ts.
 */
export class FakePersonio {
  readonly #violations: string[] = [];
  readonly requests: SeenRequest[] = [];
  people = createPeople();
  timeOffs = [timeOff(61), timeOff(62, { status: "cancelled" })];
  absencePeriods = [absencePeriod("9bba303f")];
  periods = [
    period("w-1", "WORK", ["2026-03-02T09:00:00", "2026-03-02T17:00:00"]),
    period("b-1", "BREAK", ["2026-03-02T12:00:00", "2026-03-02T12:30:00"]),
  ];
  legalEntities: PersonioRecord[] = [{ id: "7033", name: "Ferme & Fils GmbH" }];
  departments: PersonioRecord[] = [
    { id: "21", name: "Support" },
    { id: "22", name: "Sales" },
  ];
  teams: PersonioRecord[] = [{ id: "21", name: "Night" }];
  costCenters: PersonioRecord[] = [{ id: "31", name: "Rhine" }];
  workplaces: PersonioRecord[] = [
    { id: "41", name: "München" },
    { id: "42", name: "Lyon" },
  ];
  /** Of v2, by the ids of people. Everybody else has one. */
  employments: Record<string, PersonioRecord[]> = {};
  compensations: PersonioRecord[] = [];
  /** Attributes that the credential may not read. */
  hidden: readonly string[] = [];
  /** Paths that are answered with a status, such as 403 or 404. */
  refused: Record<string, number> = {};
  interfere: (request: SeenRequest) => PersonioAnswer | "cut-off" | undefined = () => undefined;
  /** The cursor is refused, or comes again and again. */
  cursorTrouble: "refused" | "repeated" | undefined;
  credential = right;
  /** Works, too, until the tokens end. */
  readonly otherCredential = { client_id: "papi-3", client_secret: "papi-secret-3" };
  /** The tokens of both versions end with it. */
  #token = 1;
  readonly #server: Server;

  static async start(): Promise<FakePersonio> {
    const fake = new FakePersonio();
    fake.#server.listen(0, "127.0.0.1");
    await once(fake.#server, "listening");
    return fake;
  }

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Throws what Personio does not name of what it was asked. */
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
    if (this.#violations.length > 0) throw new Error([...new Set(this.#violations)].join("; "));
  }

  endTokens(): void {
    this.#token += 1;
  }

  countRequests(path: string): number {
    return this.requests.filter((request) => request.path === path).length;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const url = new URL(request.url ?? "/", this.origin);
    const query = Object.fromEntries(url.searchParams);
    const seen = { path: url.pathname, query };
    this.requests.push(seen);
    const { method = "", headers } = request;
    // What has no token and asks for none is no adapter's, but a probe of a service that had this port before.
    if (headers.authorization ?? method === "POST")
      this.#violations.push(...describeViolations({ ...seen, method, headers, body }));
    const answer =
      this.interfere(seen) ?? this.#route(seen, headers.authorization, new URLSearchParams(body));
    if (answer === "cut-off") {
      const headers = { "content-type": "application/json", "content-length": "9000" };
      response.writeHead(200, { ...headers, connection: "close" });
      return void response.end('{"success":true,"data":[');
    }
    response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
    response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body));
  }

  #route(seen: SeenRequest, authorization: string | undefined, form: URLSearchParams) {
    const { path } = seen;
    const isRight = [this.credential, this.otherCredential].some(
      ({ client_id: id, client_secret: secret }) =>
        form.get("client_id") === id && form.get("client_secret") === secret,
    );
    const token = { scope: "all", expires_in: 86_400 };
    if (path === "/v1/auth")
      return isRight
        ? ok({ success: true, data: { ...token, token: `v1-${this.#token}` } })
        : failure(403, "Wrong credentials");
    if (path === "/v2/auth/token")
      return isRight
        ? ok({ ...token, access_token: `v2-${this.#token}`, token_type: "Bearer" })
        : { status: 400, body: { error: "invalid_client", error_description: "", trace_id: "1" } };
    const version = path.slice(1, 3);
    if (authorization !== `Bearer ${version}-${this.#token}`)
      return version === "v1" ? failure(401, "Authorization is not provided") : problem(401, "No");
    const refusal = this.refused[path];
    if (refusal !== undefined)
      return version === "v1"
        ? failure(refusal, "Provided authorization is not valid")
        : problem(refusal, "Insufficient access scope");
    return version === "v1" ? this.#readFirst(seen) : this.#readSecond(seen);
  }

  #readFirst({ path, query }: SeenRequest): PersonioAnswer {
    const offset = Number(query["offset"] ?? 0);
    const balanceOf = /^\/v1\/company\/employees\/(\d+)\/absences\/balance$/.exec(path)?.[1];
    if (balanceOf !== undefined) {
      const isKnown = this.people.some(({ record }) => idOf(record) === Number(balanceOf));
      return isKnown ? ok({ success: true, data: balances }) : failure(404, "Problem");
    }
    switch (path) {
      case "/v1/company/employees/attributes":
        return ok({ success: true, data: this.#listAttributes() });
      case "/v1/company/employees": {
        const since = query["updated_since"];
        const people = this.people
          .filter(({ updatedAt }) => since === undefined || updatedAt > since)
          .map(({ record }) => this.#show(record));
        // With `updated_since` the paging is ignored.
        return since === undefined ? page(people, query, offset) : page(people, {}, 0);
      }
      case "/v1/company/time-off-types":
        return page(
          timeOffTypes.map((attributes) => ({ type: "TimeOffType", attributes })),
          query,
          offset,
        );
      case "/v1/company/time-offs":
        // The offset is the number of a page, and 0 and 1 are the same.
        return page(this.timeOffs, query, (Math.max(1, offset) - 1) * Number(query["limit"]));
      case "/v1/company/absence-periods":
        return page(this.absencePeriods, query, offset);
      default:
        return failure(404, "Not found");
    }
  }

  #readSecond({ path, query }: SeenRequest): PersonioAnswer {
    const [from = "", to = ""] = [query["attribution_date.gte"], query["attribution_date.lte"]];
    const ofPerson = /^\/v2\/persons\/(\d+)\/employments$/.exec(path)?.[1] ?? "";
    const ids = (query["id"] ?? "").split(",");
    const lists: Record<string, PersonioRecord[]> = {
      "/v2/persons": this.people
        .map(({ record }) => String(idOf(record)))
        .filter((id) => ids.includes(id))
        .map((id) => ({ id, employments: this.employments[id] ?? [{ id: `e-${id}` }] })),
      [`/v2/persons/${ofPerson}/employments`]: this.employments[ofPerson] ?? [],
      "/v2/compensations": this.compensations.filter(({ person }) => {
        const { id } = person as { id: string };
        return id === (query["person.id"] ?? id);
      }),
      "/v2/legal-entities": this.legalEntities,
      "/v2/org-units": query["type"] === "team" ? this.teams : this.departments,
      "/v2/cost-centers": this.costCenters,
      "/v2/workplaces": this.workplaces,
      "/v2/attendance-periods": this.periods.filter(({ attribution_date: day }) => {
        return String(day) >= from && (to === "" || String(day) <= to);
      }),
    };
    const list = lists[path];
    if (!list) return problem(404, "Not found");
    const { cursor } = query;
    if (cursor !== undefined && this.cursorTrouble === "refused")
      return problem(400, "Bad request");
    const start = cursor === undefined ? 0 : Number(cursor.slice(4));
    const end = start + Number(query["limit"]);
    const next = this.cursorTrouble === "repeated" ? "cur-1" : `cur-${end}`;
    // The path of the link is not the one of the list.
    const links = end < list.length ? { next: { href: `/wrong?cursor=${next}` } } : {};
    return ok({ _data: list.slice(start, end), _meta: { links } });
  }

  #listAttributes(): PersonioRecord[] {
    const known = this.people.flatMap(({ record }) => Object.keys(record["attributes"] as object));
    const keys = [...new Set(known)].filter((key) => key !== "id" && !this.hidden.includes(key));
    return keys.map((key) => ({
      key,
      label: key,
      type: "standard",
      universal_id: key,
      options: [],
    }));
  }

  #show({ type, attributes }: PersonioRecord): PersonioRecord {
    const shown = Object.entries(attributes as object).filter(
      ([key]) => !this.hidden.includes(key),
    );
    return { type, attributes: Object.fromEntries(shown) };
  }
}

function ok(body: PersonioRecord): PersonioAnswer {
  return { status: 200, body };
}

/** v1 counts all records; its number of pages is of no use. */
function page(
  all: readonly PersonioRecord[],
  query: Record<string, string>,
  offset: number,
): PersonioAnswer {
  const data = all.slice(offset, offset + Number(query["limit"] ?? all.length));
  const metadata = { total_elements: all.length, current_page: 0, total_pages: 3 };
  return ok({ success: true, metadata, offset: String(offset), limit: "200,", data });
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Exchange, Recording } from "./recording.ts";
import { originPlace } from "./seen-recording.ts";
import { hideDates } from "./shift-dates.ts";

/** What is answered instead of what was recorded. */
export interface Twist {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** The connection ends in the middle of the body. */
  isCutOff?: boolean;
}

export interface ReplayOptions {
  /** Called for each answer before it is sent. Undefined: it is sent as it was recorded. */
  twist?: (exchange: Exchange) => Twist | undefined;
  /** Called for a request that the recording has no answer to, such as `GET /employees`. */
  onMissing: (request: string) => void;
}

const json = { "content-type": "application/json" };

interface Asked {
  method: string;
  path: string;
  query: string;
  sent: string;
}

/** Without the parts that another day or another run changes. */
type Spelling = (asked: Asked) => string;

const spellings: readonly Spelling[] = [
  ({ method, path, query, sent }) => [method, path, query, sent].join("\n"),
  ({ method, path, query, sent }) => hideDates([method, path, query, sent].join("\n")),
  ({ method, path, query }) => hideDates([method, path, query].join("\n")),
];

/** A system that answers what was recorded of it. It listens on this machine alone. */
export class ReplayServer {
  readonly #known: readonly ReadonlyMap<string, Exchange[]>[];
  /** How often each answer was given. */
  readonly #given = new Map<Exchange, number>();
  readonly #options: ReplayOptions;
  readonly #server: Server;
  #baseUrl = "";

  constructor({ signIn, steps }: Recording, options: ReplayOptions) {
    const exchanges = [...signIn, ...steps.flatMap((step) => step.exchanges)];
    this.#known = spellings.map((spell) => groupBySpelling(exchanges, spell));
    this.#options = options;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  get baseUrl(): string {
    return this.#baseUrl;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject).listen(0, "127.0.0.1", resolve);
    });
    const { port } = this.#server.address() as AddressInfo;
    this.#baseUrl = `http://127.0.0.1:${port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => void this.#server.close(() => resolve()));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET", url = "/" } = request;
    const sent = await text(request).catch(() => "");
    const target = new URL(url, this.#baseUrl);
    const asked = {
      method,
      path: target.pathname,
      query: spellQuery([...target.searchParams]),
      sent: sent.replaceAll(this.#baseUrl, originPlace),
    };
    const exchange = this.#find(asked);
    const unknown = { ...asked, query: [], status: 404, headers: json, body: "{}" };
    const twist = this.#options.twist?.(exchange ?? unknown);
    if (!twist && !exchange) this.#options.onMissing(`${method} ${target.pathname}`);
    send(response, twist ?? this.#toAnswer(exchange ?? unknown));
  }

  /** Of several answers to the same request, the first of those that were given least often. */
  #find(asked: Asked): Exchange | undefined {
    for (const [index, spell] of spellings.entries()) {
      const found = this.#known[index]?.get(spell(asked));
      if (!found) continue;
      const least = Math.min(...found.map((exchange) => this.#given.get(exchange) ?? 0));
      const next = found.find((exchange) => (this.#given.get(exchange) ?? 0) === least);
      if (next) this.#given.set(next, least + 1);
      return next;
    }
    return undefined;
  }

  #toAnswer({ status, headers, body }: Exchange): Twist {
    const here = (value: string): string => value.replaceAll(originPlace, this.#baseUrl);
    const placed = Object.entries(headers).map(([name, value]) => [name, here(value)]);
    return {
      status,
      headers: Object.fromEntries(placed) as Record<string, string>,
      body: here(body),
    };
  }
}

function groupBySpelling(exchanges: readonly Exchange[], spell: Spelling): Map<string, Exchange[]> {
  return Map.groupBy(exchanges, ({ method, path, query, sent }) =>
    spell({ method, path, query: spellQuery(query), sent: sent ?? "" }),
  );
}

/** In whatever order the names stand. */
function spellQuery(query: readonly (readonly [string, string])[]): string {
  return query
    .map((pair) => pair.join("="))
    .toSorted()
    .join("&");
}

function send(
  response: ServerResponse,
  { status, headers = {}, body = "", isCutOff }: Twist,
): void {
  const cookies = headers["set-cookie"]?.split("\n");
  const all = { ...headers, ...(cookies && { "set-cookie": cookies }) };
  if (!isCutOff) return void response.writeHead(status, all).end(body);
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...all, "content-length": bytes.length });
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
}

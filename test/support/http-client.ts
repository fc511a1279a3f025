import { Agent, request as send } from "undici";
import { checkOfProgram } from "./description-check.ts";
import { projectDir } from "./program-environment.ts";

export interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** Parsed when the reply is JSON and not compressed. */
  body: unknown;
  bytes: Buffer;
}

interface RequestOptions {
  headers?: Record<string, string | string[]>;
  bearer?: string | undefined;
  basic?: [string, string];
  json?: unknown;
  body?: string | Buffer;
  query?: Record<string, string>;
}

interface Described {
  swagger: () => unknown;
}

/** Sends requests over a socket and checks every reply against the published description. */
export class HttpClient {
  readonly #baseUrl: string;
  readonly #app: Described;
  readonly #program: string;
  readonly #agent = new Agent({ pipelining: 1, keepAliveTimeout: 500 });

  /** `program` is the folder of the program that answers. */
  constructor(baseUrl: string, app: Described, program = projectDir) {
    this.#baseUrl = baseUrl;
    this.#app = app;
    this.#program = program;
  }

  get(path: string, options?: RequestOptions): Promise<Reply> {
    return this.request("GET", path, options);
  }

  post(path: string, options?: RequestOptions): Promise<Reply> {
    return this.request("POST", path, options);
  }

  async request(
    method: string,
    path: string,
    { headers = {}, bearer, basic, json, body, query }: RequestOptions = {},
  ): Promise<Reply> {
    const response = await send(this.#baseUrl + path, {
      dispatcher: this.#agent,
      method,
      ...(query && { query }),
      headers: {
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
        ...(basic && { authorization: `Basic ${Buffer.from(basic.join(":")).toString("base64")}` }),
        ...(json !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      body: json === undefined ? (body ?? null) : JSON.stringify(json),
    });
    const bytes = Buffer.from(await response.body.arrayBuffer());
    const reply: Reply = {
      status: response.statusCode,
      headers: response.headers,
      bytes,
      body: parse(response.headers, bytes),
    };
    const check = await checkOfProgram(this.#program, () => this.#app.swagger());
    check.verify(method, path, reply);
    return reply;
  }
}

function parse(headers: Record<string, unknown>, bytes: Buffer): unknown {
  const isJson =
    String(headers["content-type"]).startsWith("application/json") &&
    headers["content-encoding"] === undefined;
  return isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined;
}

import type { z } from "zod";
import type { ProviderRequest, ProviderResponse } from "../../platform/outbound/index.ts";
import type { AuthErrorCode } from "../../model/index.ts";
import type { Cursor, ProviderContext, ReadContext, Session } from "../contract.ts";
import { AuthError, OperationNotSupported, ProviderBug } from "../errors.ts";
import { readPages, type PagedList, type RestPage } from "./paging.ts";

/**
 * What an answer means: the session has ended, the account may not read it, or lacks it, there is no such thing (then
 * the answer is null), or the request is refused as it is.
 */
export type Meaning = "ended" | "forbidden" | "unsupported" | "absent" | "refused";

/** By status. A function looks at headers and body too; undefined when they say nothing. */
export type Meanings = Readonly<
  Record<number, Meaning | ((answer: ProviderResponse) => Meaning | undefined)>
>;

/** How a system is asked that answers in JSON. */
export interface RestDefinition<Form> {
  /** The form of the stored session. */
  session: z.ZodType<Form>;
  /** Where it answers, or where it does for a session. */
  origin: string | ((session: Form) => string);
  /** The headers by which a request proves itself, such as `kit.auth` makes. None for one that asks for a token. */
  auth: (session: Form, request: RestRequest) => Readonly<Record<string, string>>;
  /** Further headers of each request. */
  headers?: Readonly<Record<string, string>>;
  /** The quotas that a request counts against, each with the value that it is counted by. */
  draws?: (session: Form, request: RestRequest) => Readonly<Record<string, string>>;
  /** 401 is `ended` and 403 `forbidden` unless said otherwise. Any other status from 400 on that is not named is a bug. */
  errors?: Meanings;
}

export interface RestRequest extends Pick<
  ProviderRequest,
  "query" | "json" | "form" | "headers" | "isIdempotent"
> {
  method?: "GET" | "POST";
  /** Behind the origin. */
  path: string;
  /** Of this request, before those of all. */
  errors?: Meanings;
}

type RequestOptions = Omit<RestRequest, "path" | "method">;
export type RestList = PagedList & RequestOptions & Pick<RestRequest, "method">;

/** The request was refused as it is, such as one with a cursor that the system has forgotten. */
export class RequestRefused extends ProviderBug {}

/** The headers by which requests prove themselves. */
export const auth = {
  basic: (user: string, password: string) => ({
    authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
  }),
  bearer: (token: string) => ({ authorization: `Bearer ${token}` }),
  header: (name: string, value: string) => ({ [name.toLowerCase()]: value }),
} as const;

const usualErrors: Meanings = { 401: "ended", 403: "forbidden" };

type Send = <Result>(
  request: RestRequest,
  read: (answer: ProviderResponse) => Result,
) => Promise<Result>;

/** A system as it is declared. */
export class Rest<Form> {
  readonly #definition: RestDefinition<Form>;

  constructor(definition: RestDefinition<Form>) {
    this.#definition = definition;
  }

  /** Throws ProviderBug for a stored session of another form. */
  parse(session: Session): Form {
    const { data } = this.#definition.session.safeParse(session);
    if (data === undefined)
      throw new ProviderBug("the stored session does not have this adapter's shape");
    return data;
  }

  /** With what the person has typed: a session that has ended means that it is wrong. */
  atSignIn(context: ProviderContext, session: Form): RestClient {
    return this.#clientOf(context, session, "incorrect_username_or_password");
  }

  /** With a session, outside of a read. */
  with(context: ProviderContext, session: Session): RestClient {
    return this.#clientOf(context, this.parse(session), "reauthentication_required");
  }

  /** In a read: each request with the newest session. */
  inRead(context: ReadContext): RestClient {
    const send: Send = (request, read) =>
      context.withSession(async (session) =>
        read(await this.#send(context, this.parse(session), request)),
      );
    return this.#client(send, "reauthentication_required");
  }

  #clientOf(context: ProviderContext, session: Form, ended: AuthErrorCode): RestClient {
    return this.#client(
      async (request, read) => read(await this.#send(context, session, request)),
      ended,
    );
  }

  #client(send: Send, ended: AuthErrorCode): RestClient {
    return new RestClient(send, this.#definition.errors ?? {}, ended);
  }

  async #send(
    context: Pick<ProviderContext, "http">,
    session: Form,
    request: RestRequest,
  ): Promise<ProviderResponse> {
    const { origin, auth: prove, draws, headers } = this.#definition;
    const at = typeof origin === "string" ? origin : origin(session);
    const { path, errors: _errors, ...rest } = request;
    return await context.http(at, draws ? { draws: draws(session, request) } : {}).request({
      ...rest,
      url: at + path,
      headers: {
        accept: "application/json",
        ...headers,
        ...prove(session, request),
        ...request.headers,
      },
    });
  }
}

export function rest<Form>(definition: RestDefinition<Form>): Rest<Form> {
  return new Rest(definition);
}

/** Makes requests. The sentences of its failures name method and path, and nothing of an answer but its status. */
export class RestClient {
  readonly #send: Send;
  readonly #errors: Meanings;
  readonly #ended: AuthErrorCode;

  constructor(send: Send, errors: Meanings, ended: AuthErrorCode) {
    this.#send = send;
    this.#errors = errors;
    this.#ended = ended;
  }

  /** The body. Null for a status that means `absent`. */
  async get(path: string, options: RequestOptions = {}): Promise<unknown> {
    return (await this.#ask({ ...options, path })).body;
  }

  /** Sends it once, unless it is said to be idempotent. Null for a status that means `absent`. */
  async post(path: string, options: RequestOptions = {}): Promise<unknown> {
    return (await this.#ask({ ...options, path, method: "POST" })).body;
  }

  /** Page by page, from the start or from where an earlier page said. */
  pages(list: RestList, start?: Cursor): AsyncGenerator<RestPage> {
    const { paging: _paging, items: _items, idOf: _idOf, ...request } = list;
    return readPages(
      (page) =>
        this.#ask(
          "path" in page
            ? { ...request, path: page.path, query: {} }
            : { ...request, query: { ...request.query, ...page.query } },
        ),
      list,
      start,
    );
  }

  /** The whole list. When the system has forgotten a cursor of its own, the list is read anew, once. */
  async all(list: RestList): Promise<unknown[]> {
    try {
      return await this.#collect(list);
    } catch (error) {
      if (list.paging.by !== "cursor" || !(error instanceof RequestRefused)) throw error;
      return await this.#collect(list);
    }
  }

  async #collect(list: RestList): Promise<unknown[]> {
    const found: unknown[] = [];
    for await (const { items } of this.pages(list)) found.push(...items);
    return found;
  }

  async #ask(
    request: RestRequest,
  ): Promise<{ body: unknown; headers: ProviderResponse["headers"] }> {
    const label = `${request.method ?? "GET"} ${withoutIds(request.path)}`;
    return await this.#send(request, (answer) => {
      const meaning = this.#meaningOf(answer, request.errors);
      if (meaning !== undefined && meaning !== "absent") throw this.#failure(meaning, label);
      if (meaning === undefined && answer.status >= 300)
        throw new ProviderBug(`${label} was answered with ${answer.status}`);
      return {
        body: meaning === "absent" ? null : readBody(answer, label),
        headers: answer.headers,
      };
    });
  }

  #meaningOf(answer: ProviderResponse, own: Meanings = {}): Meaning | undefined {
    const { status } = answer;
    for (const meaning of [own[status], this.#errors[status], usualErrors[status]]) {
      const told = typeof meaning === "function" ? meaning(answer) : meaning;
      if (told !== undefined) return told;
    }
    return undefined;
  }

  #failure(meaning: Exclude<Meaning, "absent">, label: string): Error {
    switch (meaning) {
      case "ended":
        return new AuthError(this.#ended);
      case "forbidden":
        return new AuthError("insufficient_permission");
      case "unsupported":
        return new OperationNotSupported(`${label} is not there for this account`);
      case "refused":
        return new RequestRefused(`${label} was refused as it is`);
    }
  }
}

const shortestKey = 8;
const longestWord = 24;

/** The path without its query, and without what names one record. */
function withoutIds(path: string): string {
  const [plain = ""] = path.split("?");
  return plain
    .split("/")
    .map((part) => (isId(part) ? "…" : part))
    .join("/");
}

/** A number, a long text with a digit, or one longer than words are. */
function isId(part: string): boolean {
  const isLong = part.length >= shortestKey && /\d/.test(part);
  return isLong || part.length >= longestWord || /^\d+$/.test(part);
}

function readBody(answer: ProviderResponse, label: string): unknown {
  if (answer.status === 204 || answer.bytes.length === 0) return null;
  if (!(answer.headers["content-type"] ?? "").includes("json"))
    throw new ProviderBug(`${label} was answered with what is not JSON`);
  return answer.json();
}

/** Works on so many at once, and begins no more when one fails. The results are in the order of the items. */
export async function eachAtOnce<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += atOnce) {
    const begun = items.slice(start, start + atOnce).map(work);
    await Promise.allSettled(begun);
    results.push(...(await Promise.all(begun)));
  }
  return results;
}

import type { z } from "zod";
import type { ProviderRequest, ProviderResponse } from "../../platform/outbound/index.ts";
import type { AuthErrorCode } from "../../model/index.ts";
import type { Cursor, ProviderContext, ReadContext, Session } from "../contract.ts";
import { AuthError, OperationNotSupported, ProviderBug, ProviderDown } from "../errors.ts";
import { json, type BodyFormat } from "./body-format.ts";
import { readPages, type PagedList, type PageRequest, type RestPage } from "./paging.ts";

/**
 * What an answer means: the session has ended, the account may not read it, or lacks it, there is no such thing, the
 * request is refused as it is, or the system fails for a while. An error is thrown as it is.
 */
export type Meaning = "ended" | "forbidden" | "unsupported" | "absent" | "refused" | "down" | Error;

/** Looks at headers and body too; undefined when they say nothing. */
type MeaningOf = (answer: ProviderResponse) => Meaning | undefined;

/** By status, or of any answer. */
export type Meanings = Readonly<Record<number, Meaning | MeaningOf>> | MeaningOf;

/** How a system is asked. */
export interface RestDefinition<Form> {
  /** The form of the stored session. */
  session: z.ZodType<Form>;
  /** Where it answers, or where it does for a session. */
  origin: string | ((session: Form) => string);
  /** The headers by which a request proves itself, such as `kit.auth` makes. None for one that asks for a token. */
  auth: (session: Form, request: RestRequest) => Readonly<Record<string, string>>;
  /** How its answers are written, such as `kit.xml()`: JSON unless said otherwise. */
  format?: BodyFormat;
  /** Further headers of each request. */
  headers?: Readonly<Record<string, string>>;
  /** The quotas that a request counts against, each with the value that it is counted by. */
  draws?: (session: Form, request: RestRequest) => Readonly<Record<string, string>>;
  /** 401 is `ended` and 403 `forbidden` unless said otherwise. Any other status from 400 on that is not named is a bug. */
  errors?: Meanings;
  /**
   * A path that every session may read, for a system that also refuses single paths as if the session had ended: only
   * when this one is refused, too, has it ended. `isEnded` reads its answer, where it is the answer that tells.
   */
  sessionProbe?: string | SessionProbe<Form>;
  /** The largest answer, as far as the host allows. */
  maxBytes?: number;
}

interface SessionProbe<Form> {
  path: string;
  isEnded(body: unknown, session: Form): boolean;
}

export interface RestRequest extends Pick<
  ProviderRequest,
  "query" | "json" | "form" | "headers" | "isIdempotent"
> {
  method?: "GET" | "POST" | "DELETE";
  /** Behind the origin. */
  path: string;
  /** Of this request, before those of all. */
  errors?: Meanings;
  /** How its answer is written, where that is otherwise than others are. */
  format?: BodyFormat;
  /** What stands for an answer that is `absent`, such as an empty list. Null unless said otherwise. */
  whenAbsent?: unknown;
}

type RequestOptions = Omit<RestRequest, "path" | "method">;
export type RestList = PagedList & RequestOptions & Pick<RestRequest, "method">;

/** The request was refused as it is, such as one with a cursor that the system has forgotten. */
export class RequestRefused extends ProviderBug {
  readonly status: number;
  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** The headers by which requests prove themselves. */
export const auth = {
  basic: (user: string, password: string) => ({
    authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
  }),
  bearer: (token: string) => ({ authorization: `Bearer ${token}` }),
  header: (name: string, value: string) => ({ [name.toLowerCase()]: value }),
} as const;

const usualErrors: Meanings = { 401: "ended", 403: "forbidden" };

type Send = (request: RestRequest) => Promise<ProviderResponse>;
/** Works with one session. */
type WithSession = <Result>(
  work: (send: Send, session: never) => Promise<Result>,
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
    return this.#client(
      (work) =>
        context.withSession((given) => {
          const session = this.parse(given);
          return work((request) => this.#send(context, session, request), session as never);
        }),
      "reauthentication_required",
    );
  }

  #clientOf(context: ProviderContext, session: Form, ended: AuthErrorCode): RestClient {
    return this.#client(
      (work) => work((request) => this.#send(context, session, request), session as never),
      ended,
    );
  }

  #client(withSession: WithSession, ended: AuthErrorCode): RestClient {
    return new RestClient(withSession, this.#definition, ended);
  }

  async #send(
    context: Pick<ProviderContext, "http">,
    session: Form,
    request: RestRequest,
  ): Promise<ProviderResponse> {
    const {
      origin,
      auth: prove,
      draws,
      headers,
      maxBytes,
      format: usual = json,
    } = this.#definition;
    const at = typeof origin === "string" ? origin : origin(session);
    const { path, format = usual, errors: _errors, whenAbsent: _whenAbsent, ...rest } = request;
    const options = {
      ...(draws && { draws: draws(session, request) }),
      ...(maxBytes !== undefined && { maxBytes }),
    };
    return await context.http(at, options).request({
      ...rest,
      url: at + path,
      headers: {
        accept: format.accept,
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
  readonly #withSession: WithSession;
  readonly #definition: Pick<RestDefinition<never>, "errors" | "format" | "sessionProbe">;
  readonly #ended: AuthErrorCode;

  constructor(
    withSession: WithSession,
    definition: Pick<RestDefinition<never>, "errors" | "format" | "sessionProbe">,
    ended: AuthErrorCode,
  ) {
    this.#withSession = withSession;
    this.#definition = definition;
    this.#ended = ended;
  }

  /** The body. For a status that means `absent`, null or what the options say. */
  async get(path: string, options: RequestOptions = {}): Promise<unknown> {
    return (await this.#ask({ ...options, path })).body;
  }

  /** As `get`. It is sent once, unless it is said to be idempotent. */
  async post(path: string, options: RequestOptions = {}): Promise<unknown> {
    return (await this.#ask({ ...options, path, method: "POST" })).body;
  }

  /** As `get`, of what ends something at the provider. */
  async delete(path: string, options: RequestOptions = {}): Promise<unknown> {
    return (await this.#ask({ ...options, path, method: "DELETE" })).body;
  }

  /** Page by page, from the start or from where an earlier page said. */
  pages(list: RestList, start?: Cursor): AsyncGenerator<RestPage> {
    const { paging: _paging, items: _items, idOf: _idOf, onAnswer: _onAnswer, ...request } = list;
    return readPages((page) => this.#ask({ ...request, ...toPage(request, page) }), list, start);
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
    return await this.#withSession(async (send, session) => {
      const answer = await send(request);
      const { headers, status } = answer;
      const told = this.#meaningOf(answer, request.errors);
      const meaning = told === "ended" ? await this.#explainEnd(request, send, session) : told;
      if (meaning === "absent") return { body: request.whenAbsent ?? null, headers };
      if (meaning !== undefined) throw this.#failure(meaning, label, status);
      if (status >= 300) throw new ProviderBug(`${label} was answered with ${status}`);
      return { body: this.#read(answer, label, request.format), headers };
    });
  }

  #meaningOf(answer: ProviderResponse, own: Meanings = {}): Meaning | undefined {
    const { status } = answer;
    for (const meanings of [own, this.#definition.errors ?? {}, usualErrors]) {
      const meaning = typeof meanings === "function" ? meanings : meanings[status];
      const told = typeof meaning === "function" ? meaning(answer) : meaning;
      if (told !== undefined) return told;
    }
    return undefined;
  }

  /** Whether a session that is said to have ended has done so, where the system tells. */
  async #explainEnd(
    { path }: RestRequest,
    send: Send,
    session: never,
  ): Promise<"ended" | "forbidden"> {
    const { sessionProbe } = this.#definition;
    const { path: probe, isEnded } =
      typeof sessionProbe === "object" ? sessionProbe : { path: sessionProbe };
    if (probe === undefined || path === probe) return "ended";
    const answer = await send({ path: probe });
    if (this.#meaningOf(answer) === "ended") return "ended";
    return isEnded?.(this.#read(answer, `GET ${probe}`), session) ? "ended" : "forbidden";
  }

  #read(answer: ProviderResponse, label: string, own?: BodyFormat): unknown {
    const format = own ?? this.#definition.format ?? json;
    if (answer.status === 204 || answer.bytes.length === 0) return format.empty ?? null;
    if (!format.fits(answer))
      throw new ProviderBug(`${label} was answered with what is not ${format.name}`);
    return format.read(answer, label);
  }

  #failure(meaning: Exclude<Meaning, "absent">, label: string, status: number): Error {
    switch (meaning) {
      case "ended":
        return new AuthError(this.#ended);
      case "forbidden":
        return new AuthError("insufficient_permission");
      case "unsupported":
        return new OperationNotSupported(`${label} is not there for this account`);
      case "refused":
        return new RequestRefused(`${label} was refused as it is`, status);
      case "down":
        return new ProviderDown(`${label} cannot be answered for now`);
      default:
        return meaning;
    }
  }
}

/** What a page asks for besides what its list asks for. */
function toPage({ query, json }: RequestOptions, page: PageRequest): Partial<RestRequest> {
  if ("path" in page) return { path: page.path, query: {} };
  return "json" in page
    ? { json: { ...(json as object | undefined), ...page.json } }
    : { query: { ...query, ...page.query } };
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

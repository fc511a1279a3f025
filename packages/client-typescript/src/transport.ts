import { errorOf, RollcallError } from "./errors.ts";
import type { RollcallEvent } from "./events.ts";
import { Waiting } from "./waiting.ts";

export interface CallOptions {
  /** For how long the call may take, waits included. Then what stands in its way is thrown. */
  deadlineSeconds?: number | undefined;
  /** Ends the call. It throws the reason of the signal. */
  signal?: AbortSignal | undefined;
  /** Makes one request: 202, 429 and 503 are thrown at once. */
  asksOnce?: boolean | undefined;
}

/** A copy of data. It is personal data. */
export interface Etagged {
  etag: string;
  /** The JSON as it came. */
  body: string;
}

/** Where copies are kept, so that data that is the same is not sent again. */
export interface EtagStore {
  get(key: string): Promise<Etagged | undefined> | Etagged | undefined;
  set(key: string, copy: Etagged): unknown;
  /** Deletes what is kept under keys that begin so: those of a connection that has ended. */
  forget?(beginning: string): unknown;
}

export interface TransportOptions {
  /** The address of the service, as the browsers of end users reach it. */
  url: string;
  /** None by default. A key begins with the id of the token, and holds no credential. */
  etags?: EtagStore | undefined;
  /** For how long a call may take that does not say it: 120, and 600 for a page of events. */
  deadlineSeconds?: number | undefined;
  /** You hand events to `notify`: reads wait for them, also where the service says that it takes longer. */
  hasEvents?: boolean | undefined;
  /** In place of that of the platform. */
  fetch?: typeof fetch | undefined;
}

export interface Call {
  method: "GET" | "POST";
  path: string;
  query?: object | undefined;
  body?: object | undefined;
  authorization?: string | undefined;
  headers?: Record<string, string> | undefined;
  /** Whether it may be made again when nobody knows if it was done. Each GET may. */
  isRepeatable?: boolean | undefined;
  /** For how long the service is asked to hold the reply, at most. */
  holdSeconds?: number | undefined;
  /** Under which key a copy of the reply is kept. */
  copyKey?: string | undefined;
  /** How the keys of all copies of its connection begin. */
  copiesOf?: string | undefined;
  /** When it succeeds, the connection is gone. */
  isEnd?: boolean | undefined;
  /** For how long it may take where nobody says it: 120. */
  deadlineSeconds?: number | undefined;
  /** The events that end a wait of the call. */
  wakesAt?: ((event: RollcallEvent) => boolean) | undefined;
}

const defaultDeadlineSeconds = 120;
/** How long a reply may take to begin, beyond the time for which it is held. It may go on until the deadline. */
const replyMs = 30_000;
const firstBackoffMs = 500;
const longestBackoffMs = 10_000;

/** Makes calls: waits, repeats what is safe to repeat, and throws every refusal as a RollcallError. */
export class Transport {
  readonly url: string;
  readonly #options: TransportOptions;
  readonly #waiting = new Set<Waiting>();

  constructor(options: TransportOptions) {
    const { url } = options;
    if (!isAddress(url)) throw new TypeError(`${url} is no address of a service.`);
    this.#options = options;
    this.url = url.endsWith("/") ? url.slice(0, -1) : url;
  }

  notify(event: RollcallEvent): void {
    for (const waiting of this.#waiting) waiting.notice(event);
  }

  async call<Body>(call: Call, options: CallOptions = {}): Promise<Body> {
    const { hasEvents = false, etags } = this.#options;
    const { deadlineSeconds = this.#options.deadlineSeconds } = options;
    const seconds = deadlineSeconds ?? call.deadlineSeconds ?? defaultDeadlineSeconds;
    const wakesAt = hasEvents ? call.wakesAt : undefined;
    const waiting = new Waiting({ seconds, signal: options.signal, wakesAt });
    this.#waiting.add(waiting);
    try {
      const copy = call.copyKey === undefined ? undefined : await etags?.get(call.copyKey);
      return await this.#repeat<Body>(call, { waiting, copy, asksOnce: options.asksOnce ?? false });
    } finally {
      this.#waiting.delete(waiting);
    }
  }

  async #repeat<Body>(call: Call, attempt: Attempt): Promise<Body> {
    let last: RollcallError | undefined;
    for (let failures = 0; ; failures += 1) {
      const outcome = await this.#ask(call, attempt);
      const isError = outcome instanceof RollcallError;
      if (call.copiesOf !== undefined && (isError ? outcome.code === "forbidden" : call.isEnd))
        await this.#options.etags?.forget?.(call.copiesOf);
      if (!isError) return outcome.body as Body;
      // A request that the deadline cut off says less than the reply before.
      if (outcome.code === "unreachable" && attempt.waiting.isOver) throw last ?? outcome;
      last = outcome;
      const delayMs = attempt.asksOnce ? undefined : delayBeforeNext(call, outcome, failures);
      if (delayMs === undefined || !(await attempt.waiting.pause(delayMs))) throw outcome;
    }
  }

  async #ask(call: Call, attempt: Attempt): Promise<{ body: unknown } | RollcallError> {
    const { waiting, copy, asksOnce } = attempt;
    const leftSeconds = Math.floor(waiting.leftMs / 1_000) - 1;
    const holdSeconds = asksOnce ? 0 : Math.min(call.holdSeconds ?? 0, leftSeconds);
    const request = requestOf(call, { copy, holdSeconds });
    const send = this.#options.fetch ?? fetch;
    const received = await waiting
      .within(holdSeconds * 1_000 + replyMs, async (signal, hasBegun) => {
        const url = `${this.url}${call.path}${formatQuery(call.query ?? {})}`;
        const reply = await send(url, { ...request, signal });
        hasBegun();
        return { reply, text: await reply.text() };
      })
      .catch((cause: unknown) => {
        waiting.throwIfAborted();
        return new RollcallError("unreachable", { message: `${this.url} gave no reply`, cause });
      });
    if (received instanceof RollcallError) return received;
    const { reply, text } = received;
    if (reply.status === 304 && copy) return { body: JSON.parse(copy.body) };
    const body = parse(text);
    if (reply.status === 202 || !reply.ok || body === undefined) return errorOf(reply, body);
    const etag = reply.headers.get("etag");
    if (call.copyKey !== undefined && etag !== null)
      await this.#options.etags?.set(call.copyKey, { etag, body: text });
    return { body };
  }
}

/** What cannot be sent throws here, and is not taken for a reply that got lost. */
function requestOf(
  { method, body, authorization, headers }: Call,
  { copy, holdSeconds }: Pick<Attempt, "copy"> & { holdSeconds: number },
): RequestInit {
  return {
    method,
    headers: {
      accept: "application/json",
      ...(authorization !== undefined && { authorization }),
      ...(body && { "content-type": "application/json" }),
      ...(copy && { "if-none-match": copy.etag }),
      ...(holdSeconds > 0 && { prefer: `wait=${holdSeconds}` }),
      ...headers,
    },
    body: body ? JSON.stringify(body) : null,
    // The service redirects no call. A proxy that does would have the secret sent over what it redirects from.
    redirect: "manual",
  };
}

function isAddress(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  return (protocol === "https:" || protocol === "http:") && username === "" && password === "";
}

/** As it was given: the file that it is read from may end in a line break. Throws a TypeError that does not quote it. */
export function plain(name: string, credential: string): string {
  const value = credential.trim();
  if (/^[\x21-\x7e]*$/.test(value)) return value;
  throw new TypeError(`${name} has a character in it that no credential has.`);
}

interface Attempt {
  waiting: Waiting;
  copy: Etagged | undefined;
  asksOnce: boolean;
}

/** Undefined when the call is not made again. What was refused before any work is always safe to repeat. */
function delayBeforeNext(call: Call, error: RollcallError, failures: number): number | undefined {
  const { code, retryAfterSeconds } = error;
  const isRepeatable = call.isRepeatable ?? call.method === "GET";
  const isUndone = code === "pending" || code === "rate_limited";
  const isUnknown = code === "unavailable" || code === "unreachable";
  if (!isUndone && !(isUnknown && isRepeatable)) return undefined;
  return retryAfterSeconds === undefined
    ? Math.min(longestBackoffMs, firstBackoffMs * 2 ** failures) * (0.5 + Math.random() / 2)
    : Math.max(1, retryAfterSeconds) * 1_000;
}

export function formatQuery(query: object): string {
  const given = Object.entries(query as Record<string, unknown>).filter(
    ([, value]) => value !== undefined,
  );
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === "" ? "" : `?${text}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

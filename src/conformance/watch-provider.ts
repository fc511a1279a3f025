import type { Resource } from "../model/index.ts";
import { HttpServerError } from "../platform/outbound/index.ts";
import {
  providerPackages,
  type Cursor,
  type ProbeContext,
  type ProviderContext,
  type ProviderDefinition,
  type ReadContext,
  type ResourceReader,
  type Session,
} from "../providers/index.ts";

type Purpose = "probe" | "sign-in" | "read";
type ClientOptions = NonNullable<Parameters<ProviderContext["http"]>[1]>;
type Client = ReturnType<ProviderContext["http"]>;
type Request = Parameters<Client["request"]>[0];
export type Answer = Awaited<ReturnType<Client["request"]>>;

/** One request, with the quotas that it was counted against. */
export interface SeenRequest {
  purpose: Purpose;
  draws: Readonly<Record<string, string>>;
  request: Request;
}

/** What becomes of one request of the next reads: the server fails, or its answer has a status that there is not. */
interface Interference {
  resource: Resource;
  /** The first request of a read is 0. */
  index: number;
  kind: "fails" | "odd-status";
}

/** A request of a read, and what the system answered. */
export interface SeenAnswer {
  request: Request;
  answer: Answer;
}

/** What the adapter gets in place of an answer. `index` counts the requests of the read, as they were asked, from 0. */
export type Alter = (seen: SeenAnswer, index: number) => Answer | Promise<Answer>;

/** More than the kit needs to find that a list does not end. */
const mostMoreRequests = 300;

export interface SeenPage {
  records: readonly unknown[];
  cursor: Cursor | undefined;
}

/** What an adapter was seen to do, and what its next read begins with. */
export class Watch {
  readonly requests: SeenRequest[] = [];
  /** Those of the newest read. */
  pages: SeenPage[] = [];
  removed: string[] = [];
  /** Those who are there still, where the adapter names them. */
  present: string[] | undefined;
  /** How many requests it made. */
  readRequests = 0;
  /** Of the fields that the adapter describes, those that had a value. */
  readonly filled = new Map<Resource, Set<string>>();
  /** Fields that the adapter gives in some record, null or not. What it never gives is not there. */
  readonly given = new Map<Resource, Set<string>>();
  limited: string[] = [];
  /** Where the newest read said that `changes` goes on. */
  next: Cursor | undefined;
  baseUrl: string | undefined;
  /** The next read gives the changes since then. */
  since: Cursor | undefined;
  interference: Interference | undefined;
  /** Of the newest read, as the system gave them. */
  answers: SeenAnswer[] = [];
  alter: Alter | undefined;
  /** The path that the newest read never stopped to ask for. */
  endless: string | undefined;
  #resource: Resource | undefined;
  /** Of a read whose answers are as they are. */
  #mostRequests = 0;

  beginRead(resource: Resource): void {
    this.#resource = resource;
    this.readRequests = 0;
    this.answers = [];
    this.endless = undefined;
    this.pages = [];
    this.removed = [];
    this.present = undefined;
    this.limited = [];
    this.next = undefined;
  }

  noteMapped(resource: Resource, fields: readonly string[], record: object): void {
    const filled = this.filled.get(resource) ?? new Set();
    this.filled.set(resource, filled);
    for (const field of fields) if (isFilled(record, namesOf(field))) filled.add(field);
    const given = this.given.get(resource) ?? new Set();
    this.given.set(resource, given);
    for (const [name, value] of Object.entries(record)) if (value !== undefined) given.add(name);
  }

  /** Notes how many requests a read makes whose answers are as they are. */
  expectRequests(count: number): void {
    this.#mostRequests = Math.max(this.#mostRequests, count);
  }

  /** Ends a read that asks on and on when its answers are altered. */
  refuseEndless({ url }: Request): void {
    if (!this.alter) this.expectRequests(this.readRequests);
    else if (this.readRequests > this.#mostRequests + mostMoreRequests) {
      this.endless ??= new URL(url).pathname;
      throw new Error("a read with altered answers asks on and on");
    }
  }

  /** What the adapter gets. */
  async toAnswer(seen: SeenAnswer, index: number): Promise<Answer> {
    this.answers.push(seen);
    return (await this.alter?.(seen, index)) ?? seen.answer;
  }

  /** Counts a request of a read, and says what becomes of it. */
  countRequest(): Interference["kind"] | undefined {
    const index = this.readRequests;
    this.readRequests += 1;
    const { resource, index: at, kind } = this.interference ?? {};
    return resource === this.#resource && at === index ? kind : undefined;
  }
}

/** No system answers with it. */
const oddStatus = 418;

/** The same provider, watched. Its requests go to the fake, whichever origin they are for. */
export function watchProvider(definition: ProviderDefinition, watch: Watch): ProviderDefinition {
  return providerPackages.wrap(definition, {
    context: (context) => watchContext(context, "sign-in", watch),
    probe: (context) => watchContext(context, "probe", watch),
    reader: (resource, reader) => watchReader(resource, reader, watch),
  });
}

function watchReader(resource: Resource, reader: ResourceReader, watch: Watch): ResourceReader {
  const fields = reader.fields?.().map(({ field }) => field) ?? [];
  return {
    ...reader,
    map: (raw, context) => {
      const record = reader.map(raw, context);
      if (record) watch.noteMapped(resource, fields, record);
      return record;
    },
    async *fetch(context, session, parameters) {
      watch.beginRead(resource);
      const { since } = watch;
      const watched: ReadContext = {
        ...watchContext(context, "read", watch),
        limited: (fields) => {
          watch.limited.push(...fields);
          context.limited(fields);
        },
        continueFrom: (next) => {
          watch.next = next;
          context.continueFrom(next);
        },
      };
      const pages = since
        ? listChanges(reader, watched, session, since, watch)
        : providerPackages.requirePages(reader.fetch(watched, session, parameters), "fetch");
      for await (const page of pages) {
        const isPlain = Array.isArray(page);
        const { records, cursor: next } = isPlain
          ? { records: page as readonly unknown[], cursor: undefined }
          : (page as { records: readonly unknown[]; cursor?: Cursor });
        watch.pages.push({ records, cursor: next });
        yield page;
      }
    },
  };
}

/** The changes as pages of records. Those who are gone are noted. */
async function* listChanges(
  reader: ResourceReader,
  context: ReadContext,
  session: Session,
  since: Cursor,
  watch: Watch,
): AsyncGenerator<readonly unknown[]> {
  if (!reader.changes) return;
  const pages = providerPackages.requirePages(reader.changes(context, session, since), "changes");
  for await (const { changed, removed = [], present } of pages) {
    watch.removed.push(...removed);
    if (present) watch.present = [...(watch.present ?? []), ...present];
    yield changed;
  }
}

function watchContext<Context extends ProbeContext>(
  context: Context,
  purpose: Purpose,
  watch: Watch,
): Context {
  const http = (origin: string, options: ClientOptions = {}): Client => {
    const { draws = {} } = options;
    const client = context.http(watch.baseUrl ?? origin, options);
    return {
      exportCookies: () => client.exportCookies(),
      request: async (request) => {
        watch.requests.push({ purpose, draws, request });
        const index = watch.readRequests;
        const trouble = purpose === "read" ? watch.countRequest() : undefined;
        if (trouble === "fails")
          throw new HttpServerError({ method: request.method ?? "GET", host: origin }, 503);
        if (purpose === "read") watch.refuseEndless(request);
        const url = providerPackages.aimRequest(request.url, origin, watch.baseUrl);
        const answer = await client.request({ ...request, url });
        if (purpose === "sign-in") return answer;
        const altered = await watch.toAnswer({ request, answer }, index);
        return trouble === "odd-status" ? withStatus(altered, oddStatus) : altered;
      },
    };
  };
  return { ...context, http };
}

/** Those that lead to a field, such as `employments[].currency`. */
function namesOf(field: string): string[] {
  return field.replaceAll("[]", "").split(".");
}

/** Of a list, in one item. */
function isFilled(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (Array.isArray(value)) {
    const inside = name === undefined ? [] : [name, ...rest];
    return value.some((item) => isFilled(item, inside));
  }
  if (value === null || value === undefined) return false;
  return name === undefined || isFilled((value as Record<string, unknown>)[name], rest);
}

function withStatus(answer: Answer, status: number): Answer {
  return { ...answer, status, text: () => answer.text(), json: () => answer.json() };
}

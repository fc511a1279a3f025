import { z } from "zod";
import type { ProviderHttp, ProviderResponse } from "../../platform/outbound/index.ts";
import type { ProviderContext, Session } from "../contract.ts";
import { AuthError, ProviderBug } from "../errors.ts";
import { parseSession } from "./staffology-session.ts";
import { stub, type Stub } from "./wire-values.ts";

const stubs = z.array(stub);
const origin = "https://api.staffology.co.uk";

type Query = Readonly<Record<string, string | number | boolean | undefined>>;
interface PagedList {
  path: string;
  query: Query;
  pageSize: number;
  /** Of the body of a page, which is usually the list itself. */
  toStubs?: (body: unknown) => readonly Stub[];
}
interface Page {
  stubs: readonly Stub[];
  number: number;
}

/** How many requests of a user run at once. Staffology publishes no limit. */
export const requestsAtOnce = 4;

/** Asks with a key. All requests only read. Only the status of a refusal is told: its body may name people. */
export class StaffologyClient {
  readonly #http: ProviderHttp;
  readonly #key: string;
  readonly #isSignIn: boolean;

  constructor(context: ProviderContext, key: string, userId?: string) {
    this.#http = context.http(origin, userId === undefined ? {} : { draws: { user: userId } });
    this.#key = key;
    this.#isSignIn = userId === undefined;
  }

  async get(path: string, query: Query = {}): Promise<unknown> {
    return readBody(await this.#ask(path, { query }));
  }

  /** Undefined when Staffology answers with one of these statuses. */
  async getUnless(absent: readonly number[], path: string, query: Query = {}): Promise<unknown> {
    const response = await this.#ask(path, { query });
    return absent.includes(response.status) ? undefined : readBody(response);
  }

  /** Undefined when Staffology does not take the request from this user, or not like this. */
  async postUnlessRefused(path: string, json: unknown): Promise<unknown> {
    const response = await this.#ask(path, { json });
    return response.status >= 400 ? undefined : readBody(response);
  }

  /**
   * From this page on. Staffology names no total, and how large its pages may be is not known: a short page may be cut,
   * so that only a page with nothing that came before is the end.
   */
  async *pages(
    { path, query, pageSize, toStubs = parseStubs }: PagedList,
    from = 0,
  ): AsyncGenerator<Page> {
    const known = new Set<string>();
    for (let number = from; ; number += 1) {
      const page = toStubs(await this.get(path, { ...query, pageNum: number, pageSize }));
      const unknown = page.filter(({ id }) => !known.has(id));
      if (unknown.length === 0) return;
      yield { stubs: unknown, number };
      for (const { id } of unknown) known.add(id);
    }
  }

  /** The answer, unless it says that the key has no effect. */
  async #ask(path: string, request: { query?: Query; json?: unknown }): Promise<ProviderResponse> {
    const response = await this.#http.request({
      method: request.json === undefined ? "GET" : "POST",
      url: origin + path,
      headers: {
        authorization: `Basic ${Buffer.from(`rollcall:${this.#key}`).toString("base64")}`,
      },
      isIdempotent: true,
      ...request,
    });
    if (response.status !== 401) return response;
    throw new AuthError(
      this.#isSignIn ? "incorrect_username_or_password" : "reauthentication_required",
    );
  }
}

/** The client of a session, and the path of its employer. */
export function openEmployer(context: ProviderContext, session: Session) {
  const { key, userId, employerId } = parseSession(session);
  const client = new StaffologyClient(context, key, userId);
  return { client, employerId, path: `/employers/${employerId}` };
}

export function parseStubs(body: unknown): Stub[] {
  const { data } = stubs.safeParse(body);
  if (!data)
    throw new ProviderBug("a list of Staffology does not have the shape that it describes");
  return data;
}

/** Works on some at once, and begins no more when one fails. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += requestsAtOnce) {
    const begun = items.slice(start, start + requestsAtOnce).map(work);
    await Promise.allSettled(begun);
    results.push(...(await Promise.all(begun)));
  }
  return results;
}

function readBody(response: ProviderResponse): unknown {
  const { status, headers } = response;
  if (status === 403) throw new AuthError("insufficient_permission");
  if (status !== 200) throw new ProviderBug(`Staffology answered with ${status}`);
  if ((headers["content-type"] ?? "").includes("json")) return response.json();
  throw new ProviderBug("Staffology answered with what is not JSON");
}

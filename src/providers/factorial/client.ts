import { z } from "zod";
import type { Page, ReadContext } from "../contract.ts";
import { OperationNotSupported, ProviderBug } from "../errors.ts";
import { lookup } from "../kit/lookup.ts";
import { tokenFields } from "../kit/oauth2.ts";
import { recordsAt } from "../kit/paging.ts";
import { flag, strict, text, unreadable, type Reader } from "../kit/readers.ts";
import { auth, rest, type RestClient, type RestList } from "../kit/rest.ts";
import { defineSource } from "../kit/source.ts";

/** The company that the key or the tokens open, and the person whose they are, if any; empty while they sign in. */
const owner = { company: z.string(), person: z.string() };
const session = z.union([
  z.strictObject({ key: z.string(), ...owner }),
  z.strictObject({ ...tokenFields, ...owner }),
]);
export type FactorialSession = z.output<typeof session>;
export type Wire = Readonly<Record<string, unknown>>;

export const origin = "https://api.factorialhr.com";
/** There is one each quarter. Those before 2026-07-01 write ids as numbers, of which JSON loses digits. */
const apiVersion = "2026-10-01";
/** Factorial gives no more, whatever is asked for. */
const pageSize = 100;

export const api = rest<FactorialSession>({
  session,
  origin,
  auth: (known, { path }) => {
    if (path.startsWith("/oauth/")) return {};
    return "key" in known ? auth.header("x-api-key", known.key) : auth.bearer(known.accessToken);
  },
  draws: ({ company }): Record<string, string> => (company === "" ? {} : { company }),
  errors: { 400: "refused", 404: "unsupported", 422: "refused" },
});

/** A number may have lost digits on its way, and would be somebody else's id. */
export const id: Reader<string> = strict({
  kind: "id",
  read: (value) => (typeof value === "string" ? text.read(value) : unreadable),
});

const named = defineSource({ id });
const paged = defineSource({ meta: { has_next_page: flag, end_cursor: text } });

export function idOf(record: unknown): string {
  return named.read(record, "id") ?? "";
}

export function listOf(name: string, query: RestList["query"] = {}): RestList {
  return {
    path: `/api/${apiVersion}/resources/${name}`,
    query: { limit: pageSize, ...query },
    paging: { by: "cursor", parameter: "after_id", next: findNext },
    items: recordsAt("data"),
  };
}

function findNext(body: unknown): string | null {
  const { has_next_page: goesOn, end_cursor: cursor } = paged.read(body, "meta") ?? {};
  // A list that looks whole and is not would remove people.
  if (typeof goesOn !== "boolean" || (goesOn && !cursor))
    throw new ProviderBug("a page of Factorial does not say where the list goes on");
  return goesOn ? (cursor ?? null) : null;
}

/** Whose key or tokens it is. Every account has it: without it the version of the API has ended. */
export async function readCredential(client: RestClient): Promise<Wire> {
  const { path } = listOf("api_public/credentials");
  const ended = new ProviderBug(`Factorial no longer answers version ${apiVersion} of its API`);
  const [found] = recordsAt("data")(await client.get(path, { errors: { 404: ended, 410: ended } }));
  if (!found) throw new ProviderBug("Factorial does not say whose credential it is");
  return found;
}

/** What an account does not have, and a version that has ended, are both not found. */
async function tellEnd(context: ReadContext, error: unknown): Promise<never> {
  if (error instanceof OperationNotSupported) await readCredential(api.inRead(context));
  throw error;
}

export async function readAll(context: ReadContext, list: RestList): Promise<Wire[]> {
  try {
    return (await api.inRead(context).all(list)) as Wire[];
  } catch (error) {
    return await tellEnd(context, error);
  }
}

/** Page by page, from where an earlier read was cut short. Each record is completed. */
export async function* readPages(
  context: ReadContext,
  list: RestList,
  complete: (record: Wire) => object = (record) => record,
): AsyncGenerator<Page<object>> {
  try {
    for await (const { items, next } of api.inRead(context).pages(list, context.cursor)) {
      const records = (items as Wire[]).map(complete);
      yield next ? { records, cursor: next } : records;
    }
  } catch (error) {
    await tellEnd(context, error);
  }
}

/** A list by its ids, fetched once in a read. */
export function lookUp(list: RestList) {
  return lookup(async (context) =>
    (await readAll(context, list)).map((one) => [idOf(one), one] as const),
  );
}

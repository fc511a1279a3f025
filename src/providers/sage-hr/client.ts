import { z } from "zod";
import type { ProviderResponse } from "../../platform/outbound/index.ts";
import { ProviderBug, ProviderRateLimited } from "../errors.ts";
import type { ListRead } from "../kit/list-changes.ts";
import { recordsAt } from "../kit/paging.ts";
import { number, text } from "../kit/readers.ts";
import { auth, rest, type Meaning } from "../kit/rest.ts";
import { defineSource, isRecord } from "../kit/source.ts";

const session = z.strictObject({
  /** The label before `.sage.hr`. */
  subdomain: z.string(),
  key: z.string(),
});

export type SageSession = z.output<typeof session>;

/** Small, and every key may read it. */
export const policiesPath = "/leave-management/policies";

export const api = rest<SageSession>({
  session,
  origin: ({ subdomain }) => originOf(subdomain),
  auth: ({ key }) => auth.header("x-auth-token", key),
  draws: ({ subdomain }) => ({ company: subdomain }),
  errors: explain,
});

export function originOf(subdomain: string): string {
  return `https://${subdomain}.sage.hr/api`;
}

/** What stands in front of Sage HR refuses with a page; Sage HR itself refuses in JSON. */
export function isPage(answer: ProviderResponse): boolean {
  try {
    return !isRecord(answer.json());
  } catch {
    return true;
  }
}

/** Sage publishes no limit, so few requests run at once. */
export const requestsAtOnce = 2;
const secondsAfterPage = 60;

function explain(answer: ProviderResponse): Meaning | undefined {
  const { status } = answer;
  // A limit, and no missing right: an administrator's key reads everything.
  if (status === 403 && isPage(answer)) return new ProviderRateLimited(secondsAfterPage);
  return status === 422 ? "refused" : undefined;
}

const paged = defineSource({
  id: text,
  meta: { current_page: number, next_page: number, total_pages: number, total_entries: number },
});

/** By the number that the page before names: Sage HR does not say how many records a page has. */
export function listOf(path: string, query: Record<string, string> = {}): ListRead {
  return {
    path,
    query,
    paging: { by: "cursor", parameter: "page", next: findNextPage },
    items: recordsAt("data"),
    idOf: (record) => paged.read(record, "id"),
    countOf: (body) => paged.read(body, "meta.total_entries"),
  };
}

function findNextPage(body: unknown): number | null {
  const [page, pages] = [
    paged.read(body, "meta.current_page"),
    paged.read(body, "meta.total_pages"),
  ];
  if (page !== null && pages !== null) return page < pages ? page + 1 : null;
  const next = paged.read(body, "meta.next_page");
  // A list that looks whole and is not would remove people.
  if (next === null && page === null && pages === null)
    throw new ProviderBug("a page of Sage HR does not say which one it is");
  return next;
}

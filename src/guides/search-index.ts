import MiniSearch from "minisearch";
import { html, trustMarkup, type Html, type HtmlValue } from "../platform/html/index.ts";
import { readQuery, splitWords, stem } from "./search-words.ts";

/** For whom a section is written. Those of applications come first. */
export type Audience = "guides" | "reference" | "providers" | "operators" | "reasons";

export interface SearchEntry {
  address: string;
  title: string;
  /** The title of its page. */
  place: string;
  text: string;
  audience: Audience;
}

export interface SearchResult {
  entry: SearchEntry;
  excerpt: Html;
}

const entriesAtOnce = 10;
const maxResults = 25;
const charactersBefore = 70;
const charactersAfter = 170;
/** Of the words in a text, when the best part of it is looked for. */
const mostMatches = 100;
const boost = { title: 6, place: 2, text: 1 };
/** Reasons and changes name everything once, and answer little. */
const weights: Readonly<Record<Audience, number>> = {
  guides: 1,
  reference: 0.8,
  providers: 0.5,
  operators: 0.5,
  reasons: 0.15,
};

/** Finds the sections that have all words of a query, or words that begin with them or mean the same. */
export class SearchIndex {
  readonly #entries: readonly SearchEntry[];
  readonly #index = new MiniSearch<SearchEntry & { id: number }>({
    fields: Object.keys(boost),
    tokenize: splitWords,
    processTerm: stem,
  });

  private constructor(entries: readonly SearchEntry[]) {
    this.#entries = entries;
  }

  /** A few sections at a time, so that other requests have their turn in between. */
  static async build(entries: readonly SearchEntry[]): Promise<SearchIndex> {
    const built = new SearchIndex(entries);
    const documents = entries.map((entry, id) => ({ ...entry, id }));
    await built.#index.addAllAsync(documents, { chunkSize: entriesAtOnce });
    return built;
  }

  /** The best first. */
  find(query: string, most = maxResults): SearchResult[] {
    const queries = readQuery(query).map(([word = "", ...others]) => ({
      combineWith: "OR" as const,
      queries: [word, { queries: others, boostTerm: () => 0.8 }],
    }));
    if (queries.length === 0) return [];
    const found = this.#index.search(
      { combineWith: "AND", queries },
      {
        boost,
        prefix: (term) => term.length > 2,
        boostDocument: (id) => weights[this.#entries[id as number]?.audience ?? "reasons"],
      },
    );
    return found.slice(0, most).flatMap(({ id, terms }) => {
      const entry = this.#entries[id as number];
      return entry ? [{ entry, excerpt: excerptOf(entry.text, new Set(terms)) }] : [];
    });
  }
}

interface Match {
  word: string;
  start: number;
  end: number;
}

/** The part of the text with the most of the words, each marked. */
function excerptOf(text: string, words: ReadonlySet<string>): Html {
  const matches = findMatches(text, words);
  const first = findBest(matches);
  const start = first <= charactersBefore ? 0 : text.indexOf(" ", first - charactersBefore) + 1;
  const limit = first + charactersAfter;
  const end = limit >= text.length ? text.length : text.lastIndexOf(" ", limit);
  const pieces: HtmlValue[] = [];
  let done = start;
  for (const match of matches.filter((one) => one.start >= start && one.end <= end)) {
    pieces.push(text.slice(done, match.start));
    pieces.push(html`<mark>${text.slice(match.start, match.end)}</mark>`);
    done = match.end;
  }
  pieces.push(text.slice(done, end));
  const shown = html`${isInCode(text, start) && "`"}${pieces}${isInCode(text, end) && "`"}`;
  return html`${start > 0 && "… "}${codeOf(shown)}${end < text.length && " …"}`;
}

/** Whether the text is cut between two backticks. */
function isInCode(text: string, at: number): boolean {
  return text.slice(0, at).split("`").length % 2 === 0;
}

/** Shows what stands in backticks as code. */
function codeOf(shown: Html): Html {
  return trustMarkup(shown.toString().replaceAll(/`([^`]*)`/g, "<code>$1</code>"));
}

function findMatches(text: string, words: ReadonlySet<string>): Match[] {
  const matches: Match[] = [];
  for (const { 0: found, index } of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    const word = stem(found.toLowerCase());
    if (words.has(word)) matches.push({ word, start: index, end: index + found.length });
    if (matches.length === mostMatches) break;
  }
  return matches;
}

/** Where the most of the words stand close together. */
function findBest(matches: readonly Match[]): number {
  const counted = matches.map(({ start }) => {
    const near = matches.filter((one) => one.start >= start && one.end <= start + charactersAfter);
    return { start, count: new Set(near.map(({ word }) => word)).size };
  });
  const most = Math.max(...counted.map(({ count }) => count));
  return counted.find(({ count }) => count === most)?.start ?? 0;
}

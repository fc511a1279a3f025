import { html, trustMarkup, type Html, type HtmlValue } from "../platform/html/index.ts";

export interface SearchEntry {
  address: string;
  title: string;
  /** The title of its page. */
  place: string;
  text: string;
}

export interface SearchResult {
  entry: SearchEntry;
  excerpt: Html;
}

const maxResults = 25;
const titleWeight = 12;
const placeWeight = 5;
const mostRepetitions = 4;
const charactersBefore = 70;
const charactersAfter = 170;
/** Of the words in a text, when the best part of it is looked for. */
const mostMatches = 100;

/** Finds the sections that have all words of a query, or begin with them. Built once, and kept. */
export class SearchIndex {
  readonly #entries: readonly SearchEntry[];
  /** By word: the weight of each entry that has it. */
  readonly #weights = new Map<string, Map<number, number>>();

  constructor(entries: readonly SearchEntry[]) {
    this.#entries = entries;
    for (const [index, { title, place, text }] of entries.entries()) {
      this.#add(index, wordsOf(text), 1, mostRepetitions);
      this.#add(index, new Set(wordsOf(place)), placeWeight);
      this.#add(index, new Set(wordsOf(title)), titleWeight);
    }
  }

  find(query: string): SearchResult[] {
    const words = [...new Set(wordsOf(query))];
    if (words.length === 0) return [];
    const found = words.map((word) => this.#weigh(word));
    const inAll = [...(found[0] ?? [])].filter(([index]) => found.every((one) => one.has(index)));
    const total = (index: number): number =>
      found.reduce((sum, weights) => sum + (weights.get(index) ?? 0), 0);
    return inAll
      .map(([index]) => ({ index, weight: total(index) }))
      .sort((a, b) => b.weight - a.weight || a.index - b.index)
      .slice(0, maxResults)
      .flatMap(({ index }) => this.#entries[index] ?? [])
      .map((entry) => ({ entry, excerpt: excerptOf(entry.text, words) }));
  }

  #add(index: number, words: Iterable<string>, weight: number, most = weight): void {
    for (const word of words) {
      const weights = this.#weights.get(word) ?? new Map<number, number>();
      const known = weights.get(index) ?? 0;
      weights.set(index, weight === 1 ? Math.min(known + 1, most) : known + weight);
      this.#weights.set(word, weights);
    }
  }

  /** A word that only begins with the one searched for weighs a third. */
  #weigh(searched: string): Map<number, number> {
    const total = new Map<number, number>();
    for (const [word, weights] of this.#weights) {
      if (!word.startsWith(searched)) continue;
      const share = word === searched ? 1 : 1 / 3;
      for (const [index, weight] of weights)
        total.set(index, (total.get(index) ?? 0) + weight * share);
    }
    return total;
  }
}

/** A name such as `start_date` is found as a whole and by its parts. */
function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).flatMap((word) =>
    word.includes("_") ? [word, ...word.split("_").filter(Boolean)] : [word],
  );
}

interface Match {
  word: string;
  start: number;
  end: number;
}

/** The part of the text with the most of the words, each marked. */
function excerptOf(text: string, words: readonly string[]): Html {
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

function findMatches(text: string, words: readonly string[]): Match[] {
  const matches: Match[] = [];
  for (const { 0: found, index } of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    const word = words.find((one) => found.toLowerCase().startsWith(one));
    if (word) matches.push({ word, start: index, end: index + word.length });
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

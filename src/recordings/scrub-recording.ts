import type { Mode, Resource } from "../model/index.ts";
import type { DateRange, FormValues } from "../providers/index.ts";
import { createDisguise, makeUp, type Disguise } from "./made-up.ts";
import { scrubText, scrubLeaves } from "./scrub-body.ts";
import { type Exchange, type Recording } from "./recording.ts";
import { isAmountText, scaleAmounts } from "./scale-amounts.ts";
import { shiftDates } from "./shift-dates.ts";
import { Vocabulary } from "./vocabulary.ts";

/** A request and its answer as they were. */
export type SeenExchange = Exchange;

/** A recording before anything of it is made up. */
export interface SeenRecording {
  provider: string;
  mode: Mode;
  today: string;
  formValues: FormValues;
  secretFields: readonly string[];
  addressFields: readonly string[];
  answers: readonly string[];
  /** Where the adapter sent its requests. */
  origins: readonly string[];
  signIn: readonly SeenExchange[];
  steps: readonly SeenStep[];
}

export interface SeenStep {
  resource: Resource;
  range?: DateRange;
  pages: number;
  records: number;
  exchanges: readonly SeenExchange[];
}

/** An original value is left in what was to be written. */
export class LeftInRecording extends Error {
  constructor(places: readonly string[]) {
    super(
      `the recording was not written, because a value of the system is left in it: ${places.join(", ")}`,
    );
    this.name = "LeftInRecording";
  }
}

/** Stands for the address of the system. The replay has its own there. */
export const originPlace = "{origin}";
/** Stands for what the form keeps secret. */
export const madeUpSecret = "recorded-secret";
const shortestLeak = 6;
/** Counts, days, hours and months are rarely larger. */
const largestCount = 31;
const unitWords = ["day", "hour", "minute", "month", "week", "year", "percent", "count", "page"];
const words = /[A-Z]?[a-z]+/g;
const keptHeaders = ["content-type", "etag", "last-modified", "retry-after"];
const countHeader = /(?:count|total|page|limit|remaining|reset)/;
const hasScheme = /^(https?:\/\/)(.*)$/s;

/**
 * The recording with made-up values of the same shape. What stays is what the adapter's code spells, the numbers and
 * ids that lead from one answer to another, and counts. The same key makes the same values of the same recording.
 * Throws LeftInRecording.
 */
export function scrubRecording(
  seen: SeenRecording,
  { key, code }: { key: Uint8Array; code: readonly string[] },
): Recording {
  const scrubber = new Scrubber(seen, createDisguise(key), new Vocabulary(code));
  const recording = scrubber.scrub();
  scrubber.refuseLeaks(recording);
  return recording;
}

class Scrubber {
  readonly #seen: SeenRecording;
  readonly #disguise: Disguise;
  readonly #vocabulary: Vocabulary;
  /** Numbers that lead from one answer to another, or count something. */
  readonly #joining: ReadonlySet<number>;
  readonly #secrets: ReadonlySet<string>;
  /** What was made up, with where it first stood. */
  readonly #replaced = new Map<string, string>();
  #place = "";

  constructor(seen: SeenRecording, disguise: Disguise, vocabulary: Vocabulary) {
    this.#seen = seen;
    this.#disguise = disguise;
    this.#vocabulary = vocabulary;
    this.#joining = findJoining(seen);
    this.#secrets = new Set(seen.secretFields.flatMap((name) => seen.formValues[name] || []));
  }

  scrub(): Recording {
    const { provider, mode, today, formValues, addressFields, answers, signIn, steps } = this.#seen;
    const entries = Object.entries(formValues).map(([name, value]) => [
      name,
      addressFields.includes(name) ? originPlace : this.#text(value),
    ]);
    return {
      format: 1,
      provider,
      mode,
      today: this.#day(today),
      formValues: Object.fromEntries(entries) as Record<string, string>,
      addressFields: [...addressFields],
      answers: answers.map((answer) => this.#text(answer)),
      signIn: signIn.map((exchange) => this.#exchange("sign-in", exchange)),
      steps: steps.map(({ range, exchanges, ...step }) => ({
        ...step,
        ...(range && { range: { start: this.#day(range.start), end: this.#day(range.end) } }),
        exchanges: exchanges.map((exchange) => this.#exchange(step.resource, exchange)),
      })),
    };
  }

  /** Throws for a value of six characters or more that is still somewhere. */
  refuseLeaks(recording: Recording): void {
    const written = JSON.stringify(recording);
    const known = new Set<string>();
    for (let at = 0; at + shortestLeak <= written.length; at += 1)
      known.add(written.slice(at, at + shortestLeak));
    const places = new Set<string>();
    for (const [text, place] of this.#replaced) {
      const spelled = JSON.stringify(text).slice(1, -1);
      const isLeft =
        spelled.length >= shortestLeak &&
        known.has(spelled.slice(0, shortestLeak)) &&
        written.includes(spelled);
      if (isLeft) places.add(place);
    }
    if (places.size > 0) throw new LeftInRecording([...places]);
  }

  #exchange(step: string, exchange: SeenExchange): Exchange {
    const { method, path, query, sent, status, headers, body } = exchange;
    this.#place = `${step}: ${method} ${this.#path(path)}`;
    return {
      method,
      path: this.#path(path),
      query: query.map(([name, value]) => [name, this.#parts(value, ",")]),
      sent: sent === null ? null : this.#sent(sent),
      status,
      headers: Object.fromEntries(
        Object.entries(headers).flatMap(([name, value]) => this.#header(name, value)),
      ),
      body: this.#body(body),
    };
  }

  #header(name: string, value: string): [string, string][] {
    if (name === "set-cookie") {
      const cookies = value.split("\n").map((cookie) => {
        const [key = "", ...rest] = cookie.split("=");
        return `${key}=${this.#text(rest.join("="))}`;
      });
      return [[name, cookies.join("\n")]];
    }
    if (name === "link") return [[name, scrubLinks(value, (url) => this.#text(url))]];
    const isCount = countHeader.test(name) && Number.isFinite(Number(value));
    return keptHeaders.includes(name) || isCount ? [[name, value]] : [];
  }

  /** A body that was sent has no amounts that have to add up. */
  #sent(sent: string): string {
    const json = parseJson(sent);
    if (json !== undefined) return JSON.stringify(this.#leaves(json));
    if (!sent.includes("=") || sent.includes("<"))
      return scrubText(sent, (text) => this.#text(text));
    return sent
      .split("&")
      .map((pair) => {
        const [name = "", ...rest] = pair.split("=");
        const value = decodeURIComponent(rest.join("=").replaceAll("+", " "));
        return `${name}=${encodeURIComponent(this.#parts(value, " "))}`;
      })
      .join("&");
  }

  #body(body: string): string {
    const json = parseJson(body);
    if (json === undefined) return scrubText(body, (text) => this.#text(text));
    scaleAmounts(json, this.#disguise.factor, (name, value) => this.#isAmount(name, value));
    return JSON.stringify(this.#leaves(json));
  }

  #leaves(json: unknown): unknown {
    return scrubLeaves(json, {
      text: (text) => (isAmountText(text) ? text : this.#text(text)),
      number: (value) => this.#loneNumber(value),
    });
  }

  /** An element of a list that has other kinds of values too, such as a row of a table. */
  #loneNumber(value: number): number {
    if (this.#isJoining(value)) return value;
    const { factor } = this.#disguise;
    const [, fraction = ""] = String(value).split(".");
    return Number((value * factor).toFixed(fraction.length));
  }

  #isAmount(name: string, value: number): boolean {
    if (this.#isJoining(value) || name === "id") return false;
    const parts = (name.match(words) ?? []).map((word) => word.toLowerCase());
    return !parts.some((part) => unitWords.some((unit) => part === unit || part === `${unit}s`));
  }

  #isJoining(value: number): boolean {
    return (Number.isInteger(value) && Math.abs(value) <= largestCount) || this.#joining.has(value);
  }

  #path(path: string): string {
    return path
      .split("/")
      .map((part) => encodeURIComponent(this.#part(decodeURIComponent(part))))
      .join("/")
      .replaceAll("%40", "@")
      .replaceAll("%3A", ":");
  }

  #parts(value: string, separator: string): string {
    return value
      .split(separator)
      .map((part) => this.#part(part))
      .join(separator);
  }

  #part(part: string): string {
    return this.#vocabulary.hasPart(part) ? part : this.#text(part);
  }

  #text(text: string): string {
    if (text === "" || this.#vocabulary.has(text) || this.#isKeptNumber(text)) return text;
    if (this.#secrets.has(text)) return this.#note(text, madeUpSecret);
    const url = this.#url(text);
    if (url !== undefined) return url;
    return this.#note(text, makeUp(text, this.#disguise));
  }

  #isKeptNumber(text: string): boolean {
    return /^-?\d{1,15}$/.test(text) && this.#isJoining(Number(text));
  }

  #url(text: string): string | undefined {
    const [, scheme, rest] = hasScheme.exec(text) ?? [];
    if (scheme === undefined || rest === undefined) return undefined;
    const url = URL.parse(text);
    if (!url || !this.#seen.origins.includes(url.origin))
      return this.#note(text, scheme + makeUp(rest, this.#disguise));
    const query = [...url.searchParams].map(
      ([name, value]) => [name, this.#parts(value, ",")] as [string, string],
    );
    const search = query.length > 0 ? `?${new URLSearchParams(query).toString()}` : "";
    return originPlace + this.#path(url.pathname) + search;
  }

  #note(text: string, made: string): string {
    if (made !== text && !this.#replaced.has(text)) this.#replaced.set(text, this.#place);
    return made;
  }

  #day(day: string): string {
    return shiftDates(day, this.#disguise.days) ?? day;
  }
}

/** Numbers of requests, ids that stand in two places or more, and the lengths of lists. */
function findJoining({ signIn, steps }: SeenRecording): Set<number> {
  const found = new Set<number>();
  const seenIds = new Map<number, number>();
  const lengthOfPath = new Map<string, number>();
  for (const { path, query, sent, body } of [
    ...signIn,
    ...steps.flatMap((step) => step.exchanges),
  ]) {
    const asked = [path, ...query.map(([, value]) => value), sent ?? ""].join(" ");
    for (const [number] of asked.matchAll(/\d{1,15}/g)) found.add(Number(number));
    const note = (name: string, value: unknown): void => {
      if (typeof value === "number" && isIdName(name))
        seenIds.set(value, (seenIds.get(value) ?? 0) + 1);
      if (!Array.isArray(value)) return;
      found.add(value.length);
      const whole = (lengthOfPath.get(`${path} ${name}`) ?? 0) + value.length;
      lengthOfPath.set(`${path} ${name}`, whole);
      found.add(whole);
    };
    eachMember(parseJson(body), note);
  }
  for (const [id, count] of seenIds) if (count > 1) found.add(id);
  return found;
}

function isIdName(name: string): boolean {
  return name === "id" || /(?:_id|Id|ID|_uid)$/.test(name);
}

function eachMember(value: unknown, note: (name: string, value: unknown) => void, name = ""): void {
  note(name, value);
  if (Array.isArray(value)) for (const one of value) eachMember(one, note, "");
  else if (typeof value === "object" && value !== null)
    for (const [inner, member] of Object.entries(value)) eachMember(member, note, inner);
}

function scrubLinks(value: string, scrub: (url: string) => string): string {
  return value
    .split("<")
    .map((part, index) => {
      const end = part.indexOf(">");
      return index === 0 || end < 0 ? part : scrub(part.slice(0, end)) + part.slice(end);
    })
    .join("<");
}

function parseJson(text: string): unknown {
  const start = text.trimStart().slice(0, 1);
  if (!["{", "["].includes(start)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

import type { Mode, Resource } from "../model/index.ts";
import type { DateRange, FormValues } from "../providers/index.ts";
import { createDisguise, makeUp, type Disguise } from "./made-up.ts";
import { isFieldName, scrubLeaves, scrubText } from "./scrub-body.ts";
import { recordingSchema, type Exchange, type Recording } from "./recording.ts";
import { isAmountText, joinPath, scaleAmounts } from "./scale-amounts.ts";
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
  /** What may name words of the answers, such as the codes of pay. */
  settingFields: readonly string[];
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
const mostTries = 100;
const unitWords = [
  "day",
  "hour",
  "minute",
  "month",
  "week",
  "year",
  "percent",
  "count",
  "page",
  "status",
  "code",
  "unit",
  "quantity",
];
/** Of a page and its list. */
const pageWords = new Set(["total", "size", "limit", "offset", "length"]);
const words = /[A-Z]?[a-z]+/g;
const keptHeaders = ["content-type", "etag", "last-modified", "retry-after"];
const countHeader = /(?:count|total|page|limit|remaining|reset)/;
const wholeWord = /[\p{L}\p{N}_-]+/gu;
const partOfWord = /[\p{L}\p{N}_]/u;
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

/** The recording of a system whose data are invented: only its address is replaced. */
export function keepRecording({
  provider,
  mode,
  today,
  formValues,
  addressFields,
  answers,
  origins,
  signIn,
  steps,
}: SeenRecording): Recording {
  const recording = { provider, mode, today, formValues, addressFields, answers, signIn, steps };
  const written = origins.reduce(
    (text, origin) => text.replaceAll(origin, originPlace),
    JSON.stringify({ format: 1, ...recording }),
  );
  return recordingSchema.parse(JSON.parse(written));
}

class Scrubber {
  readonly #seen: SeenRecording;
  readonly #disguise: Disguise;
  readonly #vocabulary: Vocabulary;
  /** Numbers that lead from one answer to another, or count something. */
  readonly #joining: ReadonlySet<number>;
  /** Where amounts stand: a place with one has no numbers of another kind. */
  readonly #amounts: ReadonlySet<string>;
  /** Names of fields, which other answers may tell as values. */
  readonly #names: ReadonlySet<string>;
  readonly #secrets: ReadonlySet<string>;
  /** What was made up, with where it first stood. */
  readonly #replaced = new Map<string, string>();
  readonly #made = new Map<string, string>();
  readonly #taken = new Set<string>();
  #place = "";

  constructor(seen: SeenRecording, disguise: Disguise, vocabulary: Vocabulary) {
    this.#seen = seen;
    this.#disguise = disguise;
    this.#vocabulary = vocabulary;
    const { numbers, names } = findJoining(seen);
    this.#joining = numbers;
    this.#names = names;
    this.#amounts = findAmounts(seen, numbers);
    this.#secrets = new Set(seen.secretFields.flatMap((name) => seen.formValues[name] || []));
  }

  scrub(): Recording {
    const { provider, mode, today, formValues, addressFields, answers, signIn, steps } = this.#seen;
    const entries = Object.entries(formValues).map(([name, value]) => [
      name,
      addressFields.includes(name) ? originPlace : this.#formValue(name, value),
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

  #formValue(name: string, value: string): string {
    if (!this.#seen.settingFields.includes(name)) return this.#text(value);
    return value.replaceAll(wholeWord, (word) => this.#part(word));
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
      const mayBeLeft = spelled.length >= shortestLeak && known.has(spelled.slice(0, shortestLeak));
      if (mayBeLeft && hasWord(written, spelled)) places.add(place);
    }
    if (places.size > 0) throw new LeftInRecording([...places]);
  }

  #exchange(step: string, exchange: SeenExchange): Exchange {
    const { method, path, query, sent, status, headers } = exchange;
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
      body: this.#body(exchange),
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

  #body({ path, body }: SeenExchange): string {
    const json = parseJson(body);
    if (json === undefined) return scrubText(body, (text) => this.#text(text));
    scaleAmounts(json, this.#disguise.factor, (place) => this.#amounts.has(placeOf(path, place)));
    return JSON.stringify(this.#leaves(json));
  }

  #leaves(json: unknown): unknown {
    return scrubLeaves(json, {
      text: (text) => (isAmountText(text) ? text : this.#text(text)),
      number: (value) => this.#loneNumber(value),
      member: (name, value) => (isReference(name) ? this.#id(value) : value),
    });
  }

  /** One that leads nowhere may be the number of a person, such as that of an authority. */
  #id(value: number): number {
    const text = String(value);
    if (!Number.isInteger(value) || this.#isKeptNumber(text)) return value;
    return Number(this.#note(text, this.#makeUp(text)).replace(/^0/, "1"));
  }

  /** An element of a list that has other kinds of values too, such as a row of a table. */
  #loneNumber(value: number): number {
    if (this.#isJoining(value)) return value;
    const { factor } = this.#disguise;
    const [, fraction = ""] = String(value).split(".");
    return Number((value * factor).toFixed(fraction.length));
  }

  #isJoining(value: number): boolean {
    return isJoining(value, this.#joining);
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
    const shifted = shiftDates(text, this.#disguise.days);
    if (shifted !== undefined) return shifted;
    const isName = this.#names.has(text) || this.#vocabulary.has(text);
    if (text === "" || isName || this.#isKeptNumber(text)) return text;
    if (this.#secrets.has(text)) return this.#note(text, madeUpSecret);
    const whole = this.#url(text) ?? this.#token(text);
    if (whole !== undefined) return whole;
    return this.#note(text, this.#makeUp(text));
  }

  /** Other texts become other ones, also short ones such as the numbers of employees. */
  #makeUp(text: string): string {
    const known = this.#made.get(text);
    if (known !== undefined) return known;
    let made = makeUp(text, this.#disguise);
    for (let tries = 1; this.#taken.has(made) && tries < mostTries; tries += 1)
      made = makeUp(text, this.#disguise, tries);
    this.#made.set(text, made);
    this.#taken.add(made);
    return made;
  }

  #isKeptNumber(text: string): boolean {
    return /^-?\d{1,15}$/.test(text) && this.#isJoining(Number(text));
  }

  #url(text: string): string | undefined {
    const [, scheme, rest] = hasScheme.exec(text) ?? [];
    if (scheme === undefined || rest === undefined) return undefined;
    const url = URL.parse(text);
    if (!url || !this.#seen.origins.includes(url.origin))
      return this.#note(text, scheme + this.#makeUp(rest));
    const query = [...url.searchParams].map(
      ([name, value]) => [name, this.#parts(value, ",")] as [string, string],
    );
    const search = query.length > 0 ? `?${new URLSearchParams(query).toString()}` : "";
    return originPlace + this.#path(url.pathname) + search;
  }

  /** The claims of a JSON web token are read by who gets it. */
  #token(text: string): string | undefined {
    const [head = "", claims, signature, ...others] = text.split(".");
    if (claims === undefined || signature === undefined || others.length > 0) return undefined;
    const json = parseJson(Buffer.from(claims, "base64url").toString());
    if (json === undefined) return undefined;
    const made = Buffer.from(JSON.stringify(this.#leaves(json))).toString("base64url");
    return this.#note(text, [this.#makeUp(head), made, this.#makeUp(signature)].join("."));
  }

  /** Shifted days are not noted: one can be another day of the system. */
  #note(text: string, made: string): string {
    if (made !== text && !this.#replaced.has(text)) this.#replaced.set(text, this.#place);
    return made;
  }

  #day(day: string): string {
    return shiftDates(day, this.#disguise.days) ?? day;
  }
}

/**
 * What leads from one answer to another: numbers of requests, ids, the lengths of lists, and the names of fields.
 */
function findJoining(seen: SeenRecording): { numbers: Set<number>; names: Set<string> } {
  const names = new Set<string>();
  const numbers = new Set<number>();
  const lengths = new Map<string, number>();
  for (const { path, query, sent, body } of listExchanges(seen)) {
    const asked = [path, ...query.map(([, value]) => value), sent ?? ""].join(" ");
    for (const [number] of asked.matchAll(/\d{1,15}/g)) numbers.add(Number(number));
    eachMember(parseJson(body), (place, name, value) => {
      if (isFieldName(name)) names.add(name);
      if (name === "id" && isWhole(value)) numbers.add(Number(value));
      if (!Array.isArray(value)) return;
      const whole = (lengths.get(placeOf(path, place)) ?? 0) + value.length;
      lengths.set(placeOf(path, place), whole);
      numbers.add(value.length).add(whole);
    });
  }
  return { numbers, names };
}

/**
 * Places with a number that leads nowhere, counts nothing, and is no length of time, and all places of the same name: an
 * amount may be small. What a page says of its list is told by its place alone.
 */
function findAmounts(seen: SeenRecording, joining: ReadonlySet<number>): Set<string> {
  const places = new Set<string>();
  const placesOfName = new Map<string, Set<string>>();
  for (const { path, body } of listExchanges(seen)) {
    eachMember(parseJson(body), (place, name, value) => {
      const isNumber =
        isAmountText(value) && name !== "id" && !isReference(name) && !isUnitName(name);
      if (!isNumber) return;
      const of = placeOf(path, place);
      const named = placesOfName.get(name) ?? new Set();
      placesOfName.set(name, named.add(of));
      if (!isJoining(Number(value), joining)) places.add(of);
    });
  }
  for (const [name, named] of placesOfName) {
    const isAmount = !pageWords.has(name.toLowerCase()) && [...named].some((of) => places.has(of));
    if (isAmount) for (const of of named) places.add(of);
  }
  return places;
}

function isWhole(value: unknown): value is number | string {
  return Number.isInteger(value) || (typeof value === "string" && /^\d{1,15}$/.test(value));
}

function isJoining(value: number, joining: ReadonlySet<number>): boolean {
  return (Number.isInteger(value) && Math.abs(value) <= largestCount) || joining.has(value);
}

function isUnitName(name: string): boolean {
  const parts = (name.match(words) ?? []).map((word) => word.toLowerCase());
  return parts.some((part) => unitWords.some((unit) => part === unit || part === `${unit}s`));
}

/** The same for all requests of one kind. */
function placeOf(path: string, place: string): string {
  return `${path.replaceAll(/\d+/g, "0")} ${place}`;
}

function listExchanges({ signIn, steps }: SeenRecording): SeenExchange[] {
  return [...signIn, ...steps.flatMap((step) => step.exchanges)];
}

/** Whether the text stands there, and not as a part of a longer word. */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const [before = "", after = ""] = [text[at - 1], text[at + word.length]];
    if (!partOfWord.test(before) && !partOfWord.test(after)) return true;
  }
  return false;
}

/** Such as `departmentId`: the id of something else, or a number of an authority. */
function isReference(name: string): boolean {
  return /(?:_id|Id|ID|_uid)$/.test(name);
}

/** Each member of a JSON value: its path without positions, its name, and itself. */
function eachMember(
  value: unknown,
  note: (place: string, name: string, value: unknown) => void,
  place = "",
  name = "",
): void {
  note(place, name, value);
  if (Array.isArray(value)) for (const one of value) eachMember(one, note, place);
  else if (typeof value === "object" && value !== null)
    for (const [inner, member] of Object.entries(value))
      eachMember(member, note, joinPath(place, inner), inner);
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

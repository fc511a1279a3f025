import { findKeptNames } from "./kept-names.ts";
import { refuseLeft } from "./left-in-recording.ts";
import { createDisguise, makeUp, type Disguise } from "./made-up.ts";
import type { Exchange, Recording } from "./recording.ts";
import { readAmountText } from "./amount-text.ts";
import { parseMarkup, writeMarkup, type Markup } from "./markup.ts";
import { scaleAmounts, type Scaled } from "./scale-amounts.ts";
import { scrubLeaves } from "./scrub-body.ts";
import { parseSeparated, writeSeparated, type Separated } from "./separated.ts";
import { scrubLinks } from "./scrub-links.ts";
import { originPlace, type SeenExchange, type SeenRecording } from "./seen-recording.ts";
import { shiftDates } from "./shift-dates.ts";
import { Vocabulary } from "./vocabulary.ts";
import {
  findAmounts,
  findGroups,
  findJoining,
  isJoining,
  isReference,
  listTypedNumbers,
  parseJson,
  placeOf,
} from "./what-stays.ts";

/** Stands for what the form keeps secret. */
const madeUpSecret = "recorded-secret";
const mostTries = 100;
/** Whole numbers from here on count nothing: where they are no amounts, they are numbers of people or of accounts. */
const leastNumber = 100_000;
const keptHeaders = new Set(["content-type", "etag", "last-modified", "retry-after"]);
const countHeader = /(?:count|total|page|limit|remaining|reset)/;
const wholeWord = /[\p{L}\p{N}_-]+/gu;
const isNumber = /^[1-9]\d*$/;
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
  refuseLeft(recording, new Map([...scrubber.replaced, ...scrubber.listTyped()]));
  return recording;
}

class Scrubber {
  readonly #seen: SeenRecording;
  readonly #disguise: Disguise;
  readonly #vocabulary: Vocabulary;
  /** Numbers that lead from one answer to another, or count something. */
  readonly #joining: ReadonlySet<number>;
  /** Where amounts stand: a place with one has no numbers of another kind. */
  readonly #amounts: ReadonlySet<string>;
  /** Names of fields, which other answers may tell as values where the code spells them. */
  readonly #names: ReadonlySet<string>;
  readonly #secrets: ReadonlySet<string>;
  /** Numbers that were typed. */
  readonly #typed: ReadonlySet<number>;
  /** How thousands are written. */
  readonly #groups: ReturnType<typeof findGroups>;
  /** What was made up, with where it first stood. */
  readonly replaced = new Map<string, string>();
  readonly #made = new Map<string, string>();
  readonly #taken = new Set<string>();
  #place = "";

  constructor(seen: SeenRecording, disguise: Disguise, vocabulary: Vocabulary) {
    this.#seen = seen;
    this.#disguise = disguise;
    this.#vocabulary = vocabulary;
    this.#joining = findJoining(seen);
    this.#names = findKeptNames(seen, vocabulary);
    this.#amounts = findAmounts(seen, this.#joining);
    this.#groups = findGroups(seen);
    this.#typed = new Set(listTypedNumbers(seen));
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

  /** What was typed, but for words of the code and days, which others may be shifted to. */
  listTyped(): [value: string, place: string][] {
    const { formValues, settingFields, answers } = this.#seen;
    const typed = Object.entries(formValues)
      .filter(([name]) => !settingFields.includes(name))
      .map(([name, value]): [string, string] => [value, `what was typed as ${name}`]);
    const answered = answers.map((value): [string, string] => [value, "an answer of the sign-in"]);
    return [...typed, ...answered].filter(([value]) => {
      const isWord = this.#names.has(value) || this.#vocabulary.has(value);
      return !isWord && shiftDates(value, this.#disguise.days) === undefined;
    });
  }

  #formValue(name: string, value: string): string {
    if (!this.#seen.settingFields.includes(name)) return this.#text(value);
    return value.replaceAll(wholeWord, (word) => this.#part(word));
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
    return keptHeaders.has(name) || isCount ? [[name, value]] : [];
  }

  /** A body that was sent has no amounts that have to add up. */
  #sent(sent: string): string {
    const json = parseJson(sent);
    if (json !== undefined) return JSON.stringify(this.#leaves(json));
    if (!sent.includes("=") || sent.includes("<")) return this.#plain(sent);
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
    if (json === undefined) return this.#plain(body, path);
    return JSON.stringify(this.#leaves(json, this.#scale(path, json)));
  }

  /** Multiplies the amounts of an answer, in place. */
  #scale(path: string, answer: unknown): Scaled {
    return scaleAmounts(answer, {
      factor: this.#disguise.factor,
      isAmount: (place) => this.#amounts.has(placeOf(path, place)),
      usualGroup: (point) => this.#groups.get(point) ?? "",
    });
  }

  /** What is no JSON. `path` is that of an answer. */
  #plain(body: string, path?: string): string {
    const markup = parseMarkup(body);
    if (markup) return this.#markup(markup, path);
    const table = parseSeparated(body);
    return table ? this.#table(table, path) : this.#lone(body);
  }

  /** Tags and the names of attributes stay. */
  #markup(markup: Markup, path: string | undefined): string {
    const scaled = path === undefined ? undefined : this.#scale(path, markup.root);
    for (const piece of markup.pieces)
      if (typeof piece !== "string") this.#member(piece.owner, piece.name, scaled);
    return writeMarkup(markup);
  }

  /** A name of a column stays where the code spells it. */
  #table(table: Separated, path: string | undefined): string {
    const scaled = path === undefined ? undefined : this.#scale(path, table.rows);
    const head = new Set(table.header);
    for (const piece of table.pieces) {
      if (typeof piece === "string") continue;
      const { owner, name } = piece;
      if (head.has(piece)) owner[name] = this.#part(String(owner[name]));
      else this.#member(owner, name, scaled);
    }
    return writeSeparated(table);
  }

  #member(owner: Record<string, unknown>, name: string, scaled: Scaled | undefined): void {
    if (!scaled?.get(owner)?.has(name)) owner[name] = this.#leaf(String(owner[name]));
  }

  /** Spaces around a text say nothing. Decimals that are no amounts are counts of days, hours and such. */
  #leaf(text: string): string {
    return this.#isAmount(text) ? text : this.#lone(text);
  }

  #isAmount(text: string): boolean {
    return readAmountText(text) !== undefined && !this.#secrets.has(text.trim());
  }

  #lone(text: string): string {
    const inner = text.trim();
    return inner === "" ? text : text.replace(inner, () => this.#text(inner));
  }

  #leaves(json: unknown, scaled?: Scaled): unknown {
    return scrubLeaves(json, {
      isName: (name) => this.#names.has(name),
      text: (text) => (this.#isAmount(text) ? text : this.#text(text)),
      isMade: (owner, name) => scaled?.get(owner)?.has(name) ?? false,
      id: (value) => this.#id(value),
      number: (value) => this.#loneNumber(value),
      isJoining: (value) => this.#isJoining(value),
      member: (name, value) => {
        const isId = isReference(name) || this.#typed.has(value) || Math.abs(value) >= leastNumber;
        return isId ? this.#id(value) : value;
      },
    });
  }

  /** One that leads nowhere may be the number of a person, such as that of an authority. */
  #id(value: number): number {
    if (!Number.isInteger(value)) return value;
    const text = String(BigInt(value));
    if (this.#isKeptNumber(text)) return value;
    return Number(this.#note(text, this.#makeUp(text)));
  }

  /** An element of a list that has other kinds of values too, such as a row of a table. */
  #loneNumber(value: number): number {
    if (this.#typed.has(value)) return this.#id(value);
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
    if (this.#secrets.has(value)) return this.#secret(value);
    return value
      .split(separator)
      .map((part) => this.#part(part))
      .join(separator);
  }

  #part(part: string): string {
    const isWord = this.#vocabulary.hasPart(part) && !this.#secrets.has(part);
    return isWord ? part : this.#text(part);
  }

  /** What is secret is asked first: it may look like a year, a number that leads on, or a word of the code. */
  #text(text: string): string {
    if (this.#secrets.has(text)) return this.#secret(text);
    const shifted = shiftDates(text, this.#disguise.days);
    if (shifted !== undefined) return shifted;
    const isName = this.#names.has(text) || this.#vocabulary.has(text);
    if (text === "" || isName || this.#isKeptNumber(text)) return text;
    const whole = this.#url(text) ?? this.#token(text);
    if (whole !== undefined) return whole;
    return this.#note(text, this.#makeUp(text));
  }

  /** A word of the code, or of a field, stands elsewhere too, where it is nobody's secret. */
  #secret(text: string): string {
    const isWord = this.#names.has(text) || this.#vocabulary.has(text);
    return isWord ? madeUpSecret : this.#note(text, madeUpSecret);
  }

  /** Other texts become other ones, also short ones such as the numbers of employees. */
  #makeUp(text: string): string {
    const known = this.#made.get(text);
    if (known !== undefined) return known;
    let made = makeUp(text, this.#disguise);
    // A number stays as long as it was.
    const isSpoiled = (): boolean =>
      this.#taken.has(made) || (isNumber.test(text) && made.startsWith("0"));
    for (let tries = 1; isSpoiled() && tries < mostTries; tries += 1)
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
    if (made !== text && !this.replaced.has(text)) this.replaced.set(text, this.#place);
    return made;
  }

  #day(day: string): string {
    return shiftDates(day, this.#disguise.days) ?? day;
  }
}

import { locales } from "../model/index.ts";

const quoted = /"([^"\n]{1,200})"|'([^'\n]{1,200})'|`([^`\n]{1,200})`/g;
const named = /([\p{ID_Start}_][\p{ID_Continue}-]{0,79})\s*:/gu;
const identifier = /[\p{ID_Start}_$][\p{ID_Continue}$-]*/gu;
const shortestBeginning = 4;
const separators = /[^\p{ID_Continue}-]+/u;
const partEnds = /[/?&=,\s{}$()]+/;
const letters = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ");

/**
 * The words that stay in a recording: what the code of an adapter spells, because it decides by it, and the names of
 * countries, currencies and time zones. No word of them tells who somebody is.
 */
export class Vocabulary {
  readonly #texts: ReadonlySet<string>;
  readonly #names: ReadonlySet<string>;
  readonly #parts: ReadonlySet<string>;
  /** Also those of members that are read, such as `answer.people`. */
  readonly #identifiers: ReadonlySet<string>;

  constructor(code: readonly string[]) {
    const texts = code.flatMap(listTexts);
    this.#texts = new Set([...texts, ...listCommon()].map(fold));
    this.#names = new Set(code.flatMap(listNames));
    this.#parts = new Set(
      texts.flatMap((text) => [...text.split(separators), ...text.split(partEnds)]),
    );
    this.#identifiers = new Set(code.flatMap((text) => text.match(identifier) ?? []));
  }

  /** A name that the code may read by, also by how it begins, such as `custom_9001` by `custom_`. */
  spells(name: string): boolean {
    return this.has(name) || this.#identifiers.has(name) || this.#spellsBeginning(name);
  }

  #spellsBeginning(name: string): boolean {
    const end = name.lastIndexOf("_") + 1;
    const isNumbered = end >= shortestBeginning && /^\d+$/.test(name.slice(end));
    return isNumbered && this.#texts.has(name.slice(0, end));
  }

  /** A value that the code compares, in whatever case, or a name of a field. */
  has(text: string): boolean {
    return this.#texts.has(fold(text)) || this.#names.has(text) || isCode(text.trim());
  }

  /** A part of a path or of a query that the code spells within a longer text. */
  hasPart(text: string): boolean {
    return this.has(text) || this.#parts.has(text);
  }
}

function listTexts(code: string): string[] {
  return [...code.matchAll(quoted)].map(([, ...groups]) => groups.find(Boolean) ?? "");
}

function listNames(code: string): string[] {
  return [...code.matchAll(named)].map(([, name = ""]) => name);
}

function fold(text: string): string {
  return text.trim().toLowerCase();
}

let common: readonly string[] | undefined;

function listCommon(): readonly string[] {
  common ??= [
    ...listCountries(),
    ...Intl.supportedValuesOf("timeZone"),
    "true",
    "false",
    "null",
    "yes",
    "no",
    "utc",
    "gmt",
  ];
  return common;
}

let codes: ReadonlySet<string> | undefined;

/** Of currencies and countries, in capitals or in small letters: one with a capital alone, such as Bob, is a name. */
function isCode(text: string): boolean {
  codes ??= new Set(
    [...Intl.supportedValuesOf("currency"), ...listCountryCodes()].flatMap((code) => [
      code,
      code.toLowerCase(),
    ]),
  );
  return codes.has(text);
}

function listCountryCodes(): string[] {
  const region = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => region.of(code) !== undefined);
}

/** Their names in the languages in which systems answer. */
function listCountries(): string[] {
  const codesOfAll = listCountryCodes();
  return locales.flatMap((language) => {
    const names = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
    return codesOfAll.flatMap((code) => names.of(code) ?? []);
  });
}

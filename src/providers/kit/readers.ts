import { countries, locales } from "../../model/index.ts";
import { isRecord } from "../../platform/is-record.ts";
import { ProviderBug } from "../errors.ts";
import { countryCodes } from "./country-codes.ts";
import { isDay } from "./days.ts";
import { toPlainDecimal, type DecimalMark } from "./decimals.ts";
import { toMinorUnits } from "./money.ts";
import { dayReader, timeReader } from "./time-patterns.ts";
import { openZone } from "./zone.ts";

/** What a reader makes of a value that is there and is not of its kind. */
export const unreadable = Symbol("unreadable");

/** Reads one value of a vendor's record. What is absent, null or empty is null for every reader. */
export interface Reader<Value> {
  /** The kind of value, for people: on the page of coverage, and where a value cannot be read. */
  readonly kind: string;
  /** The vendor's name of it, where the adapter calls it otherwise. */
  readonly name?: string;
  /** Never called with what is absent, null or empty. */
  read(value: unknown): Value | null | typeof unreadable;
}

/** A value that the vendor calls by another name, such as one that is read in two ways, or one with a point in it. */
export function called<Value>(name: string, reader: Reader<Value>): Reader<Value> {
  return { ...reader, name };
}

/** A text without white space at its ends. A number counts as the text that writes it. */
export const text: Reader<string> = {
  kind: "text",
  read: (value) => {
    if (typeof value === "number" && Number.isFinite(value)) return String(value);
    return typeof value === "string" ? value.trim() : unreadable;
  },
};

/**
 * A finite number, or the text of one with this mark before its decimals. Marks of thousands have to be well placed: the
 * other one of point and comma, a space or an apostrophe.
 */
export function numberWritten(mark: DecimalMark): Reader<number> {
  return {
    kind: mark === "." ? "number" : `number with a decimal ${mark}`,
    read: (value) => {
      const read = typeof value === "string" ? toPlainDecimal(value, mark) : value;
      const isNumber = typeof read === "number" || (typeof read === "string" && read !== "");
      return isNumber && Number.isFinite(Number(read)) ? Number(read) : unreadable;
    },
  };
}

/** A finite number, or the text of one with a point before its decimals. */
export const number = numberWritten(".");

const words: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  [1, true],
  ["yes", true],
  ["true", true],
  ["1", true],
  [false, false],
  [0, false],
  ["no", false],
  ["false", false],
  ["0", false],
]);

/** A boolean, and what is written for one. */
export const flag: Reader<boolean> = {
  kind: "flag",
  read: (value) =>
    words.get(typeof value === "string" ? value.trim().toLowerCase() : value) ?? unreadable,
};

/** Any value as it is, such as what an adapter has put into the record itself. Its type is the adapter's word. */
export function given<Value>(): Reader<Value> {
  return { kind: "given", read: (value) => value as Value };
}

/**
 * YYYY-MM-DD. By default of a text that begins with such a day; with a pattern, such as `DD/MM/YYYY`, of one that is
 * written like that. A day of nothing but zeros is none.
 */
export function dayWritten(pattern = "YYYY-MM-DD"): Reader<string> {
  const toDay = dayReader(pattern);
  return {
    kind: pattern === "YYYY-MM-DD" ? "day" : `day as ${pattern}`,
    read: (value) => {
      const read = toDay(String(value).trim());
      if (read?.startsWith("0000-")) return null;
      return read !== null && isDay(read) ? read : unreadable;
    },
  };
}

/** The day that a text of ISO 8601 begins with. */
export const day = dayWritten();

/**
 * A moment as RFC 3339 in UTC, in whole seconds. A text without an offset is the time of this zone, such as
 * `Europe/Berlin`; offsets are `Z`, `UTC`, `GMT`, `+01`, `+0100` and `+01:00`, and nothing else may stand there. With a pattern, such as `DD/MM/YYYY HH:mm`, it is of a text that is written like that and nothing more.
 */
export function instant(timeZone: string, pattern?: string): Reader<string> {
  const { toInstant } = openZone(timeZone);
  const toLocal = pattern === undefined ? (written: string) => written : timeReader(pattern);
  return {
    kind: `moment${pattern === undefined ? "" : ` as ${pattern}`}, ${timeZone}`,
    read: (value) => {
      const local = typeof value === "string" ? toLocal(value.trim()) : null;
      const moment = local === null ? null : toInstant(local);
      return moment ? `${moment.toISOString().slice(0, 19)}Z` : unreadable;
    },
  };
}

type Word = string | number | boolean;

/** Each word with what it means, where that is another one. */
function listWords(
  table: Readonly<Record<string, Word | null>>,
  otherwise: Word | null | undefined,
): string {
  const words = Object.entries(table).map(([word, value]) =>
    word === value ? word : `${word} = ${String(value)}`,
  );
  const other = otherwise === undefined ? "" : `; else ${String(otherwise)}`;
  return `${words.join(", ")}${other}`;
}

/**
 * The value of a word, which is compared without regard to case and to all but letters and digits. A word that the
 * table lacks is `otherwise`; without it, the word cannot be read.
 */
export function oneOf<const Value extends Word>(
  table: Readonly<Record<string, Value | null>>,
): Reader<Value>;
export function oneOf<const Value extends Word, const Other extends Word | null>(
  table: Readonly<Record<string, Value | null>>,
  options: { otherwise: Other },
): Reader<Value | NonNullable<Other>>;
export function oneOf(
  table: Readonly<Record<string, Word | null>>,
  { otherwise }: { otherwise?: Word | null } = {},
): Reader<Word> {
  const byWord = new Map(Object.entries(table).map(([word, value]) => [spell(word), value]));
  return {
    kind: `one of ${listWords(table, otherwise)}`,
    read: (value) => {
      const found = byWord.get(spell(String(value)));
      if (found !== undefined) return found;
      return otherwise === undefined ? unreadable : otherwise;
    },
  };
}

/**
 * The value of the first of these words with which a word of the text begins, without regard to case: for names that
 * people give, such as `Sick leave (unpaid)`.
 */
export function wordIn<const Value extends Word>(
  table: Readonly<Record<string, Value>>,
): Reader<Value>;
export function wordIn<const Value extends Word, const Other extends Word>(
  table: Readonly<Record<string, Value>>,
  options: { otherwise: Other },
): Reader<Value | Other>;
export function wordIn(
  table: Readonly<Record<string, Word>>,
  { otherwise }: { otherwise?: Word } = {},
): Reader<Word> {
  const words = Object.entries(table);
  return {
    kind: `a text with ${listWords(table, otherwise ?? null)}`,
    read: (value) => {
      const written = ` ${separate(String(value))}`;
      const found = words.find(([word]) => written.includes(` ${separate(word)}`));
      return found?.[1] ?? otherwise ?? null;
    },
  };
}

function separate(written: string): string {
  return written.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, " ");
}

function spell(word: string): string {
  return word.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** Each value of a list. What cannot be read of it makes the list unreadable: who is passed over looks as if gone. */
export function list<Value>(of: Reader<Value>): Reader<readonly Value[]> {
  return {
    kind: `list of ${of.kind}`,
    read: (value) => {
      if (!Array.isArray(value)) return unreadable;
      const read = value.map((one) => readValue(of, one));
      return read.includes(unreadable) ? unreadable : (read.filter(isThere) as Value[]);
    },
  };
}

/** Each record of a list, for a table of its own. */
export const records: Reader<readonly object[]> = {
  kind: "list of records",
  read: (value) => (Array.isArray(value) && value.every(isRecord) ? value : unreadable),
};

/** The records of a list, which is empty where it is absent. Throws ProviderBug for what is no list of records. */
export function recordsOf(value: unknown): readonly object[] {
  return (readValue(strict(records), value) as readonly object[] | null) ?? [];
}

/**
 * Pounds, euros or yen as a number or in decimal digits, in minor units of the currency, such as pence. Of a text that is
 * written with marks of thousands, or with a comma before its decimals, the mark of decimals has to be declared.
 */
export function money(currency: string, mark?: DecimalMark): Reader<number> {
  return {
    kind: `money, ${currency}`,
    read: (value) => {
      const digits = mark && typeof value === "string" ? toPlainDecimal(value, mark) : value;
      if (typeof digits !== "number" && typeof digits !== "string") return unreadable;
      try {
        return toMinorUnits(digits, currency);
      } catch {
        return unreadable;
      }
    },
  };
}

/** What cannot be read breaks the read: for what would be wrong as null, such as one amount of a sum. */
export function strict<Value>(of: Reader<Value>): Reader<Value> {
  return {
    ...of,
    read: (value) => {
      const read = of.read(value);
      if (read === unreadable) throw new ProviderBug(`a value cannot be read as ${of.kind}`);
      return read;
    },
  };
}

/**
 * Ten thousandths of the major unit, so that nothing is rounded before it is added. An amount that is no number breaks
 * the read.
 */
export const exactMoney: Reader<number> = { ...strict(money("clf")), kind: "money" };

type Country = (typeof countries)[number];

/** Of ISO 3166, in the order of the model. */
const threeLetters =
  "blz can cri gtm mex pan slv usa arg bra chl col per aut bel che cyp cze deu dnk est esp fin fra gbr grc irl imn " +
  "isl ita lie ltu lux lva mkd nld nor pol prt rou rus swe svk bgd chn hkg idn isr ind jpn kor kaz mac mys phl pak " +
  "pse sau sgp tha tjk tkm tur twn vnm zaf aus nzl";
const codeOfThree: ReadonlyMap<string, Country> = new Map(
  threeLetters.split(" ").flatMap((three, index) => {
    const code = countries[index];
    return code ? [[three, code]] : [];
  }),
);
/** Names by which forms know a country, where its own name is another one. */
const otherNames: Readonly<Record<string, Country>> = {
  uk: "GB",
  greatbritain: "GB",
  england: "GB",
  scotland: "GB",
  wales: "GB",
  northernireland: "GB",
  republicofireland: "IE",
  unitedstatesofamerica: "US",
  czechrepublic: "CZ",
  holland: "NL",
  thenetherlands: "NL",
  korea: "KR",
  republicofkorea: "KR",
  southkorea: "KR",
  russianfederation: "RU",
  turkey: "TR",
  hongkong: "HK",
  macau: "MO",
  macao: "MO",
  palestine: "PS",
  macedonia: "MK",
};

let codeOfName: ReadonlyMap<string, Country> | undefined;

/** By the names of the languages of our pages. They are looked up when the first country is read, and not at the start. */
function findByName(word: string): Country | undefined {
  codeOfName ??= new Map(
    locales.flatMap((language) => {
      const names = new Intl.DisplayNames([language], { type: "region" });
      return countries.map((code) => [spell(names.of(code) ?? code), code] as const);
    }),
  );
  return codeOfName.get(word);
}

/** The two letters of a country that a reply can have, from its code of two or three letters or its name; else null. */
export const country: Reader<Country> = {
  kind: "country",
  read: (value) => {
    const word = spell(String(value));
    const code = countries.find((known) => known.toLowerCase() === word);
    return code ?? codeOfThree.get(word) ?? otherNames[word] ?? findByName(word) ?? null;
  },
};

/** The two letters of ISO 3166 of any country, in capitals; null for what is no such code. */
export const nationality: Reader<string> = {
  kind: "nationality",
  read: (value) => {
    const code = String(value).trim().toUpperCase();
    return countryCodes.has(code) ? code : null;
  },
};

/** An address with http or https, with its scheme when it has none. */
export const webAddress: Reader<string> = {
  kind: "web address",
  read: (value) => {
    const written = String(value).trim();
    const url = URL.parse(/^[a-z][a-z0-9+.-]*:/i.test(written) ? written : `https://${written}`);
    return url && /^https?:$/.test(url.protocol) ? url.href : unreadable;
  },
};

/** What the kit reads values by. */
export interface Readers {
  readonly called: typeof called;
  readonly country: typeof country;
  readonly day: typeof day;
  readonly dayWritten: typeof dayWritten;
  readonly flag: typeof flag;
  readonly given: typeof given;
  readonly instant: typeof instant;
  readonly list: typeof list;
  readonly money: typeof money;
  readonly nationality: typeof nationality;
  readonly number: typeof number;
  readonly numberWritten: typeof numberWritten;
  readonly oneOf: typeof oneOf;
  readonly records: typeof records;
  readonly strict: typeof strict;
  readonly text: typeof text;
  readonly webAddress: typeof webAddress;
  readonly wordIn: typeof wordIn;
}

export const readers: Readers = {
  called,
  country,
  day,
  dayWritten,
  flag,
  given,
  instant,
  list,
  money,
  nationality,
  number,
  numberWritten,
  oneOf,
  records,
  strict,
  text,
  webAddress,
  wordIn,
};

/** Null for what is absent or empty. */
export function readValue<Value>(
  reader: Reader<Value>,
  value: unknown,
): Value | null | typeof unreadable {
  if (!isThere(value) || (typeof value === "string" && value.trim() === "")) return null;
  return reader.read(value);
}

export function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}

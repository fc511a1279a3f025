import { isRecord } from "../../platform/is-record.ts";
import { ProviderBug } from "../errors.ts";
import { country, nationality } from "./country-readers.ts";
import { isDay } from "./days.ts";
import { toPlainDecimal, type DecimalMark } from "./decimals.ts";
import { toMinorUnits } from "./money.ts";
import { unreadable, type Reader } from "./reader.ts";
import { dayReader, timeReader } from "./time-patterns.ts";
import { oneOf, wordIn } from "./word-readers.ts";
import { openZone } from "./zone.ts";

export { country, nationality, oneOf, unreadable, wordIn, type Reader };

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
 * `Europe/Berlin`; offsets are `Z`, `UTC`, `GMT`, `+01`, `+0100` and `+01:00`, and nothing else may stand there. With a
 * pattern, such as `DD/MM/YYYY HH:mm`, it is of a text that is written like that and nothing more.
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

/** Each value of a list. What cannot be read of it makes the list unreadable: who is passed over looks as if gone. */
export function list<Value>(of: Reader<Value>): Reader<readonly Value[]> {
  return {
    kind: `list of ${of.kind}`,
    read: (value, onUnreadable) => {
      if (!Array.isArray(value)) return unreadable;
      const read = value.map((one) => readValue(of, one, onUnreadable));
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
    read: (value, onUnreadable) => {
      const read = of.read(value, onUnreadable);
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
  onUnreadable?: (path: string) => void,
): Value | null | typeof unreadable {
  if (!isThere(value) || (typeof value === "string" && value.trim() === "")) return null;
  return reader.read(value, onUnreadable);
}

export function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}

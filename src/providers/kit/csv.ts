import { ProviderBug } from "../errors.ts";
import {
  decodeText,
  defineFormat,
  mostValues,
  typeOf,
  type BodyFormat,
  type Encoded,
} from "./body-format.ts";

export interface CsvOptions extends Encoded {
  /** What stands between two cells, such as a semicolon or a tab: a comma unless said otherwise. */
  separator?: string;
  /** The names of the columns, of a system that does not write them into its first row. */
  columns?: readonly string[];
}

type Row = Readonly<Record<string, string>>;

/** One of these says that something else came, such as the page of a sign-in. */
const otherTypes = ["html", "json", "xml"];

/**
 * Answers in CSV (RFC 4180), as a list with a record for each row, by the names of the first row. A row with another
 * number of cells breaks the read, because its values would stand under wrong names.
 */
export function csv({ separator = ",", columns, charset }: CsvOptions = {}): BodyFormat<
  readonly Row[]
> {
  if (separator.length !== 1 || '"\r\n'.includes(separator))
    throw new TypeError("a separator of CSV is one character, and no quote and no end of a line");
  return defineFormat({
    // Without a first row of names, no body is no record.
    ...(columns && { empty: [] }),
    name: "CSV",
    accept: "text/csv",
    fits: (answer) => !otherTypes.some((type) => typeOf(answer).includes(type)),
    read: (answer, what = "a request") => {
      const rows = readRows(decodeText(answer, what, charset), separator, what);
      const [names = [], ...others] = columns ? [columns, ...rows] : rows;
      return toRecords(
        names.map((name) => name.trim()),
        others,
        what,
      );
    },
  });
}

function toRecords(
  names: readonly string[],
  rows: readonly (readonly string[])[],
  what: string,
): Row[] {
  if (new Set(names).size < names.length)
    throw new ProviderBug(`the CSV of ${what} has two columns of one name`);
  return rows.map((row, index) => {
    if (row.length !== names.length)
      throw new ProviderBug(
        `the CSV of ${what} has ${row.length} cells in record ${index + 1}, and ${names.length} columns`,
      );
    return Object.fromEntries(names.map((name, column) => [name, row[column] ?? ""]));
  });
}

/** Each row with its cells. An empty line is none. */
function readRows(text: string, separator: string, what: string): string[][] {
  const rows: string[][] = [];
  let cells: string[] = [];
  let values = 0;
  for (let at = 0; at < text.length;) {
    const { cell, end } =
      text[at] === '"' ? readQuoted(text, at, what) : readPlain(text, at, separator);
    cells.push(cell);
    values += 1;
    if (values > mostValues) throw new ProviderBug(`the CSV of ${what} has too many values`);
    if (text[end] === separator) {
      at = end + 1;
      if (at < text.length) continue;
      cells.push("");
    } else if (end < text.length && !isEndOfLine(text, end))
      throw new ProviderBug(`the CSV of ${what} has a text behind a closing quote`);
    if (cells.length > 1 || cell !== "") rows.push(cells);
    cells = [];
    at = text.startsWith("\r\n", end) ? end + 2 : end + 1;
  }
  return rows;
}

interface Cell {
  cell: string;
  /** The place behind it. */
  end: number;
}

/** A quote inside of it is one of its characters. */
function readPlain(text: string, start: number, separator: string): Cell {
  let end = start;
  while (end < text.length && text[end] !== separator && !isEndOfLine(text, end)) end += 1;
  return { cell: text.slice(start, end), end };
}

/** Two quotes stand for one. */
function readQuoted(text: string, start: number, what: string): Cell {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  if (end === -1) throw new ProviderBug(`the CSV of ${what} ends within quotes`);
  return { cell: text.slice(start + 1, end).replaceAll('""', '"'), end: end + 1 };
}

function isEndOfLine(text: string, at: number): boolean {
  return text[at] === "\n" || text[at] === "\r";
}

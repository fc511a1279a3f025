import { styleText } from "node:util";
import type { Command } from "commander";
import { InvalidRequest, NotFound } from "../model/errors.ts";
import { layOutTable } from "./table-layout.ts";

type Cell =
  | string
  | number
  | boolean
  | null
  | undefined
  | Date
  | readonly string[]
  | { readonly [name: string]: unknown };
export type Row = Readonly<Record<string, Cell>>;

export function isJson(command: Command): boolean {
  return command.optsWithGlobals<{ json?: boolean }>().json === true;
}

/** A table for a person, or one JSON document for a script. */
export function printRows(command: Command, rows: readonly Row[], empty: string): void {
  if (isJson(command)) return printJson(rows);
  const table = createTable(rows);
  if (!table) return printLine(empty);
  rows.forEach(table.print);
}

/** The same, and a person sees each row as it comes. `widest` are rows with the longest cell of each column. */
export function openRows(widest: readonly Row[], output: { isJson: boolean }): RowPrinter {
  const rows: Row[] = [];
  const table = output.isJson ? undefined : createTable(widest);
  return {
    add: (row) => {
      rows.push(row);
      table?.print(row);
    },
    end: () => {
      if (output.isJson) printJson(rows);
      return rows;
    },
  };
}

interface RowPrinter {
  add(row: Row): void;
  /** Returns all rows. */
  end(): readonly Row[];
}

/** Prints the names of the columns. Undefined when there is no row to name them. */
function createTable(rows: readonly Row[]): { print: (row: Row) => void } | undefined {
  const [first] = rows;
  if (!first) return undefined;
  const columns = Object.keys(first);
  const textsOf = (row: Row): string[] => columns.map((column) => toText(row[column]));
  const layout = layOutTable(columns, rows.map(textsOf), terminalWidth());
  if (layout.header !== undefined) printLine(styleText("bold", layout.header));
  return { print: (row) => printLine(layout.format(textsOf(row))) };
}

/** Undefined where a program reads the output, because its lines are never broken. */
function terminalWidth(): number | undefined {
  return process.stdout.isTTY ? process.stdout.columns : undefined;
}

/** One record: one line a field for a person, one JSON object for a script. */
export function printFields(command: Command, fields: Row): void {
  if (isJson(command)) return printJson(fields);
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  for (const [name, value] of Object.entries(fields))
    printLine(`${styleText("bold", name.padEnd(width))}  ${toText(value)}`);
}

export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

export function printError(error: unknown, asJson: boolean): void {
  const { code, message } = describe(error);
  process.stderr.write(
    asJson
      ? `${JSON.stringify({ error: code, message })}\n`
      : `${styleText("red", "rollcall:", { stream: process.stderr })} ${message}\n`,
  );
}

function describe(error: unknown): { code: string; message: string } {
  if (error instanceof InvalidRequest) return { code: "invalid", message: error.validationError };
  if (error instanceof NotFound) return { code: "not_found", message: error.message };
  const { code = "failed", message } = error as { code?: string; message: string };
  return { code, message };
}

export function printJson(value: unknown): void {
  printLine(JSON.stringify(value, null, 2));
}

function toText(value: Cell): string {
  if (value === null || value === undefined) return "-";
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.join(" ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

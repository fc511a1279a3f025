import { styleText } from "node:util";
import { levels, type DestinationStream } from "pino";
import type { ErrorDescription } from "./describe-error.ts";

type Style = Parameters<typeof styleText>[0];

const styles: Readonly<Record<string, Style>> = {
  fatal: ["bold", "red"],
  error: "red",
  warn: "yellow",
  info: "green",
  debug: "cyan",
  trace: "gray",
};

/** Fields that every line has, or that stand elsewhere in it. */
const leftOut = new Set(["level", "time", "service", "msg", "err", "method", "route", "status"]);

/**
 * Log lines for a person at a terminal, each at once. Colours are left out where NO_COLOR is set. A terminal that was
 * closed takes no more lines, and the service still ends in good order.
 */
export function createTerminalLog(terminal: NodeJS.WriteStream): DestinationStream {
  terminal.on("error", () => undefined);
  return { write: (line) => void terminal.write(`${formatLine(line, terminal)}\n`) };
}

interface Entry extends Record<string, unknown> {
  level: number;
  time: string;
  msg?: string;
  err?: ErrorDescription;
  method?: string;
  route?: string;
  status?: number;
}

function formatLine(line: string, stream: NodeJS.WriteStream): string {
  const entry = JSON.parse(line) as Entry;
  const name = levels.labels[entry.level] ?? "trace";
  const paint = (styles: Style, text: string): string => styleText(styles, text, { stream });
  const details = Object.entries(entry)
    .filter(([key]) => !leftOut.has(key))
    .map(([key, value]) => `${key}=${formatValue(value)}`);
  const parts = [
    paint("gray", entry.time.slice(11, 19)),
    paint(styles[name] ?? "gray", name.padEnd(5)),
    textOf(entry),
    ...(details.length > 0 ? [paint("gray", details.join(" "))] : []),
  ];
  return [parts.join("  "), ...formatError(entry.err)].join("\n");
}

/** A line of a request has no message. */
function textOf({ msg, method, route, status }: Entry): string {
  return msg ?? (method === undefined ? "" : `${method} ${route} ${status}`);
}

function formatValue(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function formatError(error: ErrorDescription | undefined): string[] {
  if (error === undefined) return [];
  const { type, reason, at = [], cause } = error;
  return [
    `          ${type}${reason ? ` (${reason})` : ""}`,
    ...at.map((frame) => `            ${frame}`),
    ...formatError(cause),
  ];
}

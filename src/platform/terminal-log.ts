import { styleText } from "node:util";
import type { DestinationStream } from "pino";

type Style = Parameters<typeof styleText>[0];

interface Level {
  least: number;
  name: string;
  style: Style;
}

const lowest: Level = { least: 0, name: "trace", style: "gray" };
const levels: readonly Level[] = [
  { least: 60, name: "fatal", style: ["bold", "red"] },
  { least: 50, name: "error", style: "red" },
  { least: 40, name: "warn", style: "yellow" },
  { least: 30, name: "info", style: "green" },
  { least: 20, name: "debug", style: "cyan" },
];

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
  method?: string;
  route?: string;
  status?: number;
}

function formatLine(line: string, stream: NodeJS.WriteStream): string {
  const entry = JSON.parse(line) as Entry;
  const { name, style } = levels.find(({ least }) => entry.level >= least) ?? lowest;
  const paint = (styles: Style, text: string): string => styleText(styles, text, { stream });
  const details = Object.entries(entry)
    .filter(([key]) => !leftOut.has(key))
    .map(([key, value]) => `${key}=${formatValue(value)}`);
  const parts = [
    paint("gray", entry.time.slice(11, 19)),
    paint(style, name.padEnd(5)),
    textOf(entry),
    ...(details.length > 0 ? [paint("gray", details.join(" "))] : []),
  ];
  return [parts.join("  "), ...describeError(entry["err"])].join("\n");
}

/** A line of a request has no message. */
function textOf({ msg, method, route, status }: Entry): string {
  return msg ?? (method === undefined ? "" : `${method} ${route} ${status}`);
}

function formatValue(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

interface Described {
  type?: string;
  reason?: string;
  at?: string[];
  cause?: Described;
}

function describeError(error: unknown): string[] {
  if (typeof error !== "object" || error === null) return [];
  const { type = "Error", reason, at = [], cause } = error as Described;
  return [
    `          ${type}${reason ? ` (${reason})` : ""}`,
    ...at.map((frame) => `            ${frame}`),
    ...describeError(cause),
  ];
}

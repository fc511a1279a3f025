import { styleText } from "node:util";
import type { RunDescription, RunEvent, RunTask } from "../workbench/index.ts";
import { listLeaves } from "./list-leaves.ts";
import { printJson, printLine } from "./output.ts";

/** Shows what a run of a provider does: for a person line by line as it happens, for a program as one document at the end. */
export interface RunPrinter {
  begin(description: RunDescription, task: RunTask): void;
  print(event: RunEvent): void;
  /** What is no part of the result. */
  note(line: string): void;
  warn(line: string): void;
  end(): void;
}

type RecordEvent = Extract<RunEvent, { type: "record" }>;
type Origins = RunDescription["origins"];
type Origin = NonNullable<Origins["employees"]>[number];
type Line = [path: string, value: string, note?: string];

const longestValue = 80;
const branch = "│  ";

/** With `isExplained`, each field is told with where it comes from. */
export function createRunPrinter(
  { isJson }: { isJson: boolean },
  { isExplained }: { isExplained: boolean },
): RunPrinter {
  return isJson ? jsonPrinter(isExplained) : treePrinter(isExplained);
}

function jsonPrinter(isExplained: boolean): RunPrinter {
  const document: object & { events: RunEvent[] } = { events: [] };
  return {
    begin: ({ provider, mode, origins }) =>
      void Object.assign(document, { provider, mode, ...(isExplained && { origins }) }),
    print: (event) => void document.events.push(withoutBodies(event)),
    note: warn,
    warn,
    end: () => printJson(document),
  };
}

function treePrinter(isExplained: boolean): RunPrinter {
  let origins: Origins = {};
  return {
    begin: (description, { replayed }) => {
      const { title, mode, modes } = description;
      if (isExplained) origins = description.origins;
      const others = modes.filter((one) => one !== mode);
      const also = others.length > 0 ? `, also ${others.join(", ")}` : "";
      printLine(
        bold(`${title} (${mode}${also})${replayed ? `, as recorded on ${replayed.today}` : ""}`),
      );
    },
    print: (event) => printLine(describeEvent(event, origins)),
    note: printLine,
    warn,
    end: () => undefined,
  };
}

function describeEvent(event: RunEvent, origins: Origins): string {
  switch (event.type) {
    case "found":
      return `found ${event.system}`;
    case "signed-in":
      return describeSignIn(event);
    case "exchange":
      return describeExchange(event);
    case "record":
      return describeRecord(event, origins[event.resource] ?? []);
    case "read":
      return describeRead(event);
    case "failed":
      return styleText("red", `${event.resource}: the read ${event.failure}`);
    case "missing":
      return styleText("yellow", `the recording has no answer to ${event.request}`);
  }
}

function describeSignIn({
  origin,
  forbidden,
  unsupported,
}: Extract<RunEvent, { type: "signed-in" }>): string {
  const lost = [
    ...forbidden.map((resource) => `${resource} (no right)`),
    ...unsupported.map((resource) => `${resource} (not there)`),
  ];
  const without = lost.length > 0 ? `, without ${lost.join(", ")}` : "";
  return `signed in${origin ? ` at ${origin}` : ""}${without}`;
}

function describeExchange({ exchange }: Extract<RunEvent, { type: "exchange" }>): string {
  const { method, path, queryNames, status, failure, ms, bytes, draws } = exchange;
  const query = queryNames.length > 0 ? `?${queryNames.join("&")}` : "";
  const quotas = Object.keys(draws);
  const counted = quotas.length > 0 ? `  counts for ${quotas.join(", ")}` : "";
  const ended = status === undefined ? styleText("red", failure ?? "failed") : String(status);
  return (
    dim(`  ${method} ${path}${query}`) +
    `  ${ended}  ${ms} ms  ${formatBytes(bytes)}${dim(counted)}`
  );
}

function describeRecord(
  { resource, source, record, leftOut, nulled, unknown }: RecordEvent,
  origins: readonly Origin[],
): string {
  const dropped: Line[] = [
    ...(leftOut === undefined ? [] : [["left out", leftOut] as Line]),
    ...nulled.map((field): Line => [field, "is null, because its value is not valid"]),
    ...unknown.map((field): Line => [field, "is no field of the API"]),
  ];
  return [
    bold(resource),
    ...tree("source", listLeaves(source)),
    ...(record === undefined ? [] : tree("record", explain(listLeaves(record), origins))),
    ...(dropped.length > 0 ? tree(styleText("yellow", "dropped"), dropped) : []),
  ].join("\n");
}

/** With the names of the system's from which each field comes, and how it is read. */
function explain(lines: readonly Line[], origins: readonly Origin[]): Line[] {
  const known = new Map(origins.map((origin) => [origin.field, origin]));
  return lines.map(([path, value]) => {
    const origin = findOrigin(path.replaceAll(/\.\d+/g, "[]"), known);
    if (!origin) return [path, value];
    const from = origin.from.length > 0 ? `${origin.from.join(", ")}, ` : "";
    return [path, value, `  ← ${from}${origin.read}`];
  });
}

/** Of the field, or of what it is in. */
function findOrigin(path: string, known: ReadonlyMap<string, Origin>): Origin | undefined {
  const found = known.get(path);
  const end = Math.max(path.lastIndexOf("."), path.lastIndexOf("[]"));
  return found ?? (end > 0 ? findOrigin(path.slice(0, end), known) : undefined);
}

function describeRead(event: Extract<RunEvent, { type: "read" }>): string {
  const { resource, pages, records, requests, isCut, limited, range } = event;
  const told = `${records} records${isCut ? " and perhaps more" : ""} in ${pages} pages by ${requests} requests`;
  const from = range ? ` from ${range.start} to ${range.end}` : "";
  const hidden = limited.length > 0 ? `; the account may not read ${limited.join(", ")}` : "";
  return styleText("green", `${resource}: ${told}${from}${hidden}`);
}

function tree(title: string, lines: readonly Line[]): string[] {
  const width = Math.max(0, ...lines.map(([path]) => path.length));
  return [
    `├─ ${title}`,
    ...lines.map(
      ([path, value, note = ""]) =>
        `${branch}${path.padEnd(width)}  ${shorten(value)}${note === "" ? "" : dim(note)}`,
    ),
  ];
}

function shorten(text: string): string {
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}

function formatBytes(bytes: number): string {
  return bytes < 10_000 ? `${bytes} B` : `${Math.round(bytes / 1_000)} kB`;
}

/** The answers stand in the recording; a program gets the records. */
function withoutBodies(event: RunEvent): RunEvent {
  if (event.type !== "exchange") return event;
  const { seen: _seen, ...exchange } = event.exchange;
  return { ...event, exchange };
}

function warn(line: string): void {
  process.stderr.write(`rollcall: ${line}\n`);
}

function bold(text: string): string {
  return styleText("bold", text);
}

function dim(text: string): string {
  return styleText("dim", text);
}

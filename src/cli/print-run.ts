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
type Line = [path: string, value: string];

const longestValue = 80;
const branch = "│  ";

export function createRunPrinter({ isJson }: { isJson: boolean }): RunPrinter {
  return isJson ? jsonPrinter() : treePrinter();
}

function jsonPrinter(): RunPrinter {
  const document: { provider?: string; mode?: string; events: RunEvent[] } = { events: [] };
  return {
    begin: ({ provider, mode }) => void Object.assign(document, { provider, mode }),
    print: (event) => void document.events.push(withoutBodies(event)),
    note: warn,
    warn,
    end: () => printJson(document),
  };
}

function treePrinter(): RunPrinter {
  return {
    begin: ({ title, mode, modes }, { replayed }) => {
      const others = modes.filter((one) => one !== mode);
      const also = others.length > 0 ? `, also ${others.join(", ")}` : "";
      printLine(
        bold(`${title} (${mode}${also})${replayed ? `, as recorded on ${replayed.today}` : ""}`),
      );
    },
    print: (event) => printLine(describeEvent(event)),
    note: printLine,
    warn,
    end: () => undefined,
  };
}

function describeEvent(event: RunEvent): string {
  switch (event.type) {
    case "found":
      return `found ${event.system}`;
    case "signed-in":
      return describeSignIn(event);
    case "exchange":
      return describeExchange(event);
    case "record":
      return describeRecord(event);
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

function describeRecord({
  resource,
  source,
  record,
  leftOut,
  nulled,
  unknown,
}: RecordEvent): string {
  const dropped: Line[] = [
    ...(leftOut === undefined ? [] : [["left out", leftOut] as Line]),
    ...nulled.map((field): Line => [field, "is null, because its value is not valid"]),
    ...unknown.map((field): Line => [field, "is no field of the API"]),
  ];
  return [
    bold(resource),
    ...tree("source", listLeaves(source)),
    ...(record === undefined ? [] : tree("record", listLeaves(record))),
    ...(dropped.length > 0 ? tree(styleText("yellow", "dropped"), dropped) : []),
  ].join("\n");
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
    ...lines.map(([path, value]) => `${branch}${path.padEnd(width)}  ${shorten(value)}`),
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

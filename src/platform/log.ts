import { pino, stdTimeFunctions, type DestinationStream, type LogFn, type Logger } from "pino";
import { describeError } from "./describe-error.ts";
import { openBatches } from "./log-batches.ts";
import { createTerminalLog } from "./terminal-log.ts";

export type Log = Logger;

/**
 * Logs hold ids and counts, never data. The error serializer keeps what identifies a fault and drops
 * whatever can quote a row, a body or a credential. Redaction is the second safeguard.
 */
export function createLog(options: {
  level: string;
  destination?: DestinationStream;
  /** Fields of every line, such as the trace that it is a part of. Without it no line pays for them. */
  mixin?: (() => object) | undefined;
}): Log {
  const settings = {
    level: options.level,
    ...(options.mixin && { mixin: options.mixin }),
    base: { service: "rollcall" },
    timestamp: stdTimeFunctions.isoTime,
    serializers: { err: describeError, error: describeError },
    hooks: { logMethod: addWords },
    redact: {
      paths: [
        "authorization",
        "password",
        "secret",
        "token",
        "code",
        "cookie",
        "*.authorization",
        "*.password",
        "*.secret",
        "*.token",
        "*.code",
        "*.cookie",
      ],
      censor: "[redacted]",
    },
  };
  return pino(settings, options.destination ?? chooseDestination());
}

/** A line without words of its own would get those of its error, which can quote data. Libraries write such lines. */
function addWords(this: Log, args: Parameters<LogFn>, method: LogFn): void {
  const [first, ...words] = args as [unknown, ...string[]];
  const fields = first instanceof Error ? { err: first } : first;
  const isWordless =
    words[0] === undefined && (fields as { err?: unknown } | null)?.err !== undefined;
  if (isWordless) method.call(this, fields, "an error");
  else method.apply(this, args);
}

/** JSON lines for programs; a person at a terminal reads sentences. */
function chooseDestination(): DestinationStream {
  return process.stdout.isTTY ? createTerminalLog(process.stdout) : openBatches();
}

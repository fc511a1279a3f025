import { pino, stdTimeFunctions, type DestinationStream, type LogFn, type Logger } from "pino";
import { describeError } from "./describe-error.ts";
import { createTerminalLog } from "./terminal-log.ts";

export type Log = Logger;

const batchBytes = 4_096;
/** What waits while nothing can be written, such as on a full disk. The lines after it are dropped. */
const mostWaitingBytes = 8_000_000;
const longestWaitMs = 100;

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
  const isWordless = words.length === 0 && (fields as { err?: unknown } | null)?.err !== undefined;
  if (isWordless) method.call(this, fields, "an error");
  else method.apply(this, args);
}

/** JSON lines for programs; a person at a terminal reads sentences. */
function chooseDestination(): DestinationStream {
  return process.stdout.isTTY ? createTerminalLog(process.stdout) : openBatches();
}

/**
 * Lines are written together, a tenth of a second later at most. A process that is killed loses that much. One that has
 * nothing to tell does nothing: `periodicFlush` of pino writes an empty text each time. A full disk does not end the
 * service.
 */
export function openBatches(descriptor = 1): DestinationStream {
  const file = pino.destination({
    dest: descriptor,
    minLength: batchBytes,
    maxLength: mostWaitingBytes,
    sync: false,
  });
  file.on("error", () => undefined);
  const write = file.write.bind(file);
  let flushing: NodeJS.Timeout | undefined;
  const flush = (): void => {
    flushing = undefined;
    file.flush();
  };
  file.write = (line) => {
    flushing ??= setTimeout(flush, longestWaitMs).unref();
    return write(line);
  };
  return file;
}

import { pino, stdTimeFunctions, type DestinationStream, type Logger } from "pino";
import { describeError } from "./describe-error.ts";
import { createTerminalLog } from "./terminal-log.ts";

export type Log = Logger;

/** Lines are written together, a tenth of a second later at most. A process that is killed loses that much. */
const inBatches = { minLength: 4_096, sync: false, periodicFlush: 100 };

/**
 * Logs hold ids and counts, never data. The error serializer keeps what identifies a fault and drops
 * whatever can quote a row, a body or a credential. Redaction is the second safeguard.
 */
export function createLog(options: { level: string; destination?: DestinationStream }): Log {
  const settings = {
    level: options.level,
    base: { service: "rollcall" },
    timestamp: stdTimeFunctions.isoTime,
    serializers: { err: describeError, error: describeError },
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

/** JSON lines for programs; a person at a terminal reads sentences. */
function chooseDestination(): DestinationStream {
  return process.stdout.isTTY ? createTerminalLog(process.stdout) : pino.destination(inBatches);
}

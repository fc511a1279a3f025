import { pino, stdTimeFunctions, type DestinationStream, type Logger } from "pino";

export type Log = Logger;

/**
 * Logs hold ids and counts, never data. The error serializer below keeps what identifies a fault and drops
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
  return options.destination ? pino(settings, options.destination) : pino(settings);
}

interface ErrorDescription {
  type: string;
  reason?: string;
  constraint?: string;
  at?: string[];
  cause?: ErrorDescription;
}

// The code that throws an error chooses these values. Those of another form may hold anything.
const errorName = /^[A-Za-z]\w{0,63}$/;
const errorCode = /^[A-Z0-9_]{2,48}$/;
const constraintName = /^[a-z_][a-z0-9_]{0,62}$/;

/** Leaves messages out: those of database and JSON errors quote the value that was wrong. */
function describeError(error: unknown): ErrorDescription {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return {
    type:
      errorName.test(error.name) && error.name !== "Error" ? error.name : error.constructor.name,
    ...(typeof code === "string" && errorCode.test(code) && { reason: code }),
    ...(typeof constraint === "string" && constraintName.test(constraint) && { constraint }),
    at: stackFrames(error),
    ...(error.cause instanceof Error && { cause: describeError(error.cause) }),
  };
}

function stackFrames(error: Error): string[] {
  const stack = error.stack ?? "";
  const frames = stack.slice(stack.indexOf(error.message) + error.message.length);
  return frames
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 8)
    .map((line) => line.trim());
}

/** Logs once that something is away and once that it is back, however often it was tried meanwhile. */
export class OutageLog {
  readonly #log: Log;
  readonly #what: string;
  #isAway = false;

  constructor(log: Log, what: string) {
    this.#log = log;
    this.#what = what;
  }

  failed(error: unknown): void {
    if (!this.#isAway)
      this.#log.warn({ err: error }, `${this.#what} is away; it is tried again until it is back`);
    this.#isAway = true;
  }

  recovered(): void {
    if (this.#isAway) this.#log.info(`${this.#what} is back`);
    this.#isAway = false;
  }
}

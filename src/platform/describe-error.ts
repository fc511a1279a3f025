/** What a log line has of an error. It is plain data. */
export interface ErrorDescription {
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

const mostCauses = 8;

/**
 * Leaves messages out: those of database and JSON errors quote the value that was wrong. Never throws, also for an
 * error of an adapter whose own parts throw. An error that is its own cause ends, too.
 */
export function describeError(error: unknown, causesLeft = mostCauses): ErrorDescription {
  try {
    return error instanceof Error ? describeParts(error, causesLeft) : { type: typeof error };
  } catch {
    return { type: typeof error };
  }
}

function describeParts(error: Error, causesLeft: number): ErrorDescription {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return {
    type:
      errorName.test(error.name) && error.name !== "Error" ? error.name : error.constructor.name,
    ...(typeof code === "string" && errorCode.test(code) && { reason: code }),
    ...(typeof constraint === "string" && constraintName.test(constraint) && { constraint }),
    at: stackFrames(error),
    ...(causesLeft > 0 &&
      error.cause instanceof Error && { cause: describeError(error.cause, causesLeft - 1) }),
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

/** An error that is logged as the described one is: for errors of another process. It has no message. */
export function reviveError(described: ErrorDescription): Error {
  const { type: name, reason, constraint, cause } = described;
  return Object.assign(new Error(""), {
    name,
    stack: formatStack(described, ""),
    ...(reason !== undefined && { code: reason }),
    ...(constraint !== undefined && { constraint }),
    ...(cause && { cause: reviveError(cause) }),
  });
}

export function formatStack({ type, at = [] }: ErrorDescription, message: string): string {
  return [`${type}: ${message}`, ...at.map((frame) => `    ${frame}`)].join("\n");
}

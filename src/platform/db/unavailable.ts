/** SQLSTATEs of a server that starts, stops, is full or read-only, or ended a query or session at a limit. */
const unavailableStates = new Set([
  "57P01",
  "57P02",
  "57P03",
  "57014",
  "53300",
  "53400",
  "25006",
  "25P03",
  "25P04",
]);
const unavailableErrnos = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EADDRNOTAVAIL",
]);
/** Of a Unix socket that no server listens on any more, or whose queue is full. */
const unavailableSocketErrnos = new Set(["ENOENT", "EAGAIN"]);
const driverMessages = [
  "timeout exceeded when trying to connect",
  "Connection terminated",
  "Query read timeout",
  "Client has encountered a connection error",
  "Client was closed",
  "Cannot use a pool after calling end on the pool",
  "the database system is",
];

/** True when the error means that the database cannot be used now; false when the query was wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError && error.errors.length > 0)
    return error.errors.every(isDatabaseUnavailable);
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (syscall === "connect" && unavailableSocketErrnos.has(String(code))) return true;
  if (typeof code === "string")
    return unavailableStates.has(code) || code.startsWith("08") || unavailableErrnos.has(code);
  return driverMessages.some((message) => error.message.startsWith(message));
}

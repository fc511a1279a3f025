/**
 * Classes of SQLSTATE of a server that cannot be reached, lets nobody in, is out of something, starts or stops, or
 * has a fault of its system.
 */
const unavailableClasses = ["08", "28", "53", "57P", "58"];
/** A statement that took too long, a read-only server, a session that ended at a limit. */
const unavailableStates = new Set(["57014", "25006", "25P03", "25P04"]);
/** A transaction that lost against another one, and did so at every try. */
const lostStates = new Set(["40001", "40P01"]);
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
  "EMFILE",
  "ENFILE",
  "ENOBUFS",
]);
/** Of a Unix socket that no server listens on any more, or whose queue is full. */
const unavailableSocketErrnos = new Set(["ENOENT", "EAGAIN"]);
const driverMessages = [
  "timeout exceeded when trying to connect",
  "timeout expired",
  "Connection terminated",
  "Query read timeout",
  "Client has encountered a connection error",
  "Client was closed",
  "Cannot use a pool after calling end on the pool",
  "the database system is",
];

/** Nobody waits for a database that is known to be away. */
export class DatabaseAway extends Error {
  override readonly message = "the database is away";
}

/** True for a transaction that ended because of others and can be made again as a whole. */
export function isLostTransaction(error: unknown): boolean {
  const { code = "" } = (error ?? {}) as { code?: string };
  return lostStates.has(code);
}

/** True for a prepared statement that a migration has changed the columns of. */
export function isStalePlan(error: unknown): boolean {
  const { code, routine } = (error ?? {}) as { code?: unknown; routine?: unknown };
  return code === "0A000" && routine === "RevalidateCachedQuery";
}

/** True when the error means that the database cannot be used now; false when the query was wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseAway) return true;
  if (error instanceof AggregateError && error.errors.length > 0)
    return error.errors.every(isDatabaseUnavailable);
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (syscall === "connect" && unavailableSocketErrnos.has(String(code))) return true;
  if (typeof code === "string")
    return (
      unavailableStates.has(code) ||
      lostStates.has(code) ||
      unavailableErrnos.has(code) ||
      unavailableClasses.some((start) => code.startsWith(start))
    );
  return driverMessages.some((message) => error.message.startsWith(message));
}

/**
 * Why the database cannot be used now, as far as an error tells:
 * - away: nothing listens at its address, or the address cannot be found or reached
 * - silent: it gave no sign in time
 * - starting: it starts or stops
 * - busy: it answers, and is out of clients, or others were first
 * - slow: it answers, and the work took too long
 * - lost: it ended the socket
 * - read-only: it takes no writes
 * - refusing: it lets nobody in, is out of something, or has a fault of its system
 */
export type DatabaseTrouble =
  "away" | "silent" | "starting" | "busy" | "slow" | "lost" | "read-only" | "refusing";

/** SQLSTATEs and classes of them. The first one that fits counts. */
const troublesByState: readonly [start: string, trouble: DatabaseTrouble][] = [
  ["08", "lost"],
  ["25006", "read-only"],
  ["25P03", "slow"],
  ["25P04", "slow"],
  ["28", "refusing"],
  ["40001", "busy"],
  ["40P01", "busy"],
  ["53300", "busy"],
  ["53", "refusing"],
  ["57014", "slow"],
  ["57P03", "starting"],
  ["57P", "lost"],
  ["58", "refusing"],
];
/** A transaction that lost against another one, and did so at every try. */
const lostStates = new Set(["40001", "40P01"]);
const troublesByErrno: Readonly<Record<string, DatabaseTrouble>> = {
  EADDRNOTAVAIL: "away",
  EAI_AGAIN: "away",
  ECONNREFUSED: "away",
  ECONNRESET: "lost",
  EHOSTUNREACH: "away",
  EMFILE: "away",
  ENETUNREACH: "away",
  ENFILE: "away",
  ENOBUFS: "away",
  ENOTFOUND: "away",
  EPIPE: "lost",
  ETIMEDOUT: "silent",
};
/** Of a Unix socket that no server listens on any more, or whose queue is full. */
const troublesOfSocket: Readonly<Record<string, DatabaseTrouble>> = {
  ENOENT: "away",
  EAGAIN: "busy",
};
/** How messages of the driver begin. The first one that fits counts. */
const troublesByMessage: readonly [start: string, trouble: DatabaseTrouble][] = [
  ["timeout exceeded when trying to connect", "silent"],
  ["timeout expired", "silent"],
  ["Connection terminated due to connection timeout", "silent"],
  ["Connection terminated", "lost"],
  ["Query read timeout", "silent"],
  ["Client has encountered a connection error", "lost"],
  ["Client was closed", "lost"],
  ["Cannot use a pool after calling end on the pool", "lost"],
  ["the database system is", "starting"],
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
  return findTrouble(error) !== undefined;
}

/** Undefined when the query was wrong, and for any error that is not of the database. */
export function findTrouble(error: unknown): DatabaseTrouble | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof DatabaseAway) return "silent";
  if (error instanceof AggregateError && error.errors.length > 0)
    return error.errors.every(isDatabaseUnavailable) ? findTrouble(error.errors[0]) : undefined;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (typeof code !== "string") return firstThatFits(troublesByMessage, error.message);
  const ofSocket = syscall === "connect" ? troublesOfSocket[code] : undefined;
  return ofSocket ?? troublesByErrno[code] ?? firstThatFits(troublesByState, code);
}

function firstThatFits(
  troubles: readonly [start: string, trouble: DatabaseTrouble][],
  text: string,
): DatabaseTrouble | undefined {
  return troubles.find(([start]) => text.startsWith(start))?.[1];
}

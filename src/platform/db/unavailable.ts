import { StartRefused } from "../start-refused.ts";

/**
 * Why the database cannot be used now, as far as an error tells:
 * - away: nothing listens at its address, or the address cannot be found or reached
 * - silent: it gave no sign in time: there was no socket, or not one byte came on it
 * - starting: it starts or stops
 * - busy: it answers, and is out of clients, memory or turns, or others were first
 * - slow: it let a client in or began to, and the work took too long
 * - lost: it ended the socket
 * - read-only: it takes no writes
 * - refusing: it does not let us in, its disk is full, or it has a fault of its system
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
  ["3D", "refusing"],
  ["40001", "busy"],
  ["40P01", "busy"],
  ["53200", "busy"],
  ["53300", "busy"],
  ["53", "refusing"],
  ["55P03", "busy"],
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
/** What a pooler before the server says when it has no room. Its state, 08P01, is that of all its messages. */
const busyPooler = /^(?:no more connections allowed|query_wait_timeout)/;
/** How messages of the driver begin. The first one that fits counts. */
const troublesByMessage: readonly [start: string, trouble: DatabaseTrouble][] = [
  ["timeout expired", "silent"],
  ["Connection terminated", "lost"],
  ["Query read timeout", "slow"],
  ["Client has encountered a connection error", "lost"],
  ["Client was closed", "lost"],
  ["Cannot use a pool after calling end on the pool", "lost"],
  ["the database system is", "starting"],
];

/** Nobody waits for a database that is known to be away. */
export class DatabaseAway extends Error {
  override readonly message = "the database is away";
}

/** No socket came about in time: nothing is there, or its network is slow. */
export class NoSocket extends Error {
  override readonly message = "no connection to the database in time";
}

/** The socket came about, and the login was not complete in time. */
export class NoLogin extends Error {
  override readonly message = "no login to the database in time";
  /** False when not one byte came: what took the socket need not be a database. */
  readonly isAnswered: boolean;

  constructor({ isAnswered }: { isAnswered: boolean }) {
    super();
    this.isAnswered = isAnswered;
  }
}

/** The clients of the pool are with others, who were first. */
export class NoClientFree extends Error {
  override readonly message = "every client of the database is in use";
}

/** A migration waits for a table. The message names who holds it. */
export class TableInUse extends StartRefused {}

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
  if (error instanceof DatabaseAway || error instanceof NoSocket) return "silent";
  if (error instanceof NoLogin) return error.isAnswered ? "slow" : "silent";
  if (error instanceof NoClientFree || error instanceof TableInUse) return "busy";
  if (error instanceof AggregateError && error.errors.length > 0)
    return error.errors.every(isDatabaseUnavailable) ? findTrouble(error.errors[0]) : undefined;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (typeof code !== "string") return firstThatFits(troublesByMessage, error.message);
  if (code === "08P01" && busyPooler.test(error.message)) return "busy";
  const ofSocket = syscall === "connect" ? troublesOfSocket[code] : undefined;
  return ofSocket ?? troublesByErrno[code] ?? firstThatFits(troublesByState, code);
}

function firstThatFits(
  troubles: readonly [start: string, trouble: DatabaseTrouble][],
  text: string,
): DatabaseTrouble | undefined {
  return troubles.find(([start]) => text.startsWith(start))?.[1];
}

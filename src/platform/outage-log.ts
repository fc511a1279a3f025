import type { Log } from "./log.ts";
import { findTrouble } from "./db/unavailable.ts";

const everyMs = 60_000;
/** An outage that follows another one within the minute is told when it lasts as long. */
const soonMs = 3_000;

/**
 * Logs that a server cannot be used, once a minute at most however often it was tried, and that it is back. A server
 * that refuses now and then would fill the log: short outages within a minute of the last one are counted, and their
 * number is told. It is for the errors of the clients of Postgres, Redis and the collector of traces alone: known
 * messages of theirs are logged.
 */
export class OutageLog {
  readonly #log: Log;
  readonly #what: string;
  #awayLoggedAt = -Infinity;
  #lossLoggedAt = -Infinity;
  /** When the outage that goes on began, and whether it is told; undefined when there is none. */
  #outage: { beganAt: number; isTold: boolean } | undefined;
  /** Outages that were not told. */
  #counted = 0;

  constructor(log: Log, what: string) {
    this.#log = log;
    this.#what = what;
  }

  failed(error: unknown): void {
    const now = performance.now();
    const outage = (this.#outage ??= { beganAt: now, isTold: false });
    const lasts = !outage.isTold && now - outage.beganAt >= soonMs;
    if (now - this.#awayLoggedAt < everyMs && !lasts) return;
    this.#awayLoggedAt = now;
    outage.isTold = true;
    const { detail, ...told } = describeOutage(error);
    this.#log.warn(
      { err: error, ...(detail !== undefined && { detail }) },
      `${this.#what} ${explain(told)}`,
    );
  }

  /** A deadlock or a serialization failure is no outage. */
  lost(error: unknown): void {
    if (performance.now() - this.#lossLoggedAt < everyMs) return;
    this.#lossLoggedAt = performance.now();
    const { detail } = describeOutage(error);
    this.#log.warn(
      { err: error, detail },
      `a transaction of ${this.#what} lost against another one and is made again`,
    );
  }

  recovered(): void {
    if (this.#outage?.isTold) this.#log.info(`${this.#what} is back`);
    else if (this.#outage) this.#count();
    this.#outage = undefined;
  }

  #count(): void {
    this.#counted += 1;
    if (this.#counted > 1) return;
    setTimeout(() => {
      const times = this.#counted === 1 ? "once more" : `${this.#counted} more times`;
      this.#counted = 0;
      this.#log.warn(`${this.#what} could not be used ${times} within a minute`);
    }, everyMs).unref();
  }
}

function explain({ refusal, shortage }: Omit<ReturnType<typeof describeOutage>, "detail">): string {
  if (shortage !== undefined) return `cannot be reached: ${shortage}`;
  return refusal === undefined
    ? "is away; it is tried again until it is back"
    : `refuses: ${refusal}`;
}

/** What an operator is told of a server that cannot be used. Both are words of ours or of the server's own state. */
interface OutageDescription {
  /** What the driver or the server said. */
  detail?: string;
  /** What the server refuses, and what to do. */
  refusal?: string;
  /** What this machine is out of, so that no socket can be opened, and what to do. */
  shortage?: string;
}

const shortages: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: "no local port is left for another socket; look for what opens so many",
  EMFILE: "this process has no file left to open; raise its limit (ulimit -n)",
  ENFILE: "this machine has no file left to open; raise its limit (fs.file-max)",
  ENOBUFS: "this machine has no memory left for sockets",
};

const redisRefusals: Readonly<Record<string, string>> = {
  DENIED:
    "it is in protected mode and takes only clients of its own machine; set a password in it and in REDIS_URL",
  LOADING: "it loads its data; it can be used when it is done",
  MASTERDOWN: "it is a replica without its master; REDIS_URL has to lead to the master",
  MISCONF: "it cannot save its data and takes no writes; look at its log and its disk",
  NOAUTH: "it wants a password; put it in REDIS_URL, as in redis://:password@host:6379",
  NOPERM: "its user may not run our commands; allow it all commands, keys and channels",
  OOM: "its memory is full; give it more memory",
  READONLY: "it is a replica; REDIS_URL has to lead to the master",
  WRONGPASS: "the user or the password in REDIS_URL is wrong; correct it",
};

const postgresRefusals: Readonly<Record<string, string>> = {
  "25006": "it takes no writes; DATABASE_URL has to lead to the primary",
  "28000": "it does not let the user of DATABASE_URL in; correct it there or here",
  "28P01": "it refuses the password in DATABASE_URL; correct it there or here",
  "3D000": "it has no database of the name in DATABASE_URL; correct it there or here",
  "42501": "it does not let the user of DATABASE_URL make tables; correct it there or here",
  "53100": "its disk is full; make room on it",
  "53200": "its memory is full; give it more memory",
  "53300": "it takes no more clients; raise max_connections or lower DATABASE_POOL_MAX",
  "57014": "a statement took too long and was ended",
};

/** How messages of the client of Redis begin, and our own about it. */
const redisMessages =
  /^(?:Connection is closed|Socket timeout|Command timed out|Stream isn't writeable|the queue is away|timed out)/;

interface Fields {
  code?: unknown;
  syscall?: unknown;
  address?: string;
  hostname?: string;
  port?: number;
}

/** Only for errors of the clients of Postgres and Redis. Whatever could quote data is left out. */
export function describeOutage(error: unknown): OutageDescription {
  if (!(error instanceof Error)) return {};
  if (error instanceof AggregateError && error.errors.length > 0)
    return describeOutage(error.errors[0]);
  const { code, syscall, address, hostname, port } = error as Error & Fields;
  if (typeof syscall === "string" && typeof code === "string") {
    const place = address ?? hostname ?? "";
    const detail = `${syscall} ${code} ${place}${port === undefined ? "" : `:${port}`}`.trim();
    const shortage = shortages[code];
    return shortage === undefined ? { detail } : { detail, shortage };
  }
  if (error.name === "ReplyError") return describeReply(error.message);
  const refusal = typeof code === "string" ? postgresRefusals[code] : undefined;
  if (refusal !== undefined) return { detail: error.message, refusal };
  // What the server says of its own state quotes no row and no parameter.
  const isKnown = findTrouble(error) !== undefined || redisMessages.test(error.message);
  return isKnown ? { detail: error.message } : {};
}

/** The rest of a reply may quote what was sent. */
function describeReply(message: string): OutageDescription {
  const word = /^-?([A-Z]+)\b/.exec(message)?.[1] ?? "";
  const refusal = redisRefusals[word];
  return refusal === undefined ? {} : { detail: word, refusal };
}

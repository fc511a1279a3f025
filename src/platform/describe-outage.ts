import { findTrouble } from "./db/unavailable.ts";

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

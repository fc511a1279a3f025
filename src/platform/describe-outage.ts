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
  "53100": "its disk is full; make room on it",
  "53200": "its memory is full; give it more memory",
  "53300": "it takes no more clients; raise max_connections or lower DATABASE_POOL_MAX",
  "57014": "a statement took too long and was ended",
};

/** Classes of SQLSTATE that are about the server: their messages quote no row and no parameter. */
const serverStates = /^(?:08|25006|28|3D|40|53|57|58)/;
const driverMessages =
  /^(?:no connection to the database in time|no login to the database in time|every client of the database is in use|timeout expired|Connection terminated|Query read timeout|Connection is closed|Socket timeout|Command timed out|Stream isn't writeable|the database is away|the queue is away|timed out)/;

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
  if (typeof code === "string" && "severity" in error)
    return serverStates.test(code) ? describeState(code, error.message) : {};
  return driverMessages.test(error.message) ? { detail: error.message } : {};
}

/** The rest of a reply may quote what was sent. */
function describeReply(message: string): OutageDescription {
  const word = /^-?([A-Z]+)\b/.exec(message)?.[1] ?? "";
  const refusal = redisRefusals[word];
  return refusal === undefined ? {} : { detail: word, refusal };
}

function describeState(code: string, detail: string): OutageDescription {
  const isRefusedLogin = code.startsWith("28") || code.startsWith("3D");
  const refusal = isRefusedLogin
    ? "it does not take the user, password or database of DATABASE_URL; correct it"
    : postgresRefusals[code];
  return refusal === undefined ? { detail } : { detail, refusal };
}

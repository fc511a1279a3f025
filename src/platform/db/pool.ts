import type { Pool } from "pg";
import type { Log } from "../log.ts";
import { OutageLog } from "../outage-log.ts";
import { isAnswering, endIdleSessions } from "./ask-server.ts";
import { BoundedClient } from "./bounded-client.ts";
import { PatientPool } from "./patient-pool.ts";
import { isDatabaseUnavailable, isLostTransaction } from "./unavailable.ts";

export type { Pool };

export interface PoolOptions {
  databaseUrl: string;
  max: number;
  /** How long work waits for its turn while the database answers. A caller's is short, that of a job is long. */
  patienceMs: number;
  log: Log;
  searchPath?: string;
  statementTimeoutMs?: number;
  /** While the database is away, each use fails at once. */
  failsFast?: boolean;
  isReadOnly?: boolean;
  /** How long a new client waits for its socket and its login. */
  connectTimeoutMs?: number;
}

const longestConnectMs = 3_000;
/** A login that nobody waits for any more ends then. */
const longestLoginMs = 15_000;
const stalledMs = 3_000;
const longestStatementMs = 10_000;
/** How much longer than the server this process waits for the end of a statement. */
const answerMarginMs = 2_000;
/** Somebody whose socket has died holds locks for so long. */
const idleInTransactionTimeoutMs = 10_000;

/**
 * Every wait has a limit: a database that is stopped, paused or full is a quick error and never a hang.
 * A lost idle client is logged and replaced; without the handler it would end the process.
 */
export function createPool({
  databaseUrl,
  max,
  patienceMs,
  log,
  searchPath = "public",
  statementTimeoutMs = longestStatementMs,
  failsFast = false,
  isReadOnly = false,
  connectTimeoutMs = longestConnectMs,
}: PoolOptions): Pool {
  const outage = new OutageLog(log, "the database");
  const note = (error?: unknown): void => {
    if (error === undefined) outage.recovered();
    else if (isLostTransaction(error)) outage.lost(error);
    else if (isDatabaseUnavailable(error)) outage.failed(error);
  };
  const settings = {
    Client: BoundedClient as never,
    onSettled: note,
    connectionString: databaseUrl,
    max,
    socketTimeoutMs: connectTimeoutMs,
    loginTimeoutMs: longestLoginMs,
    query_timeout: statementTimeoutMs + answerMarginMs,
    idleTimeoutMillis: 30_000,
    options: [
      `-c search_path=${searchPath}`,
      `-c statement_timeout=${statementTimeoutMs}`,
      `-c idle_in_transaction_session_timeout=${idleInTransactionTimeoutMs}`,
      ...(isReadOnly ? ["-c default_transaction_read_only=on"] : []),
    ].join(" "),
  };
  const pool: PatientPool = new PatientPool(settings, {
    stalledMs,
    patienceMs,
    connectMs: connectTimeoutMs,
    // A pool that has ended asks no more.
    isAnswering: failsFast ? async () => pool.ending || isAnswering(databaseUrl) : undefined,
    endIdleSessions: (processIds) => endIdleSessions(databaseUrl, processIds),
    onFailed: note,
  });
  pool.on("error", note);
  pool.on("connect", (client) => client.on("error", note));
  return pool;
}

import type { Pool, QueryConfig, QueryResult, QueryResultRow } from "pg";
import type { Log } from "../log.ts";
import { PatientPool } from "./patient-pool.ts";

/** A pool or a transaction: what a store needs. */
export interface Queryable {
  query<Row extends QueryResultRow>(
    query: string | QueryConfig,
    values?: unknown[],
  ): Promise<QueryResult<Row>>;
}

export type { Pool };

export interface PoolOptions {
  databaseUrl: string;
  max: number;
  /** How long work waits for its turn while the database answers. A caller's is short, that of a job is long. */
  patienceMs: number;
  log: Log;
  searchPath?: string;
}

const connectTimeoutMs = 3_000;
const stalledMs = 3_000;
const statementTimeoutMs = 10_000;
const idleInTransactionTimeoutMs = 30_000;

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
}: PoolOptions): Pool {
  const settings = {
    connectionString: databaseUrl,
    max,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: statementTimeoutMs + 2_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    options: [
      `-c search_path=${searchPath}`,
      `-c statement_timeout=${statementTimeoutMs}`,
      `-c idle_in_transaction_session_timeout=${idleInTransactionTimeoutMs}`,
    ].join(" "),
  };
  const pool = new PatientPool(settings, { stalledMs, patienceMs });
  pool.on("error", (error) =>
    log.warn({ err: error }, "an idle database client was lost; the pool replaces it"),
  );
  pool.on("connect", (client) =>
    client.on("error", (error) =>
      log.warn({ err: error }, "a database client was lost; a query on it fails"),
    ),
  );
  return pool;
}

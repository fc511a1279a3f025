// Postgres: the pool, transactions, migrations, and which errors mean that the database is away.
// No table and no query of a room lives here. "The pool of Postgres" in docs/architecture.md has what is changed in pg.
export { DatabaseClock, describeOffset, noticedOffsetSeconds } from "./database-clock.ts";
export { deleteInBatches, deleteOld } from "./delete-in-batches.ts";
export {
  findTrouble,
  isDatabaseUnavailable,
  NoSocket,
  type DatabaseTrouble,
} from "./unavailable.ts";
export { inBatches } from "./in-batches.ts";
export { Listener, notification, notify } from "./listener.ts";
export { reachDatabase, takesWrites } from "./ask-server.ts";
export { allowLongStatements, transaction, type Transaction } from "./transaction.ts";
export { migrate } from "./migrate.ts";
export { findNewestMigration, findSchemaState, type SchemaState } from "./schema-version.ts";
export { findOlderSessions, OlderPrograms } from "./older-programs.ts";
export { createPool, type Pool } from "./pool.ts";
export { nameSession } from "./migration-files.ts";
export {
  prepared,
  queryRow,
  queryRows,
  joinSql,
  sql,
  sqlText,
  type Queryable,
  type Sql,
} from "./sql.ts";
export { findRole, grantToRole, ownsTables } from "./service-role.ts";

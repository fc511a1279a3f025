/**
 * A real Postgres for a machine that has none: started in a state folder from the binaries that npm installed,
 * listening on 127.0.0.1 only, stopped when this program ends in whatever way.
 *
 * One process of a state folder owns the server, all others of that folder use it. Pools, migrations and SQL live
 * in platform/db; nothing here reads a table. Only the composition root, the operator's commands and tests call this.
 */
export { startEmbeddedPostgres, type EmbeddedPostgres } from "./start-embedded-postgres.ts";
export { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
export type { LauncherLog } from "./launcher-log.ts";

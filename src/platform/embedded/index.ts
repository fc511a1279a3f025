/**
 * A real Postgres for a machine that has none: it runs from the binaries that npm installed, keeps its data
 * in a state folder, listens on a Unix socket, and stops when this program ends in whatever way.
 *
 * One process of a state folder owns the server, all others use it. Pools, migrations and SQL live in
 * platform/db; nothing here reads a table. The composition root and tests call this, and nobody else.
 */
export {
  findRunningPostgres,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from "./start-embedded-postgres.ts";

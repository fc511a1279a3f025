import { Client } from "pg";
import { explainRefusal } from "../../start/explain-start.ts";
import { addSeconds, secondsBetween, systemClock } from "../../platform/clock.ts";
import {
  describeOffset,
  findSchemaState,
  nameSession,
  noticedOffsetSeconds,
  queryRow,
  type SchemaState,
} from "../../platform/db/index.ts";
import { describeOutage } from "../../platform/outage-log.ts";
import { checkTls, failed, ok, warning, type CheckGroup, type Found } from "./finding.ts";

const timeoutMs = 5_000;
const leastVersion = 150_000;

interface Server {
  version: string;
  versionNumber: number;
  role: string;
  isSuperuser: boolean;
  isReplica: boolean;
  isReadOnly: boolean;
  /** Tables that the role may not write, though the service does. */
  closedTables: readonly string[];
  hasTls: boolean;
  now: Date;
}

/** In a transaction that takes no write. */
export const database: CheckGroup = {
  name: "database",
  async *look({ config, secrets }) {
    const { findRunningPostgres } = await import("../../platform/embedded/index.ts");
    const url = secrets.databaseUrl ?? findRunningPostgres(config.stateDir);
    if (url === undefined) {
      yield warning(
        "the embedded Postgres does not run, because no service does",
        "Start the service with npm start, and run this again.",
      );
      return;
    }
    const client = new Client({
      ...nameSession(url),
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
    });
    client.on("error", () => undefined);
    try {
      await client.connect();
      const askedAt = systemClock.now();
      const server = await describeServer(client);
      const answeredAt = systemClock.now();
      const middle = addSeconds(askedAt, secondsBetween(askedAt, answeredAt) / 2);
      yield checkVersion(server);
      yield checkRole(server);
      yield checkWrites(server);
      yield {
        check: "database clock",
        ...checkClock("this machine", secondsBetween(server.now, middle)),
      };
      const host = decodeURIComponent(new URL(url).hostname);
      yield {
        check: "database TLS",
        ...checkTls(server.hasTls, host, "Add ?sslmode=verify-full to DATABASE_URL"),
      };
      yield { check: "schema", ...checkSchema(await findSchemaState(client)) };
    } catch (error) {
      const { detail } = describeOutage(error);
      yield failed(
        explainRefusal(error) ??
          `the database cannot be asked (${detail ?? (error as { code?: string }).code ?? "unknown"})`,
        "Nothing works without it: see docs/operating.md, Outages.",
      );
    } finally {
      await client.end().catch(() => undefined);
    }
  },
};

async function describeServer(client: Client): Promise<Server> {
  await client.query("begin read only");
  const server = await queryRow<Server>(
    client,
    `select current_setting('server_version') as version,
       current_setting('server_version_num')::integer as "versionNumber", current_user as role,
       (select rolsuper from pg_roles where rolname = current_user) as "isSuperuser",
       pg_is_in_recovery() as "isReplica",
       current_setting('default_transaction_read_only')::boolean as "isReadOnly",
       (select coalesce(array_agg(c.relname::text order by c.relname), '{}') from pg_class c
          join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'public' and c.relkind in ('r', 'p') and c.relname <> 'migrations'
          and not has_table_privilege(c.oid, 'INSERT')) as "closedTables",
       coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as "hasTls",
       clock_timestamp() as now`,
  );
  await client.query("rollback");
  if (!server) throw new Error("the database described nothing");
  return server;
}

function checkVersion({ version, versionNumber }: Server): Found {
  return versionNumber >= leastVersion
    ? ok(`Postgres ${version} answers`)
    : failed(`Postgres ${version} is too old`, "Upgrade it to 15 or newer.");
}

function checkRole({ role, isSuperuser }: Server): Found {
  const named = { check: "database role" };
  return isSuperuser && role !== "rollcall"
    ? warning(
        `${role} is a superuser`,
        "Give the service a role of its own that owns its database and no more.",
        named,
      )
    : ok(role, named);
}

function checkWrites({ isReplica, isReadOnly, closedTables }: Server): Found {
  const named = { check: "database writes" };
  if (isReplica)
    return failed("the server is a replica", "Let DATABASE_URL lead to the primary.", named);
  if (isReadOnly)
    return failed(
      "the database takes no writes (default_transaction_read_only)",
      "Switch that off for the database and its role.",
      named,
    );
  return closedTables.length > 0
    ? failed(
        `the role may not write to: ${closedTables.join(", ")}`,
        "Grant it what the role that made the tables has, or use that role.",
        named,
      )
    : ok("it takes writes", named);
}

/** A warning at most, because the service decides nothing by that clock. */
export function checkClock(whose: string, aheadSeconds: number): Found {
  const found = `the clock of ${whose} is ${describeOffset(aheadSeconds)}`;
  return Math.abs(aheadSeconds) > noticedOffsetSeconds
    ? warning(found, "Set both by a time server: the times of the log and certificates go by it.")
    : ok(found);
}

function checkSchema({ newest, missing, unknown }: SchemaState): Found {
  if (unknown.length > 0)
    return failed(
      `the database is newer than this program: it has ${unknown.join(", ")}`,
      "Use the program of that version.",
    );
  if (missing.length > 0)
    return warning(
      `the database is at ${newest ?? "no schema"}, ${missing.length} migrations behind this program`,
      "The next start of the service brings it up to date.",
    );
  return ok(`${newest ?? "none"}, current`);
}

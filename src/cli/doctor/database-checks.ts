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
import { isOwnHost, type CheckGroup, type Finding } from "./finding.ts";

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
      yield {
        result: "warning",
        found: "the embedded Postgres does not run, because no service does",
        advice: "Start the service with npm start, and run this again.",
      };
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
      yield { check: "database TLS", ...checkTls(server, new URL(url).hostname) };
      yield { check: "schema", ...checkSchema(await findSchemaState(client)) };
    } catch (error) {
      const { detail } = describeOutage(error);
      yield {
        result: "failed",
        found:
          explainRefusal(error) ??
          `the database cannot be asked (${detail ?? (error as { code?: string }).code ?? "unknown"})`,
        advice: "Nothing works without it: see docs/operating.md, Outages.",
      };
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

type Found = Omit<Finding, "check">;

function checkVersion({ version, versionNumber }: Server): Found {
  return versionNumber >= leastVersion
    ? { result: "ok", found: `Postgres ${version} answers` }
    : {
        result: "failed",
        found: `Postgres ${version} is too old`,
        advice: "Upgrade it to 15 or newer.",
      };
}

function checkRole({ role, isSuperuser }: Server): Finding {
  const check = "database role";
  return isSuperuser && role !== "rollcall"
    ? {
        check,
        result: "warning",
        found: `${role} is a superuser`,
        advice: "Give the service a role of its own that owns its database and no more.",
      }
    : { check, result: "ok", found: role };
}

function checkWrites({ isReplica, isReadOnly, closedTables }: Server): Finding {
  const check = "database writes";
  if (isReplica)
    return {
      check,
      result: "failed",
      found: "the server is a replica",
      advice: "Let DATABASE_URL lead to the primary.",
    };
  if (isReadOnly)
    return {
      check,
      result: "failed",
      found: "the database takes no writes (default_transaction_read_only)",
      advice: "Switch that off for the database and its role.",
    };
  return closedTables.length > 0
    ? {
        check,
        result: "failed",
        found: `the role may not write to: ${closedTables.join(", ")}`,
        advice: "Grant it what the role that made the tables has, or use that role.",
      }
    : { check, result: "ok", found: "it takes writes" };
}

/** A warning at most, because the service decides nothing by that clock. */
export function checkClock(whose: string, aheadSeconds: number): Found {
  const found = `the clock of ${whose} is ${describeOffset(aheadSeconds)}`;
  return Math.abs(aheadSeconds) > noticedOffsetSeconds
    ? {
        result: "warning",
        found,
        advice: "Set both by a time server: the times of the log and certificates go by it.",
      }
    : { result: "ok", found };
}

function checkTls({ hasTls }: Server, host: string): Found {
  if (hasTls) return { result: "ok", found: "the connection is encrypted" };
  return isOwnHost(decodeURIComponent(host))
    ? { result: "ok", found: "not encrypted, on this machine" }
    : {
        result: "warning",
        found: "what goes to another machine is not encrypted",
        advice: "Add ?sslmode=verify-full to DATABASE_URL, unless the network is private.",
      };
}

function checkSchema({ newest, missing, unknown }: SchemaState): Found {
  if (unknown.length > 0)
    return {
      result: "failed",
      found: `the database is newer than this program: it has ${unknown.join(", ")}`,
      advice: "Use the program of that version.",
    };
  if (missing.length > 0)
    return {
      result: "warning",
      found: `the database is at ${newest ?? "no schema"}, ${missing.length} migrations behind this program`,
      advice: "The next start of the service brings it up to date.",
    };
  return { result: "ok", found: `${newest ?? "none"}, current` };
}

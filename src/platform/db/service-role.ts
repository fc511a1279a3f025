import { escapeIdentifier, type Client } from "pg";
import type { Pool } from "./pool.ts";
import { type Queryable, queryRow } from "./sql.ts";
import { transaction } from "./transaction.ts";
import { withClient } from "./bounded-client.ts";

/** The name of the role that the database lets in by this address. */
export async function findRole(databaseUrl: string): Promise<string> {
  return await withClient(databaseUrl, askRole, { statementMs: 10_000 });
}

async function askRole(client: Client): Promise<string> {
  const row = await queryRow<{ role: string }>(client, "select current_user as role");
  return row?.role ?? "";
}

/** Whether the role of the pool owns a table, or may become its owner. */
export async function ownsTables(db: Queryable): Promise<boolean> {
  const row = await queryRow<{ owns: boolean }>(
    db,
    `select exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = current_schema() and c.relkind = 'r' and pg_has_role(c.relowner, 'member')) as owns`,
  );
  return row?.owns ?? false;
}

interface Restrictions {
  schemas: readonly string[];
  /** Rows are added and nothing else. */
  appendOnly: readonly string[];
  /** Rows are not deleted. */
  kept: readonly string[];
}

/**
 * Lets the role read and write the tables, which it does not own. The list of migrations it may only read. Several
 * processes may do it at once.
 */
export async function grantToRole(
  owner: Pool,
  role: string,
  { schemas, appendOnly, kept }: Restrictions,
): Promise<void> {
  const to = escapeIdentifier(role);
  await transaction(
    owner,
    async (tx) => {
      for (const schema of schemas) {
        const name = escapeIdentifier(schema);
        await tx.query(
          `grant usage on schema ${name} to ${to};
           grant select, insert, update, delete on all tables in schema ${name} to ${to};
           grant usage, select on all sequences in schema ${name} to ${to}`,
        );
      }
      await tx.query(
        `revoke update, delete, truncate on ${appendOnly.join(", ")} from ${to};
         revoke delete on ${kept.join(", ")} from ${to};
         revoke insert, update, delete, truncate on migrations from ${to}`,
      );
    },
    { lock: "grants of the service" },
  );
}

import { Client } from "pg";

/** Every table, as text: compressed values too are readable in it. */
export async function dumpTables(databaseUrl: string): Promise<string> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
        where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    const dumps: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} t`);
      dumps.push(`${name}:`, ...rows.map(({ row }) => row));
    }
    return dumps.join("\n");
  } finally {
    await client.end();
  }
}

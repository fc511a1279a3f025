import { randomUUID } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";

/**
 * Lets a database, and those that are cloned from it, show the time that a file of the folder says: a moment, or an
 * interval that it is ahead. Without a file it shows its own. Only the owner of the function can do so.
 */
export async function letFilesSetTime(databaseUrl: string, folder: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    `create or replace function service_now() returns timestamptz language sql stable parallel safe security definer
     as $$
       select coalesce(case when told like '%Z' then told::timestamptz else own + told::interval end, own)
       from date_trunc('milliseconds', statement_timestamp()) own,
         pg_read_file('${folder}/' || current_database(), 0, 100, true) told
     $$`,
  );
  await client.end();
}

/** Holds from the next statement on, whoever sends it. Undefined for the database's own time. */
export function setTime(folder: string, databaseUrl: string, told: string | undefined): void {
  const file = join(folder, new URL(databaseUrl).pathname);
  if (told === undefined) return rmSync(file, { force: true });
  const whole = `${file}-${randomUUID()}`;
  writeFileSync(whole, told);
  renameSync(whole, file);
}

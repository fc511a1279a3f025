interface Database {
  query(text: string): Promise<unknown[]>;
}

/** How many sessions of this database wait for a lock that another one has. */
export async function countLockWaits(database: Database): Promise<number> {
  const waiting = await database.query(
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return waiting.length;
}

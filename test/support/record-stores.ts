type Query = (text: string) => Promise<Record<string, unknown>[]>;

/** From now on each store of a snapshot is noted in a table that the service does not know. */
export async function recordStores(query: Query): Promise<void> {
  await query(`
    create table stores (at bigint generated always as identity, snapshot text);
    create function note_store() returns trigger language plpgsql as $$
      begin
        insert into stores (snapshot) values (new.connection_id || new.resource || new.parameters);
        return new;
      end $$;
    create trigger note_store after insert or update on snapshots
      for each row execute function note_store();`);
}

/** What was stored, in order. What was stored twice is there twice. */
export async function listStores(query: Query): Promise<string[]> {
  return (await query("select snapshot from stores order by at")).map(
    ({ snapshot }) => snapshot as string,
  );
}

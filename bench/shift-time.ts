import type { Queryable } from "../src/platform/db/index.ts";

/** From the next statement on the database says that it is so much later. For the role that owns its functions. */
export async function shiftTime(db: Pick<Queryable, "query">, interval: string): Promise<void> {
  await db.query(
    `create or replace function service_now() returns timestamptz language sql stable parallel safe
       return date_trunc('milliseconds', statement_timestamp()) + interval '${interval}'`,
  );
}

import type { Mode } from "../model/index.ts";
import { queryRows, type Queryable } from "../platform/db/index.ts";

/** What ended so long ago says nothing of the provider as it is now. */
const windowSeconds = 900;
/** One account that fails is no fault of its provider. */
const fewestFailing = 3;
const degradedPart = 1 / 2;
const recoveredPart = 1 / 5;

export interface AssessedProvider {
  provider: string;
  mode: Mode;
  isDegraded: boolean;
  /** Connections whose reads failed and succeeded in the window. */
  failing: number;
  reading: number;
  /** How many clients are told. */
  told: number;
}

/**
 * Finds the providers that have begun to fail or to work again, and tells their clients, once for each change however many
 * processes look. Connections count, and not reads: a caller may ask for the same one again and again. While nothing is
 * read, a provider stays what it was. What simulated providers fail is of one client. Uses reads_failed; the reads that
 * succeeded are counted where some failed, by reads_settled.
 */
export async function assessProviders(
  db: Queryable,
  simulated: readonly string[],
): Promise<AssessedProvider[]> {
  return await queryRows<AssessedProvider>(
    db,
    `with failing as materialized (
       select provider, mode, case when provider = any($1::text[]) then client_id else '' end as client_id,
         count(distinct connection_id)::integer as failing
       from reads
       where state = 'settled' and outcome in ('unavailable', 'broken')
         and settled_at > service_now() - make_interval(secs => $2)
       group by 1, 2, 3
     ), asked as (
       select provider, mode, client_id, coalesce(f.failing, 0) as failing, coalesce(s.is_degraded, false) as was
       from failing f full join provider_states s using (provider, mode, client_id)
       where coalesce(s.is_degraded, f.failing >= $3)
     ), counted as materialized (
       select a.*, (select count(distinct r.connection_id) from reads r
           where r.state = 'settled' and r.outcome = 'stored' and r.settled_at > service_now() - make_interval(secs => $2)
             and r.provider = a.provider and r.mode = a.mode and a.client_id in ('', r.client_id))::integer as reading
       from asked a
     ), assessed as materialized (
       select provider, mode, client_id, failing, reading, was,
         case when was then not (reading > 0 and failing <= (failing + reading) * $5::float8)
           else failing >= $3 and failing >= (failing + reading) * $4::float8 end as is_degraded
       from counted
     ), changed as (
       insert into provider_states as s (provider, mode, client_id, is_degraded)
       select provider, mode, client_id, is_degraded from assessed where is_degraded <> was
       on conflict (provider, mode, client_id) do update set is_degraded = excluded.is_degraded
         where s.is_degraded <> excluded.is_degraded
       returning provider, mode, client_id, is_degraded, record_provider_event(s) as told
     )
     select provider, mode, c.is_degraded as "isDegraded", failing, reading, told::integer as told
     from changed c join assessed using (provider, mode, client_id)`,
    [simulated, windowSeconds, fewestFailing, degradedPart, recoveredPart],
  );
}

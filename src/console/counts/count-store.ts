import type { ClientId } from "../../model/index.ts";
import { deleteOld, queryRows, type Pool, type Queryable } from "../../platform/db/index.ts";
import type { CountedWork, Work } from "../../platform/work-tally.ts";

/** What is drawn as a plot. Days are counted of nothing else. */
export type Plotted = Extract<Work["what"], "reads" | "polls" | "deliveries">;
const plotted = "'reads', 'polls', 'deliveries'";

/** Work of one kind and outcome within an hour or a day. */
export interface Span {
  what: Plotted;
  outcome: string;
  /** How many hours or days ago; 0 is the one that has not ended. Days are those of UTC. */
  ago: number;
  times: number;
}

const hour = 3_600;
const day = 24 * hour;

/** How finely, and for how long. The time before that is as long, and is kept for it. */
export const periods = {
  day: { seconds: hour, spans: 24 },
  month: { seconds: day, spans: 30 },
} as const;

export type Period = keyof typeof periods;

/** What two periods need, and a while more, so that a clean-up takes nothing that is shown. */
const kept = [
  { seconds: hour, keptSeconds: 50 * hour },
  { seconds: day, keptSeconds: 62 * day },
];

/** In the order of the key, so that two workers never wait for each other. */
export async function addCounts(db: Queryable, counted: readonly CountedWork[]): Promise<void> {
  await db.query(
    `insert into console_counts as c (client_id, seconds, at, what, provider, outcome, times)
     select client_id, seconds, to_timestamp(floor(extract(epoch from service_now()) / seconds) * seconds),
       what, provider, outcome, times
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[])
       as w (client_id, what, provider, outcome, times)
     cross join unnest($6::integer[]) as s (seconds)
     where seconds = ${hour} or what in (${plotted})
     order by 1, 2, 3, 4, 5, 6
     on conflict (client_id, seconds, at, what, provider, outcome) do update set times = c.times + excluded.times`,
    [
      counted.map(({ clientId }) => clientId),
      counted.map(({ what }) => what),
      counted.map(({ provider }) => provider),
      counted.map(({ outcome }) => outcome),
      counted.map(({ times }) => times),
      kept.map(({ seconds }) => seconds),
    ],
  );
}

/** Of a client or of all together: of the period and of the one before it. Uses the primary key. */
export async function sumSpans(
  db: Queryable,
  clientId: ClientId | undefined,
  period: Period,
): Promise<Span[]> {
  const { seconds, spans } = periods[period];
  return await queryRows<Span>(
    db,
    `select what, outcome, sum(times)::float8 as times,
       (floor(extract(epoch from service_now()) / $2) - extract(epoch from at) / $2)::integer as ago
     from console_counts
     where client_id = $1 and seconds = $2 and at > service_now() - make_interval(secs => $2 * $3)
       and what in (${plotted})
     group by what, outcome, at`,
    [clientId ?? "", seconds, 2 * spans],
  );
}

/** Work at a provider within 24 hours; of its quotas within this hour and the one before. */
export interface ProviderWork {
  what: Work["what"];
  provider: string;
  outcome: string;
  times: number;
}

/** Of a client or of all together. Uses the primary key. */
export async function sumProviders(
  db: Queryable,
  clientId: ClientId | undefined,
): Promise<ProviderWork[]> {
  return await queryRows<ProviderWork>(
    db,
    `select what, provider, outcome, sum(times)::float8 as times from console_counts
     where client_id = $1 and seconds = ${hour} and at > service_now() - make_interval(secs => ${day})
       and provider <> '' and (what <> 'quotas' or at > service_now() - make_interval(secs => ${2 * hour}))
     group by what, provider, outcome order by times desc`,
    [clientId ?? ""],
  );
}

/** Also those of minutes, which older programs write. */
export async function removeOldCounts(pool: Pool, signal: AbortSignal | undefined): Promise<void> {
  for (const { seconds, keptSeconds } of kept)
    await deleteOld(
      pool,
      {
        table: "console_counts",
        key: "ctid",
        since: "at",
        keptSeconds,
        where: `seconds = ${seconds}`,
      },
      signal,
    );
  const minutes = { table: "console_minutes", key: "id", since: "at", keptSeconds: 2 * day };
  await deleteOld(pool, minutes, signal);
}

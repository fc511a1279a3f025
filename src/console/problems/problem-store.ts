import type { ClientId } from "../../model/index.ts";
import {
  deleteOld,
  queryRow,
  queryRows,
  type Pool,
  type Queryable,
} from "../../platform/db/index.ts";
import { problemKind, type Problem, type ProblemKind } from "./problem.ts";

/** Who sees it: operators what is of all clients together, a developer the part of the own client, or both the same. */
export type SeenBy = "operator" | "client" | "all";

export interface FoundProblem extends Problem {
  seenBy: SeenBy;
}

/** Where a page begins: behind this one. */
export interface EndedCursor {
  at: Date;
  id: string;
}

export type EndedRow = Omit<Problem, "turn" | "reference" | "until" | "receiver"> & {
  id: string;
  endedAt: Date;
};

const lookEverySeconds = 50;
/** What is read again is no failed read meanwhile, for two minutes at most. */
const goneSeconds = 300;
const keptSeconds = 30 * 24 * 3_600;

/**
 * Whether it is this worker that looks in this minute. When nobody has looked for a while no worker ran, which nobody
 * else can write down.
 */
export async function claimLook(db: Queryable): Promise<boolean> {
  const row = await queryRow(
    db,
    `with claimed as (
       update console_looks l set looked_at = service_now()
       from (select looked_at from console_looks for update) was
       where was.looked_at <= service_now() - interval '${lookEverySeconds} seconds' returning was.looked_at
     ), gap as (
       insert into console_problems (key, seen_by, kind, times, since, found_at, ended_at)
       select '', 'operator', 'no_worker', 1, looked_at, service_now(), date_trunc('milliseconds', service_now())
       from claimed where looked_at > '-infinity' and looked_at < service_now() - interval '${goneSeconds} seconds'
     )
     select from claimed`,
  );
  return row !== undefined;
}

/** Opens what is found and not open, and notes of the others that they last on. */
export async function noteFound(
  db: Queryable,
  found: ReadonlyMap<string, FoundProblem>,
): Promise<void> {
  const problems = [...found.values()];
  const list = <Field extends keyof FoundProblem>(field: Field): FoundProblem[Field][] =>
    problems.map((problem) => problem[field]);
  await db.query(
    `insert into console_problems as p (key, seen_by, kind, client_id, provider, resource, detail, times, since, found_at)
     select key, seen_by, kind, client_id, provider, resource, detail, times, since, service_now()
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::integer[],
         $9::timestamptz[])
       as f (key, seen_by, kind, client_id, provider, resource, detail, times, since)
     on conflict (key) where ended_at is null do update set found_at = excluded.found_at, detail = excluded.detail,
       times = greatest(p.times, excluded.times),
       client_id = case when p.client_id = excluded.client_id then p.client_id end`,
    [
      [...found.keys()],
      list("seenBy"),
      list("kind"),
      list("clientId"),
      list("provider"),
      list("resource"),
      list("detail"),
      list("times"),
      list("since"),
    ],
  );
}

/**
 * Closes what is open and was not found for five minutes: it has ended when it was found last. Not the kinds of which
 * more were there than were looked for.
 */
export async function closeGone(
  db: Queryable,
  { exceptOf }: { exceptOf: readonly ProblemKind[] },
): Promise<void> {
  await db.query(
    `update console_problems set ended_at = date_trunc('milliseconds', found_at)
     where ended_at is null and found_at < service_now() - interval '${goneSeconds} seconds'
       and kind <> all($1::text[])`,
    [exceptOf],
  );
}

/** The newest end first. Uses console_problems_ended, or console_problems_ended_of_client. */
export async function findEnded(
  db: Queryable,
  clientId: ClientId | undefined,
  { after, limit }: { after: EndedCursor | undefined; limit: number },
): Promise<EndedRow[]> {
  const isSeen =
    clientId === undefined ? "seen_by <> 'client'" : "seen_by <> 'operator' and client_id = $5";
  return await queryRows<EndedRow>(
    db,
    `select id::text, kind, client_id as "clientId", token_id as "tokenId", provider, mode, resource, detail, times,
       since, ended_at as "endedAt"
     from console_problems
     where ${isSeen} and ended_at is not null and kind = any($1)
       and ($3::timestamptz is null or (ended_at, id) < ($3, $4::bigint))
     order by ended_at desc, id desc limit $2`,
    [
      problemKind.options,
      limit,
      after?.at ?? null,
      after?.id ?? null,
      ...(clientId === undefined ? [] : [clientId]),
    ],
  );
}

export async function removeOldProblems(
  pool: Pool,
  signal: AbortSignal | undefined,
): Promise<void> {
  const old = { table: "console_problems", key: "id", since: "ended_at", keptSeconds };
  await deleteOld(pool, old, signal);
}

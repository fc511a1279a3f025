import type { AuthErrorCode, ConnectionId, Resource } from "../model/index.ts";
import {
  notification,
  notify,
  prepared,
  queryRow,
  type Pool,
  type Queryable,
} from "../platform/db/index.ts";
import { LeaseTable } from "../platform/leases/index.ts";
import {
  priorities,
  type ClaimedRead,
  type Read,
  type ReadKey,
  type ReadOutcome,
  type ReadRun,
} from "./read.ts";
import type { ReadProgress } from "./records/read-answer.ts";

export const columns = `id, connection_id as "connectionId", client_id as "clientId", resource, parameters, provider, mode,
  state, priority, is_awaited as "isAwaited", requests, run, tries, waits, deaths, requested_at as "requestedAt",
  coalesce(retry_since, requested_at) as "retrySince", due_at as "dueAt", lease_until as "leaseUntil",
  provider_requests as "providerRequests", pages, records, bytes::float8 as bytes, kept_pages as "keptPages", outcome, settled_at as "settledAt", kept_until as "keptUntil",
  refused_fields as "refusedFields"`;

const mostPerClient = 16;
const mostPerOrigin = 4;
/** All clients meet at the one address of a vendor, whose quotas count for each account. A client has 16 of these. */
const mostPerVendor = 32;
/** This many deaths, and the read runs in a child process of its own. */
export const deathsUntilAlone = 2;
const mostAlonePerClient = 1;

/**
 * The first run begins the time for tries. What a later one waited for its place is added to it. After a killed worker
 * `due_at` is from before its run, and after a read that was cancelled the time may have begun in the future: it never
 * begins later than this run.
 */
const retrySinceOfClaim = `case when retry_since >= requested_at
  then least(service_now(), retry_since + greatest(service_now() - due_at, interval '0')) else service_now() end`;

export type MissingResource = Extract<ReadOutcome, "unsupported" | "forbidden">;

/** Of the places that clients share, one client leaves some to the others. */
function partOf(places: number): number {
  return Math.max(1, Math.floor((places * 3) / 4));
}

export interface ProviderLimit {
  name: string;
  /** Of the reads at once, by the adapter. */
  concurrency: number | undefined;
  /** Each customer's system is by itself, at an address that is typed. */
  hasTypedAddress: boolean;
}

/** The leases of reads: a share for each client, each address that is typed, and each provider that has a limit. */
export function createReadTable(
  pool: Pool,
  providerLimits: readonly ProviderLimit[],
): LeaseTable<ClaimedRead> {
  const limits = providerLimits.flatMap(({ name, concurrency, hasTypedAddress }) => {
    const most = concurrency ?? (hasTypedAddress ? undefined : mostPerVendor);
    return most === undefined ? [] : [[name, most] as const];
  });
  const limitsPerClient = limits.map(([name, most]) => [name, partOf(most)] as const);
  return new LeaseTable<ClaimedRead>({
    pool,
    table: "reads",
    fairBy: "client_id",
    shares: [
      { column: "client_id", limit: mostPerClient },
      { column: "origin_key", limit: mostPerOrigin },
      { column: "origin_key", limit: partOf(mostPerOrigin), isPerTurn: true },
      { column: "provider", limit: Object.fromEntries(limits) },
      { column: "provider", limit: Object.fromEntries(limitsPerClient), isPerTurn: true },
      {
        column: "client_id",
        limit: mostAlonePerClient,
        where: `deaths >= ${deathsUntilAlone}`,
      },
    ],
    order: "priority, due_at",
    kinds: ["provider", "priority"],
    set: `started_at = service_now(), provider_requests = 0, pages = 0, records = 0, bytes = 0, progress_at = service_now(),
      retry_since = ${retrySinceOfClaim}`,
    columns: `${columns}, traceparent`,
  });
}

export async function findRead(
  db: Queryable,
  { connectionId, resource, parameters }: ReadKey,
): Promise<Read | undefined> {
  return await queryRow<Read>(
    db,
    `select ${columns} from reads where connection_id = $1 and resource = $2 and parameters = $3`,
    [connectionId, resource, parameters],
  );
}

export async function findReadById(db: Queryable, id: string): Promise<Read | undefined> {
  return await queryRow<Read>(db, `select ${columns} from reads where id = $1`, [id]);
}

export async function isPending(db: Queryable, id: string): Promise<boolean> {
  return (await findReadById(db, id))?.state === "pending";
}

/**
 * The event of a read that has ended, for the callers who were told to wait. `detail` is of the outcome: a version, or an
 * error.
 */
function eventOfEnd(connectionId: string, outcome: string, detail: string): string {
  return `record_event_of(${connectionId},
    case when not is_awaited then null when ${outcome} = 'stored' then 'data.ready' else 'data.failed' end,
    jsonb_build_object('resource', resource, 'parameters', parameters) || ${detail})`;
}

/** How a read has ended, and the version that was stored, or the code of the refusal that callers get. */
export type ReadEnd =
  | { outcome: "stored"; version: string }
  | { outcome: "broken"; refusedFields?: readonly string[] }
  | { outcome: "unavailable" }
  | { outcome: "unsupported" }
  | { outcome: "forbidden" }
  | { outcome: "refused"; code: AuthErrorCode };

function detailOf(end: ReadEnd): { version: string } | { error: string } {
  switch (end.outcome) {
    case "stored":
      return { version: end.version };
    case "refused":
      return { error: end.code };
    case "forbidden":
      return { error: "insufficient_permission" };
    case "unavailable":
    case "broken":
    case "unsupported":
      return { error: end.outcome };
  }
}

/**
 * Tells who waits for the read: nobody does as long as no caller has asked for it. Whoever asks raises its priority
 * first. A run that began with an earlier sign-in settles nothing: another account may have been signed in to since, so
 * the read is due again at once.
 */
const settleStatement = `with locked as materialized (
    select lock_sign_in($3, $13) as is_same
  ), leased as materialized (
    select r.id, locked.is_same from reads r cross join locked
    where r.id = $1 and r.run = $2 and r.state = 'pending' for update of r
  ), again as (
    update reads r set due_at = service_now(), lease_until = null, tries = 0, waits = 0, retry_since = null
    from leased where r.id = leased.id and not leased.is_same
  ), touched as materialized (
    select id from leased where case when is_same then $6::jsonb is null or touch_snapshot($6) end
  ), settled as (
    update reads r set state = 'settled', outcome = $4, settled_at = service_now(),
      kept_until = service_now() + make_interval(secs => $5), due_at = null,
      lease_until = null, deaths = case when $4 = 'stored' then 0 else deaths end,
      sealed_cursor = null, kept_pages = 0, provider_requests = $7, pages = $8, records = $9, bytes = $10,
      refused_fields = $12
    from touched where r.id = touched.id and r.run = $2 and r.state = 'pending'
    returning r.id, r.priority, r.settled_at, r.is_awaited, r.resource, r.parameters
  ), dropped as (
    delete from read_parts p using settled where p.read_id = settled.id
  ), told as (
    select settled_at, case when priority < ${priorities.poll} then ${notification("id::text")} end,
      ${eventOfEnd("$3", "$4", "$11::jsonb")} from settled
  )
  select exists (select from leased where is_same) as "hasLease", (select settled_at from told) as "settledAt"`;

type SettledRun = Pick<ReadRun, "id" | "run" | "connectionId" | "signInCount"> & ReadProgress;

async function settle(
  db: Queryable,
  { id, run, connectionId, signInCount, providerRequests, pages, records, bytes }: SettledRun,
  {
    end,
    keptSeconds = null,
    touch = null,
  }: { end: ReadEnd; keptSeconds?: number | null; touch?: object | null },
): Promise<{ hasLease: boolean; settledAt: Date | null } | undefined> {
  const progress = [providerRequests, pages, records, bytes];
  const begin = [id, run, connectionId, end.outcome, keptSeconds, touch];
  const refused = end.outcome === "broken" ? (end.refusedFields ?? []) : [];
  const refusedFields = refused.length > 0 ? refused : null;
  const values = [...begin, ...progress, detailOf(end), refusedFields, signInCount];
  return await queryRow(db, prepared(settleStatement, values));
}

/**
 * Locks the connection against its removal, settles the read and tells whoever waits for it. Returns when that was;
 * undefined when the lease has ended: a newer run has begun, or the connection is gone or was signed in to again. This
 * result is then dropped.
 */
export async function settleRead(
  tx: Queryable,
  read: SettledRun,
  end: ReadEnd,
  keptSeconds: number | null = null,
): Promise<Date | undefined> {
  const row = await settle(tx, read, { end, keptSeconds });
  return row?.settledAt ?? undefined;
}

/**
 * The same for an answer that was stored before: the same statement touches it. "replaced" when that version is stored
 * no more: nothing is changed then.
 */
export async function settleUnchangedRead(
  db: Queryable,
  read: SettledRun,
  { version, touch }: { version: string; touch: object },
): Promise<Date | "replaced" | undefined> {
  const row = await settle(db, read, { end: { outcome: "stored", version }, touch });
  return row?.settledAt ?? (row?.hasLease === true ? "replaced" : undefined);
}

/**
 * Gives the lease back until the next try. False when the lease has ended. A wait that the provider asked for takes
 * nothing from the time for tries.
 */
export async function postponeRead(
  db: Queryable,
  { id, run }: Pick<Read, "id" | "run">,
  {
    afterSeconds,
    counts,
  }: { afterSeconds: number; counts: "tries" | "waits" | "deaths" | undefined },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update reads set lease_until = null, due_at = service_now() + make_interval(secs => $3),
       retry_since = retry_since + make_interval(secs => $4) ${counts ? `, ${counts} = ${counts} + 1` : ""}
     where id = $1 and run = $2 and state = 'pending'`,
    [id, run, afterSeconds, counts === "waits" ? afterSeconds : 0],
  );
  return rowCount === 1;
}

/**
 * Ends a read by hand, with the run that works on it. Undefined when it is not pending. The pages are deleted by a
 * statement of their own, which sees those that the run kept until the read was its own no more.
 */
export async function cancelRead(
  tx: Queryable,
  id: string,
  keptSeconds: number,
): Promise<Read | undefined> {
  const row = await queryRow<Read>(
    tx,
    `update reads set state = 'settled', outcome = 'unavailable', settled_at = service_now(),
       kept_until = service_now() + make_interval(secs => $2), due_at = null, lease_until = null, run = run + 1,
       sealed_cursor = null, kept_pages = 0
     where id = $1 and state = 'pending'
     returning ${columns}, ${eventOfEnd("connection_id", "outcome", "$3::jsonb")}`,
    [id, keptSeconds, detailOf({ outcome: "unavailable" })],
  );
  if (!row) return undefined;
  await tx.query("delete from read_parts where read_id = $1", [id]);
  await notify(tx, id);
  return row;
}

/** In the order of their ids, so that nobody waits in a circle. */
export async function deleteReads(
  tx: Queryable,
  connectionIds: readonly ConnectionId[],
  resource: Resource | null,
): Promise<void> {
  await tx.query(
    `with locked as materialized (
       select id from reads where connection_id = any($1::uuid[]) and ($2::text is null or resource = $2)
       order by id for update)
     delete from reads r using locked l where r.id = l.id`,
    [connectionIds, resource],
  );
}

export async function saveProgress(
  db: Queryable,
  reads: readonly ({ id: string; run: number } & ReadProgress)[],
): Promise<void> {
  await db.query(
    `update reads r set provider_requests = p.provider_requests, pages = p.pages, records = p.records,
       bytes = p.bytes, progress_at = service_now()
     from unnest($1::uuid[], $2::integer[], $3::integer[], $4::integer[], $5::integer[], $6::bigint[])
       as p (id, run, provider_requests, pages, records, bytes)
     where r.id = p.id and r.run = p.run and r.lease_until is not null`,
    [
      reads.map(({ id }) => id),
      reads.map(({ run }) => run),
      reads.map(({ providerRequests }) => providerRequests),
      reads.map(({ pages }) => pages),
      reads.map(({ records }) => records),
      reads.map(({ bytes }) => bytes),
    ],
  );
}

/** What a read found since the last sign-in: that the account lacks the resource, or may not read it. */
export async function findMissing(
  db: Queryable,
  { connectionId, resource }: { connectionId: ConnectionId; resource: Resource },
  signedInAt: Date,
): Promise<MissingResource | undefined> {
  const row = await queryRow<{ outcome: MissingResource }>(
    db,
    `select outcome from reads
     where connection_id = $1 and resource = $2 and state = 'settled' and outcome in ('unsupported', 'forbidden')
       and kept_until > service_now() and started_at >= $3 limit 1`,
    [connectionId, resource, signedInAt],
  );
  return row?.outcome;
}

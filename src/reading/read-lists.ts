import type { ClientId, ConnectionId, Resource } from "../model/index.ts";
import { queryRow, queryRows, type Pool, type Queryable } from "../platform/db/index.ts";
import { columns } from "./read-store.ts";
import type { Read, ReadOutcome } from "./read.ts";

/** Reads of a provider that fail in the same way. */
export interface FailingReads {
  /** Null when they are of several clients. */
  clientId: ClientId | null;
  provider: string;
  resource: Resource;
  outcome: "unavailable" | "broken";
  reads: number;
  since: Date;
  /** Of our records, that the answers lack. */
  fields: string[];
}

/** Reads that the provider lets wait. */
interface WaitingReads {
  clientId: ClientId | null;
  provider: string;
  reads: number;
  since: Date;
  until: Date;
}

/** `isCut` when there are more than were looked at, and others of them may be of another kind. */
export interface TroubledReads {
  failing: FailingReads[];
  waiting: WaitingReads[];
  isCut: boolean;
}

/** Where a page of reads begins: behind this one. */
export interface ReadCursor {
  /** When it was settled, in microseconds since 1970: many can be settled in one millisecond. */
  micros: string;
  id: string;
}

/** Which reads are listed. What is left out does not narrow the list. */
export interface ReadFilter {
  /** `pending` are all that have not ended, `running` those that a worker has begun. */
  status?: "pending" | "running" | ReadOutcome | undefined;
  clientId?: ClientId | undefined;
  provider?: string | undefined;
  /** Of the request of a read that is pending, and of the end of one that is settled. */
  since?: Date | undefined;
  until?: Date | undefined;
  limit: number;
}

interface ReadCount {
  /** `running`, `waiting` for a place, `postponed` to its next try, or the outcome of one that has ended. */
  state: string;
  reads: number;
  /** Of the one that was requested first. */
  oldest: Date;
}

/** What happened longer ago says nothing of now: what is polled was read again since. */
const failingSeconds = 2 * 3_600;
/** Whoever looks wants to know that there are many, not how many. */
const mostLookedAt = 1_000;
/** Where each client is looked at in turn. */
const mostOfEach = 200;
const mostFields = 5;

/** Lists of reads that grow with what is shown of them. `counts` alone looks at all reads that there are. */
export class ReadLists {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Those that have not ended, the newest request first, and then the others, the newest end first. */
  async list(filter: ReadFilter): Promise<Read[]> {
    return await listReads(this.#pool, filter);
  }

  /** How many reads there are in each state. */
  async counts(): Promise<ReadCount[]> {
    return await queryRows<ReadCount>(
      this.#pool,
      `select case when state <> 'pending' then outcome when lease_until is not null then 'running'
           when due_at <= service_now() then 'waiting' else 'postponed' end as state,
         count(*)::integer as reads, min(requested_at) as oldest
       from reads group by 1 order by 1`,
    );
  }

  /** The age in seconds of the oldest pending read; 0 when there is none. */
  async oldestPendingAge(): Promise<number> {
    const row = await queryRow<{ seconds: number }>(
      this.#pool,
      `select greatest(0, extract(epoch from service_now() - min(requested_at)))::float8 as seconds
       from reads where state = 'pending'`,
    );
    return row?.seconds ?? 0;
  }

  /** The reads of the last two hours that failed last, of a client or of all. `isCut` as of `TroubledReads`. */
  async failing(clientId: ClientId | undefined): Promise<Pick<TroubledReads, "failing" | "isCut">> {
    const failing = await findFailing(this.#pool, clientId);
    return { failing, isCut: count(failing) >= mostLookedAt };
  }

  /** Those, and the reads that wait because the provider takes no more requests now. */
  async troubled(clientId: ClientId | undefined): Promise<TroubledReads> {
    const [failing, waiting] = await Promise.all([
      findFailing(this.#pool, clientId),
      findWaiting(this.#pool, clientId),
    ]);
    const isCut = [failing, waiting].some((found) => count(found) >= mostLookedAt);
    return { failing, waiting, isCut };
  }

  /** The same for each client by itself. It grows with the clients that have such reads. */
  async troubledOfEach(): Promise<TroubledReads> {
    const [failing, waiting] = await Promise.all([
      findFailingOfEach(this.#pool),
      findWaitingOfEach(this.#pool),
    ]);
    const isCut = isEachCut(failing) || isEachCut(waiting);
    return { failing, waiting, isCut };
  }

  /** Those of one connection: the pending ones first, then the newest. */
  async ofConnection(connectionId: ConnectionId, limit: number): Promise<Read[]> {
    return await queryRows<Read>(
      this.#pool,
      `select ${columns} from reads where connection_id = $1
       order by state, coalesce(settled_at, requested_at) desc limit $2`,
      [connectionId, limit],
    );
  }

  /** A page of those that failed, the newest first, and where the next one begins, if there is one. */
  async failed(
    clientId: ClientId | undefined,
    { after, limit }: { after: ReadCursor | undefined; limit: number },
  ): Promise<{ reads: Read[]; next: ReadCursor | undefined }> {
    const found = await queryRows<Read & ReadCursor>(
      this.#pool,
      `select ${columns}, (extract(epoch from settled_at) * 1000000)::bigint::text as micros from reads
       where ${isFailed} and ($2::bigint is null or
           (settled_at, id) < (timestamptz 'epoch' + $2 * interval '1 microsecond', $3::uuid))
         ${ofClient(clientId, 4)}
       order by settled_at desc, id desc limit $1`,
      [limit + 1, after?.micros ?? null, after?.id ?? null, ...valuesOf(clientId)],
    );
    const reads = found.slice(0, limit);
    return { reads, next: found.length > limit ? reads.at(-1) : undefined };
  }

  /** How many have not ended, as far as so many. */
  async countPending(clientId: ClientId | undefined, most: number): Promise<number> {
    const pending =
      clientId === undefined
        ? "select from reads where state = 'pending'"
        : `select from reads where ${isOpen} union all select from reads where ${isLeased}`;
    const row = await queryRow<{ count: number }>(
      this.#pool,
      `select count(*)::integer as count from (${pending} limit $1) pending`,
      [most, ...valuesOf(clientId)],
    );
    return row?.count ?? 0;
  }

  /** Those that have not ended, the oldest request first; of a client, those that are next first. */
  async pending(clientId: ClientId | undefined, limit: number): Promise<Read[]> {
    return await queryRows<Read>(
      this.#pool,
      clientId === undefined
        ? `select ${columns} from reads where state = 'pending' order by requested_at limit $1`
        : `select ${columns} from reads where id in (
             (select id from reads where ${isOpen} order by priority, due_at limit $1)
             union all select id from reads where ${isLeased})
           order by priority, due_at limit $1`,
      [limit, ...valuesOf(clientId)],
    );
  }
}

async function listReads(db: Queryable, filter: ReadFilter): Promise<Read[]> {
  const { status, limit } = filter;
  const isOpen = status === "pending" || status === "running";
  const pending = status === undefined || isOpen ? await listPending(db, filter) : [];
  if (isOpen || pending.length >= limit) return pending;
  return [...pending, ...(await listSettled(db, { ...filter, limit: limit - pending.length }))];
}

/** Uses reads_pending. */
async function listPending(db: Queryable, filter: ReadFilter): Promise<Read[]> {
  const isRunning = filter.status === "running" && "lease_until is not null";
  return await list(db, filter, { state: "pending", moment: "requested_at", where: isRunning });
}

/** Uses reads_settled_client, reads_settled_provider, reads_not_stored or reads_settled. */
async function listSettled(db: Queryable, filter: ReadFilter): Promise<Read[]> {
  const isFailure = filter.status !== undefined && filter.status !== "stored";
  return await list(db, filter, {
    state: "settled",
    moment: "settled_at",
    where: isFailure && "outcome <> 'stored'",
    outcome: filter.status,
  });
}

async function list(
  db: Queryable,
  { clientId, provider, since, until, limit }: ReadFilter,
  of: {
    state: Read["state"];
    moment: "requested_at" | "settled_at";
    where: string | false;
    outcome?: string | undefined;
  },
): Promise<Read[]> {
  const values: unknown[] = [limit];
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const conditions = [
    `state = '${of.state}'`,
    of.where,
    of.outcome && `outcome = ${parameter(of.outcome)}`,
    clientId !== undefined && `client_id = ${parameter(clientId)}`,
    provider !== undefined && `provider = ${parameter(provider)}`,
    since && `${of.moment} >= ${parameter(since)}`,
    until && `${of.moment} < ${parameter(until)}`,
  ].filter(Boolean);
  return await queryRows<Read>(
    db,
    `select ${columns} from reads where ${conditions.join(" and ")} order by ${of.moment} desc limit $1`,
    values,
  );
}

/** What has not ended of a client is open or leased: reads_open and reads_leased find it, however much others have. */
const isOpen = "client_id = $2 and due_at is not null and lease_until is null";
const isLeased = "client_id = $2 and lease_until is not null";
const isFailed = "outcome in ('unavailable', 'broken')";
const isFailing = `${isFailed} and settled_at > service_now() - make_interval(secs => $1)`;
/** Of the reads of a group, in an order of their own. */
const fieldsOf = `array(select distinct unnest(string_to_array(string_agg(array_to_string(refused_fields, ','), ','), ','))
  order by 1 limit ${mostFields}) as fields`;
const isWaiting = "state = 'pending' and waits > 0 and due_at > service_now()";

/** Uses reads_failed, or reads_failed_of_client. */
async function findFailing(db: Queryable, clientId: ClientId | undefined): Promise<FailingReads[]> {
  return await queryRows<FailingReads>(
    db,
    `select case when min(client_id) = max(client_id) then min(client_id) end as "clientId", provider, resource,
       outcome, count(*)::integer as reads, min(settled_at) as since, ${fieldsOf}
     from (
       select client_id, provider, resource, outcome, settled_at, refused_fields from reads
       where ${isFailing} ${ofClient(clientId, 3)}
       order by settled_at desc limit $2) newest
     group by provider, resource, outcome order by min(settled_at)`,
    [failingSeconds, mostLookedAt, ...valuesOf(clientId)],
  );
}

/** Uses reads_waiting. */
async function findWaiting(db: Queryable, clientId: ClientId | undefined): Promise<WaitingReads[]> {
  return await queryRows<WaitingReads>(
    db,
    `select case when min(client_id) = max(client_id) then min(client_id) end as "clientId", provider,
       count(*)::integer as reads, min(requested_at) as since, max(due_at) as until
     from (
       select client_id, provider, requested_at, due_at from reads
       where ${isWaiting} ${ofClient(clientId, 2)} limit $1) waiting
     group by provider order by min(requested_at)`,
    [mostLookedAt, ...valuesOf(clientId)],
  );
}

/** The clients that have such reads, each found by a step through the index that begins with them. */
function clientsWith(isSuch: string): string {
  return `with recursive asking (client_id) as (
    (select client_id from reads where ${isSuch} order by client_id limit 1)
    union all
    select (select r.client_id from reads r where ${isSuch} and r.client_id > c.client_id order by r.client_id limit 1)
    from asking c where c.client_id is not null)`;
}

/** Uses reads_failed_of_client. */
async function findFailingOfEach(db: Queryable): Promise<FailingReads[]> {
  return await queryRows<FailingReads>(
    db,
    `${clientsWith(isFailed)}
     select c.client_id as "clientId", provider, resource, outcome, count(*)::integer as reads,
       min(settled_at) as since, ${fieldsOf}
     from asking c cross join lateral (
       select provider, resource, outcome, settled_at, refused_fields from reads r
       where r.client_id = c.client_id and ${isFailing} order by settled_at desc limit ${mostOfEach}) newest
     group by c.client_id, provider, resource, outcome`,
    [failingSeconds],
  );
}

/** Uses reads_waiting. */
async function findWaitingOfEach(db: Queryable): Promise<WaitingReads[]> {
  return await queryRows<WaitingReads>(
    db,
    `${clientsWith("state = 'pending' and waits > 0")}
     select c.client_id as "clientId", provider, count(*)::integer as reads, min(requested_at) as since, max(due_at) as until
     from asking c cross join lateral (
       select provider, requested_at, due_at from reads r
       where r.client_id = c.client_id and ${isWaiting} limit ${mostOfEach}) waiting
     group by c.client_id, provider`,
  );
}

function isEachCut(found: readonly Pick<FailingReads, "clientId" | "reads">[]): boolean {
  const ofEach = Map.groupBy(found, ({ clientId }) => clientId);
  return ofEach.values().some((own) => count(own) >= mostOfEach);
}

function count(found: readonly { reads: number }[]): number {
  return found.reduce((sum, { reads }) => sum + reads, 0);
}

function ofClient(clientId: ClientId | undefined, position: number): string {
  return clientId === undefined ? "" : `and client_id = $${position}`;
}

function valuesOf(clientId: ClientId | undefined): ClientId[] {
  return clientId === undefined ? [] : [clientId];
}

import type { ClientId, ConnectionId, PollableResource, TokenId } from "../model/index.ts";
import { prepared, queryRow, queryRows, type Queryable, inBatches } from "../platform/db/index.ts";
import type { StoredAnswer } from "../sync/index.ts";
import type { Look } from "./looks.ts";

export type PollOutcome =
  | "baseline"
  | "unchanged"
  | "changed"
  | "refused"
  | "forbidden"
  | "unavailable"
  | "broken"
  | "unsupported";

/** The poll of one connection: when it is due, and the result of the last one. */
export interface Poll {
  connectionId: ConnectionId;
  clientId: ClientId;
  tokenId: TokenId;
  provider: string;
  /** Whether the token covers employees. Others are compared when they are stored, and leave the rest as it is. */
  coversEmployees: boolean;
  state: "pending" | "idle";
  /** The time at which the last poll was due. */
  slot: Date;
  /** The number of the newest run. Only that run may settle the poll. */
  run: number;
  outcome: PollOutcome | null;
  polledAt: Date | null;
}

const columns = `connection_id as "connectionId", client_id as "clientId", token_id as "tokenId", provider,
  covers_employees as "coversEmployees", state, slot, run, outcome, polled_at as "polledAt"`;

/** The connection is polled from now on. The next tick checks what its client has polled. */
export async function insertPoll(
  tx: Queryable,
  {
    id,
    clientId,
    tokenId,
    provider,
  }: Pick<Poll, "clientId" | "tokenId" | "provider"> & { id: string },
  coversEmployees: boolean,
): Promise<void> {
  await tx.query({
    name: "insert-poll",
    text: `insert into polls (connection_id, client_id, token_id, provider, slot, next_poll_at, covers_employees)
       values ($1, $2, $3, $4, service_now(), service_now(), $5)`,
    values: [id, clientId, tokenId, provider, coversEmployees],
  });
}

/** A refused connection is not polled. After its end user signs in again, a poll is due at once. */
export async function setReadable(
  tx: Queryable,
  connectionId: ConnectionId,
  isReadable: boolean,
): Promise<void> {
  await tx.query(
    `update polls set is_readable = $2, next_poll_at = case when $2 then service_now() end where connection_id = $1`,
    [connectionId, isReadable],
  );
}

/** For the connections of a client that was not polled for what it wants now. */
export async function addMissingPolls(tx: Queryable, clientId: ClientId): Promise<void> {
  await tx.query("select add_missing_polls($1)", [clientId]);
}

/** A poll that was claimed, and what is polled. */
export type ClaimedPoll = Pick<Poll, "connectionId" | "slot"> & { wanted: PollableResource[] };

/**
 * Claims the due polls, each once in its slot, and moves each to its place in the coming hour. Connections of a
 * client that wants nothing polled are not polled until it does. Employees have to be compared, so their poll waits for
 * the read; what is read of others is compared when it is stored. Uses polls_next_poll_at.
 */
export async function claimDuePolls(
  tx: Queryable,
  limit: number,
): Promise<{ claimed: number; polled: ClaimedPoll[] }> {
  const rows = await queryRows<ClaimedPoll>(
    tx,
    `with due as (
       select p.connection_id, p.next_poll_at,
         polled_of(p) as wanted,
         date_trunc('hour', service_now(), 'UTC') + make_interval(secs => p.poll_offset) as in_this_hour
       from polls p where p.next_poll_at <= service_now() order by p.next_poll_at limit $1 for no key update of p skip locked)
     update polls p
       set next_poll_at = case when d.wanted <> '{}' then
             d.in_this_hour + case when d.in_this_hour > service_now() then interval '0' else interval '1 hour' end end,
           state = case when 'employees' = any(d.wanted) then 'pending' else p.state end,
           slot = case when d.wanted <> '{}' then d.next_poll_at else p.slot end,
           enqueued_at = case when 'employees' = any(d.wanted) then service_now() else p.enqueued_at end
     from due d where p.connection_id = d.connection_id
     returning p.connection_id as "connectionId", p.slot, d.wanted`,
    [limit],
  );
  return { claimed: rows.length, polled: rows.filter(({ wanted }) => wanted.length > 0) };
}

/**
 * Makes polls of clients that want something polled due at once: of one client, of one token, or all. Returns their
 * connections. Whoever changes many polls locks them in the order of their clients and connections, so that nobody waits
 * in a circle. What is polled for a client is looked up once for its polls, and once for those without employees.
 */
export async function makePollsDue(
  tx: Queryable,
  { clientId, tokenId }: { clientId?: ClientId; tokenId?: TokenId | undefined },
): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    tx,
    `with chosen as materialized (
       select connection_id, client_id, covers_employees from polls
       where ($1::text is null or client_id = $1) and ($2::uuid is null or token_id = $2) and is_readable
     ), wanted as materialized (
       select client_id, covers_employees from (select distinct client_id, covers_employees from chosen) kinds
       cross join lateral (
         select polled_of(p) as polled from polls p
         where p.client_id = kinds.client_id and p.covers_employees = kinds.covers_employees limit 1) one
       where polled <> '{}'
     )
     select connection_id as id from chosen join wanted using (client_id, covers_employees)
     order by client_id, connection_id`,
    [clientId ?? null, tokenId ?? null],
  );
  const ids = rows.map(({ id }) => id);
  await inBatches(ids, (some) =>
    tx.query(
      `with made_due as (
         select connection_id from polls where connection_id = any($1) and is_readable
         order by client_id, connection_id for no key update)
       update polls p set next_poll_at = service_now() from made_due d where p.connection_id = d.connection_id`,
      [some],
    ),
  );
  return ids;
}

/** Uses polls_of_client. */
export async function listPolls(db: Queryable, clientId: ClientId): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    db,
    "select connection_id as id from polls where client_id = $1 order by connection_id",
    [clientId],
  );
  return rows.map(({ id }) => id);
}

/** Ends the polls of a client that wants no more webhooks, also those that run now. */
export async function stopPolls(tx: Queryable, clientId: ClientId): Promise<void> {
  await inBatches(await listPolls(tx, clientId), (ids) =>
    tx.query(
      `with stopped as (
         select connection_id from polls where connection_id = any($1) order by connection_id for no key update)
       update polls p set next_poll_at = null, state = 'idle', run = nextval('poll_runs')
       from stopped s where p.connection_id = s.connection_id`,
      [ids],
    ),
  );
}

/** Starts a run. No earlier run may settle the poll from now on. Undefined when no poll waits. */
export async function claimPoll(
  db: Queryable,
  connectionId: ConnectionId,
): Promise<Poll | undefined> {
  return await queryRow<Poll>(
    db,
    `update polls set run = nextval('poll_runs') where connection_id = $1 and state = 'pending' returning ${columns}`,
    [connectionId],
  );
}

/** No run that has begun may settle the poll. One that waits is begun again by the sweeper. */
export async function supersedePoll(tx: Queryable, connectionId: ConnectionId): Promise<void> {
  await tx.query("update polls set run = nextval('poll_runs') where connection_id = $1", [
    connectionId,
  ]);
}

/** Locks the row until the transaction ends. False when a newer run has started. */
export async function lockPoll(tx: Queryable, { connectionId, run }: Poll): Promise<boolean> {
  const { rowCount } = await tx.query(
    "select from polls where connection_id = $1 and run = $2 and state = 'pending' for update",
    [connectionId, run],
  );
  return rowCount === 1;
}

/** A poll that was settled. */
export type UnchangedPoll = Pick<Poll, "connectionId" | "clientId" | "provider" | "slot">;

/**
 * Settles the poll, whichever run it has, when the list that was stored is the one that was compared last, with the
 * same rights, and nobody is suspected missing. Undefined when it has to be compared, or no poll waits for a list of
 * that time.
 */
export async function settleUnchanged(
  db: Queryable,
  connectionId: ConnectionId,
  { version, storedAt, limited }: StoredAnswer,
): Promise<UnchangedPoll | undefined> {
  return await queryRow<UnchangedPoll>(
    db,
    prepared(
      `update polls p set state = 'idle', outcome = 'unchanged', polled_at = service_now(), run = nextval('poll_runs')
       from receiver_states s
       where p.connection_id = $1 and p.state = 'pending' and p.slot <= $3
         and s.connection_id = $1 and s.version = $2 and s.limited = $4 and s.suspected_missing = ''
       returning p.connection_id as "connectionId", p.client_id as "clientId", p.provider, p.slot`,
      [connectionId, version, storedAt, limited],
    ),
  );
}

/** One that is due again meanwhile waits on, for the list of that time. False when a newer run has started. */
export async function settlePoll(
  tx: Queryable,
  { connectionId, run, slot }: Poll,
  outcome: PollOutcome,
): Promise<boolean> {
  const isRead = outcome === "baseline" || outcome === "unchanged" || outcome === "changed";
  const { rowCount } = await tx.query(
    `update polls
       set state = case when date_trunc('milliseconds', slot) > $5 then 'pending' else 'idle' end, outcome = $3,
           polled_at = case when $4 then service_now() else polled_at end
     where connection_id = $1 and run = $2 and state = 'pending'`,
    [connectionId, run, outcome, isRead, slot],
  );
  return rowCount === 1;
}

export async function findPoll(
  db: Queryable,
  connectionId: ConnectionId,
): Promise<Poll | undefined> {
  return await queryRow<Poll>(db, `select ${columns} from polls where connection_id = $1`, [
    connectionId,
  ]);
}

const claimedAt = "coalesce(enqueued_at, '-infinity')";
const clientsLookedAt = 200;

/** SQL for the first client behind another one that has polls which wait, and when the oldest of them was claimed. */
function clientBehind(client: string): string {
  return `select client_id, ${claimedAt} as oldest from polls where state = 'pending' and client_id > ${client}
    order by client_id, ${claimedAt} limit 1`;
}

/**
 * Waiting polls that were claimed so long ago, by a scheduler or a sweeper: at most `ofEach` of each of the next `clients`
 * behind `after` that have such, so that many of one client keep no other one waiting. Several sweepers share them. Uses
 * polls_stale_of_client.
 */
export async function claimStalePolls(
  db: Queryable,
  wanted: { after: string; staleSeconds: number; clients: number; ofEach: number },
): Promise<Look> {
  const { after, staleSeconds, clients, ofEach } = wanted;
  const isStale = "< service_now() - make_interval(secs => $2)";
  const row = await queryRow<{ ids: ConnectionId[]; next: string | null }>(
    db,
    `with recursive waiting as (
       (${clientBehind("$1")})
       union all
       select next.* from waiting cross join lateral (${clientBehind("waiting.client_id")}) next
     ), looked as materialized (
       select client_id, oldest from waiting limit ${clientsLookedAt}
     ), turns as materialized (
       select client_id from looked where oldest ${isStale} order by client_id limit $3
     ), stale as (
       select p.connection_id from turns t cross join lateral (
         select connection_id from polls where client_id = t.client_id and state = 'pending' and ${claimedAt} ${isStale}
         order by ${claimedAt} limit $4 for update skip locked) p
     ), claimed as (
       update polls p set enqueued_at = service_now() from stale where p.connection_id = stale.connection_id
       returning p.connection_id
     )
     select array(select connection_id from claimed) as ids,
       case when (select count(*) from turns) = $3 then (select max(client_id) from turns)
         when count(*) = ${clientsLookedAt} then max(client_id) end as next
     from looked`,
    [after, staleSeconds, clients, ofEach],
  );
  return { ids: row?.ids ?? [], next: row?.next ?? undefined };
}

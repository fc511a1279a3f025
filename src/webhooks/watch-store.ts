import type { Queryable } from "../platform/db/index.ts";
import type { PackedList } from "./packed-list.ts";

export type PollOutcome =
  "baseline" | "unchanged" | "changed" | "refused" | "unavailable" | "broken" | "unsupported";

/** What is watched of one connection: the list of the last poll, and what the receiver knows. */
export interface Watch {
  connectionId: string;
  clientId: string;
  tokenId: string;
  provider: string;
  slot: Date;
  state: "pending" | "idle";
  attempt: number;
  outcome: PollOutcome | null;
  polledAt: Date | null;
  /** Of the stored list that `seen` was made of; null before the first poll. */
  version: string | null;
  seen: PackedList | null;
  acked: PackedList | null;
  held: Buffer;
  /** Employees of bodies that were given up: what the receiver knows of them is not certain. */
  doubtful: Buffer;
  sealedList: Buffer | null;
  sealedIndex: Buffer | null;
  sealedKept: Buffer | null;
}

const columns = `connection_id as "connectionId", client_id as "clientId", token_id as "tokenId", provider, slot, state, attempt, outcome, polled_at as "polledAt",
  version, seen, acked, held, doubtful, sealed_list as "sealedList", sealed_index as "sealedIndex", sealed_kept as "sealedKept"`;

export interface DuePoll {
  connectionId: string;
  clientId: string;
  tokenId: string;
  provider: string;
  slot: Date;
}

/** What it takes to enqueue a poll. */
export type OwedPoll = Pick<DuePoll, "connectionId" | "provider" | "slot">;

/** Makes the polls of a slot owed. A poll that is still owed from an earlier slot is owed once. */
export async function owePolls(tx: Queryable, polls: readonly DuePoll[], now: Date): Promise<void> {
  await tx.query(
    `insert into watches as w (connection_id, client_id, token_id, provider, slot, state, enqueued_at)
     select *, 'pending', $6 from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::timestamptz[])
     on conflict (connection_id) do update set slot = excluded.slot, state = 'pending', enqueued_at = excluded.enqueued_at`,
    [
      polls.map(({ connectionId }) => connectionId),
      polls.map(({ clientId }) => clientId),
      polls.map(({ tokenId }) => tokenId),
      polls.map(({ provider }) => provider),
      polls.map(({ slot }) => slot),
      now,
    ],
  );
}

/** What a run of a poll found when it began. */
export type ClaimedWatch = Watch & { isInFlight: boolean };

/**
 * Starts a run and takes the right to settle from every earlier one. Whether a body is in flight is asked in the same statement, so that one
 * which is acknowledged just now is either in flight or known to the receiver, and never neither.
 */
export async function claimPoll(
  db: Queryable,
  connectionId: string,
): Promise<ClaimedWatch | undefined> {
  const { rows } = await db.query<ClaimedWatch & Record<string, unknown>>(
    `update watches w set attempt = nextval('poll_runs') where connection_id = $1 and state = 'pending'
     returning ${columns}, exists (select from deliveries d where d.connection_id = w.connection_id and d.status = 'pending') as "isInFlight"`,
    [connectionId],
  );
  return rows[0];
}

export interface PolledList {
  version: string;
  seen: PackedList;
  /** For a first poll alone: what the receiver is taken to know. */
  baseline: PackedList | null;
  held: Buffer;
  sealedList: Buffer;
  sealedIndex: Buffer;
  sealedKept: Buffer;
}

/** False when a newer run has taken over. */
export async function settlePoll(
  tx: Queryable,
  { connectionId, attempt }: Watch,
  outcome: PollOutcome,
  { now, list }: { now: Date; list?: PolledList },
): Promise<boolean> {
  const isRead = outcome === "baseline" || outcome === "unchanged" || outcome === "changed";
  const settled =
    "state = 'idle', outcome = $3, polled_at = case when $4 then $5 else polled_at end";
  const compared = `version = $6, seen = $7, acked = coalesce(acked, $8), held = $9, sealed_list = $10, sealed_index = $11, sealed_kept = $12,
    is_owed = coalesce(acked, $8) is distinct from $7 or doubtful <> ''`;
  const lists = list
    ? [
        list.version,
        list.seen,
        list.baseline,
        list.held,
        list.sealedList,
        list.sealedIndex,
        list.sealedKept,
      ]
    : [];
  const { rowCount } = await tx.query(
    `update watches set ${list ? `${settled}, ${compared}` : settled} where connection_id = $1 and attempt = $2 and state = 'pending'`,
    [connectionId, attempt, outcome, isRead, now, ...lists],
  );
  return rowCount === 1;
}

export async function findWatch(db: Queryable, connectionId: string): Promise<Watch | undefined> {
  const { rows } = await db.query<Watch & Record<string, unknown>>(
    `select ${columns} from watches where connection_id = $1`,
    [connectionId],
  );
  return rows[0];
}

/** Holds the row, so that one delivery at a time is made of it. */
export async function lockWatch(tx: Queryable, connectionId: string): Promise<Watch | undefined> {
  const { rows } = await tx.query<Watch & Record<string, unknown>>(
    `select ${columns} from watches where connection_id = $1 for update`,
    [connectionId],
  );
  return rows[0];
}

/** The lists alone, for what becomes of a body; holds the row as `lockWatch` does. */
export async function lockLists(
  tx: Queryable,
  connectionId: string,
): Promise<Pick<Watch, "acked" | "doubtful"> | undefined> {
  const { rows } = await tx.query<Pick<Watch, "acked" | "doubtful">>(
    "select acked, doubtful from watches where connection_id = $1 for update",
    [connectionId],
  );
  return rows[0];
}

/** The receiver knows this list, and nothing about it is in doubt. */
export async function setAcked(
  tx: Queryable,
  connectionId: string,
  acked: PackedList,
): Promise<void> {
  await tx.query(
    "update watches set acked = $2, doubtful = '', is_owed = seen is distinct from $2 where connection_id = $1",
    [connectionId, acked],
  );
}

export async function setDoubtful(
  tx: Queryable,
  connectionId: string,
  doubtful: Buffer,
): Promise<void> {
  await tx.query(
    "update watches set doubtful = $2::bytea, is_owed = is_owed or length($2::bytea) > 0 where connection_id = $1",
    [connectionId, doubtful],
  );
}

export async function clearOwed(tx: Queryable, connectionId: string): Promise<void> {
  await tx.query("update watches set is_owed = false where connection_id = $1", [connectionId]);
}

/** Polls that wait and were last enqueued before `enqueuedBefore`; several sweepers share them. */
export async function claimStalePolls(
  db: Queryable,
  { now, enqueuedBefore, limit }: { now: Date; enqueuedBefore: Date; limit: number },
): Promise<OwedPoll[]> {
  const { rows } = await db.query<OwedPoll & Record<string, unknown>>(
    `update watches set enqueued_at = $1 where connection_id in (
       select connection_id from watches where state = 'pending' and (enqueued_at is null or enqueued_at < $2) order by slot limit $3 for update skip locked)
     returning connection_id as "connectionId", provider, slot`,
    [now, enqueuedBefore, limit],
  );
  return rows;
}

/** Connections whose receiver is owed something for which no body is made yet. */
export async function findOwedConnections(db: Queryable, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select w.connection_id as id from watches w
     where w.is_owed and not exists (select from deliveries d where d.connection_id = w.connection_id and d.status = 'pending') limit $1`,
    [limit],
  );
  return rows.map(({ id }) => id);
}

/** A body that was made of a list which is kept no more says nothing of what the receiver knows of the next one. */
const detachBodies =
  "update deliveries set acked_after = null where connection_id in (select connection_id from gone)";

/** When the client wants no webhooks any more: the next one begins with a new baseline. */
export async function deleteWatches(tx: Queryable, clientId: string): Promise<void> {
  await tx.query(
    `with gone as (delete from watches where client_id = $1 returning connection_id) ${detachBodies}`,
    [clientId],
  );
}

/** Lists of connections that nobody could read for long. */
export async function deleteWatchesNotPolledSince(db: Queryable, moment: Date): Promise<void> {
  await db.query(
    `with gone as (delete from watches where coalesce(polled_at, slot) < $1 returning connection_id) ${detachBodies}`,
    [moment],
  );
}

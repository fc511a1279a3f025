import type { ClientId, ConnectionId, TokenId } from "../model/index.ts";
import { queryRow, queryRows, type Queryable, inBatches } from "../platform/db/index.ts";
import type { SealedEmployeeList } from "./employee-list.ts";
import type { EarlierList } from "./earlier-lists.ts";
import type { Look } from "./looks.ts";
import { packIds, unpackIds } from "../platform/packed-list.ts";
import { hasPendingChanges, type ReceiverState } from "./receiver-state.ts";

/** The row of a receiver's state with its sealed lists. */
export interface StoredState {
  connectionId: ConnectionId;
  clientId: ClientId;
  tokenId: TokenId;
  state: ReceiverState;
  employees: SealedEmployeeList;
  sealedTombstones: Buffer | null;
}

/** `list` is base64. */
interface StoredEarlierList {
  limited: readonly string[];
  list: string;
}

interface StateRow
  extends
    Omit<StoredState, "state" | "employees">,
    SealedEmployeeList,
    Pick<ReceiverState, "version" | "limited" | "current" | "acknowledged"> {
  suspectedMissing: Buffer;
  unconfirmed: Buffer;
  tombstones: Buffer;
  earlierLists: StoredEarlierList[];
}

const stateColumns = `version, limited, current, acknowledged, suspected_missing as "suspectedMissing", unconfirmed, tombstones,
  earlier_lists as "earlierLists"`;
const columns = `connection_id as "connectionId", client_id as "clientId", token_id as "tokenId", ${stateColumns},
  sealed_list as "sealedList", sealed_index as "sealedIndex", sealed_tombstones as "sealedTombstones"`;

export async function findState(
  db: Queryable,
  connectionId: ConnectionId,
  lock: "" | "for update" = "",
): Promise<StoredState | undefined> {
  const row = await queryRow<StateRow>(
    db,
    `select ${columns} from receiver_states where connection_id = $1 ${lock}`,
    [connectionId],
  );
  return row && toStoredState(row);
}

/** Locks the row until the transaction ends: one poll, one new body or one outcome at a time. */
export async function lockStoredState(
  tx: Queryable,
  connectionId: ConnectionId,
): Promise<StoredState | undefined> {
  return await findState(tx, connectionId, "for update");
}

/** The same lock, without the sealed lists. */
export async function lockState(
  tx: Queryable,
  connectionId: ConnectionId,
): Promise<ReceiverState | undefined> {
  const row = await queryRow<StateRow>(
    tx,
    `select ${stateColumns} from receiver_states where connection_id = $1 for update`,
    [connectionId],
  );
  return row && toState(row);
}

/** Saves the effect of a body's outcome. The caller has locked the row. */
export async function saveOutcome(
  tx: Queryable,
  connectionId: ConnectionId,
  state: ReceiverState,
): Promise<void> {
  await tx.query(
    `update receiver_states set acknowledged = $2, unconfirmed = $3, has_pending_changes = $4
     where connection_id = $1`,
    [connectionId, state.acknowledged, packIds(state.unconfirmed), hasPendingChanges(state)],
  );
}

/** Saves whom a new body leaves in the earlier lists. The caller has locked the row. */
export async function saveEarlierLists(
  tx: Queryable,
  connectionId: ConnectionId,
  earlier: readonly EarlierList[],
): Promise<void> {
  await tx.query("update receiver_states set earlier_lists = $2 where connection_id = $1", [
    connectionId,
    packEarlierLists(earlier),
  ]);
}

/** Saves the effect of a poll, or the first baseline, and what a `data.changed` tells of it. The caller has locked the row. */
export async function saveObserved(
  tx: Queryable,
  { connectionId, clientId, tokenId, state, employees, sealedTombstones }: StoredState,
  changes: object | undefined,
): Promise<void> {
  await tx.query(
    `insert into receiver_states (connection_id, client_id, token_id, version, current, acknowledged, suspected_missing,
       unconfirmed, tombstones, has_pending_changes, sealed_list, sealed_index, sealed_tombstones, limited, earlier_lists)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
     on conflict (connection_id) do update
       set version = excluded.version, limited = excluded.limited, current = excluded.current,
           acknowledged = excluded.acknowledged, suspected_missing = excluded.suspected_missing,
           unconfirmed = excluded.unconfirmed, tombstones = excluded.tombstones, has_pending_changes = excluded.has_pending_changes,
           sealed_list = excluded.sealed_list, sealed_index = excluded.sealed_index,
           sealed_tombstones = excluded.sealed_tombstones, earlier_lists = excluded.earlier_lists
     returning record_event_of($1, case when $16::jsonb is not null then 'data.changed' end, $16)`,
    [
      connectionId,
      clientId,
      tokenId,
      state.version,
      state.current,
      state.acknowledged,
      packIds(state.suspectedMissing),
      packIds(state.unconfirmed),
      packIds(state.tombstones),
      hasPendingChanges(state),
      employees.sealedList,
      employees.sealedIndex,
      sealedTombstones,
      state.limited,
      packEarlierLists(state.earlier),
      changes,
    ],
  );
}

/** Replaces the records of the state's lists. The caller has locked the row. */
export async function saveCleaned(
  tx: Queryable,
  {
    connectionId,
    employees,
    sealedTombstones,
  }: Pick<StoredState, "connectionId" | "employees" | "sealedTombstones">,
): Promise<void> {
  await tx.query(
    `update receiver_states set sealed_list = $2, sealed_index = $3, sealed_tombstones = $4
     where connection_id = $1`,
    [connectionId, employees.sealedList, employees.sealedIndex, sealedTombstones],
  );
}

/**
 * Connections with pending changes for which no body is in flight. While an address is stopped, all of its connections
 * have such changes, and mostly a body: it looks at `limit` of them behind `after`. Uses receiver_states_pending.
 */
export async function findWithoutDelivery(
  db: Queryable,
  { after, limit }: { after: string; limit: number },
): Promise<Look> {
  const rows = await queryRows<{ id: string; isWithout: boolean }>(
    db,
    `select s.connection_id as id, not exists (
         select from deliveries d where d.connection_id = s.connection_id and d.status = 'pending') as "isWithout"
     from receiver_states s
     where s.has_pending_changes and s.connection_id > $1 order by s.connection_id limit $2`,
    [after, limit],
  );
  return {
    ids: rows.filter(({ isWithout }) => isWithout).map(({ id }) => id),
    next: rows[limit - 1]?.id,
  };
}

/** A body of a deleted state must not change the next state when it is acknowledged. */
const detachBodies =
  "update deliveries set list_after = null where connection_id in (select connection_id from deleted)";

/** For a client that wants no more webhooks. Later ones begin with a new baseline. */
export async function deleteStates(tx: Queryable, clientId: ClientId): Promise<void> {
  await forEachBatch(tx, clientId, (ids) =>
    tx.query(
      `with deleted as (delete from receiver_states where connection_id = any($1) returning connection_id) ${detachBodies}`,
      [ids],
    ),
  );
}

/**
 * For a client that wants no more webhooks, while its events go on with the lists: later webhooks do not tell of what
 * was pending, and bodies of before change nothing when they are acknowledged.
 */
export async function acknowledgeStates(tx: Queryable, clientId: ClientId): Promise<void> {
  await forEachBatch(tx, clientId, (ids) =>
    tx.query(
      `with kept as (
         update receiver_states set acknowledged = current, unconfirmed = '', has_pending_changes = false
         where connection_id = any($1) returning connection_id)
       update deliveries set list_after = null where connection_id in (select connection_id from kept)`,
      [ids],
    ),
  );
}

/** Of a client with many connections, no statement takes long. Uses receiver_states_client. */
async function forEachBatch(
  tx: Queryable,
  clientId: ClientId,
  work: (ids: readonly string[]) => Promise<unknown>,
): Promise<void> {
  const rows = await queryRows<{ id: string }>(
    tx,
    "select connection_id as id from receiver_states where client_id = $1 order by connection_id",
    [clientId],
  );
  await inBatches(
    rows.map(({ id }) => id),
    work,
  );
}

/** For at most `limit` connections that could not be polled for so long. Returns how many. Uses polls_polled_at. */
export async function deleteOldStates(
  db: Queryable,
  keptSeconds: number,
  limit: number,
): Promise<number> {
  const row = await queryRow<{ count: number }>(
    db,
    `with deleted as (
       delete from receiver_states where connection_id in (
         select s.connection_id from receiver_states s join polls p using (connection_id)
         where p.polled_at < service_now() - make_interval(secs => $1) order by p.polled_at limit $2 for update of s skip locked)
       returning connection_id
     ), detached as (${detachBodies})
     select count(*)::integer as count from deleted`,
    [keptSeconds, limit],
  );
  return row?.count ?? 0;
}

function toState(row: StateRow): ReceiverState {
  return {
    version: row.version,
    limited: row.limited,
    current: row.current,
    acknowledged: row.acknowledged,
    suspectedMissing: unpackIds(row.suspectedMissing),
    unconfirmed: unpackIds(row.unconfirmed),
    tombstones: unpackIds(row.tombstones),
    earlier: row.earlierLists.map(({ limited, list }) => ({
      limited,
      list: Buffer.from(list, "base64"),
    })),
  };
}

function packEarlierLists(earlier: readonly EarlierList[]): string {
  const stored: StoredEarlierList[] = earlier.map(({ limited, list }) => ({
    limited,
    list: list.toString("base64"),
  }));
  return JSON.stringify(stored);
}

function toStoredState(row: StateRow): StoredState {
  const { connectionId, clientId, tokenId, sealedList, sealedIndex, sealedTombstones } = row;
  const employees = { sealedList, sealedIndex };
  return { connectionId, clientId, tokenId, state: toState(row), employees, sealedTombstones };
}

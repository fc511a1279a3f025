import type { ClientId, ConnectionId, EventType } from "../model/index.ts";
import { notification, queryRow, queryRows, type Queryable } from "../platform/db/index.ts";
import type { PlacedEvent, StoredEvent } from "./event.ts";

const columns = `id, client_id as "clientId", connection_id as "connectionId", token_id as "tokenId", provider, mode, type,
  data, created_at as "createdAt", position::float8 as position`;

/** Whether there is an event without a position, of the client or of anybody. Uses events_waiting. */
export async function hasWaiting(db: Queryable, clientId?: ClientId): Promise<boolean> {
  const row = await queryRow(
    db,
    "select from events where position is null and ($1::text is null or client_id = $1) limit 1",
    [clientId ?? null],
  );
  return row !== undefined;
}

/** Events that are committed and have no position yet, in the order in which they happened. Uses events_waiting. */
export async function findWaiting(tx: Queryable, limit: number): Promise<StoredEvent[]> {
  return await queryRows<StoredEvent>(
    tx,
    `select ${columns} from events where position is null order by number limit $1`,
    [limit],
  );
}

/** The last position that was given. */
export async function findHead(tx: Queryable): Promise<number> {
  const row = await queryRow<{ position: number }>(
    tx,
    "select position::float8 as position from event_head",
  );
  return row?.position ?? 0;
}

/** No position is given again that may have been given before now. There are fewer events than milliseconds. */
export async function skipPositions(tx: Queryable): Promise<void> {
  await tx.query(
    "update event_head set position = greatest(position, (extract(epoch from service_now()) * 1000)::bigint)",
  );
}

/** Stores their positions and what they tell, and wakes whoever waits for events of their clients. */
export async function placeEvents(tx: Queryable, placed: readonly PlacedEvent[]): Promise<void> {
  await tx.query(
    `with placed as (
       update events e set position = p.position, data = p.data
       from unnest($1::uuid[], $2::bigint[], $3::jsonb[]) as p (id, position, data) where e.id = p.id
     )
     update event_head set position = (select max(position) from unnest($2::bigint[]) as given (position))`,
    [
      placed.map(({ id }) => id),
      placed.map(({ position }) => position),
      placed.map(({ data }) => JSON.stringify(data)),
    ],
  );
  const clients = [...new Set(placed.map(({ clientId }) => noticeOf(clientId)))];
  await tx.query(`select ${notification("notice")} from unnest($1::text[]) as notice`, [clients]);
}

/** Who waits for events of the client listens for this. */
export function noticeOf(clientId: ClientId): string {
  return `events ${clientId}`;
}

/** After this position, in their order. Uses events_position. */
export async function listEvents(
  db: Queryable,
  { clientId, after, limit }: { clientId: ClientId; after: number; limit: number },
): Promise<PlacedEvent[]> {
  return await queryRows<PlacedEvent>(
    db,
    `select ${columns} from events where client_id = $1 and position > $2 order by position limit $3`,
    [clientId, after, limit],
  );
}

export async function findEvents(db: Queryable, ids: readonly string[]): Promise<StoredEvent[]> {
  return await queryRows<StoredEvent>(
    db,
    `select ${columns} from events where id = any($1::uuid[]) order by number`,
    [ids],
  );
}

/** Something that happened to a connection, as ids and states. */
export interface HistoryEntry {
  type: EventType;
  data: Readonly<Record<string, unknown>>;
  at: Date;
}

/** The newest first. Uses events_of_connection. */
export async function findHistory(
  db: Queryable,
  connectionId: ConnectionId,
  limit: number,
): Promise<HistoryEntry[]> {
  return await queryRows<HistoryEntry>(
    db,
    `select type, data, created_at as at from events where connection_id = $1 order by number desc limit $2`,
    [connectionId, limit],
  );
}

/** How often each of the connections has had an event of the type. Uses events_of_connection. */
export async function countByConnection(
  db: Queryable,
  type: EventType,
  connectionIds: readonly ConnectionId[],
): Promise<Map<ConnectionId, number>> {
  const rows = await queryRows<{ id: ConnectionId; times: number }>(
    db,
    `select connection_id as id, count(*)::integer as times from events
     where connection_id = any($1::uuid[]) and type = $2 group by connection_id`,
    [connectionIds, type],
  );
  return new Map(rows.map(({ id, times }) => [id, times]));
}

import type { ConnectionId, EventType } from "../model/index.ts";
import { queryRows, type Queryable } from "../platform/db/index.ts";

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

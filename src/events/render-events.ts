import type { Connections } from "../connections/index.ts";
import type { ClientId, ConnectionId } from "../model/index.ts";
import { formatQuery } from "../sync/index.ts";
import type { SentEvent, StoredEvent } from "./event.ts";

/**
 * The events as the client gets them. What the client calls their connections is looked up now. One of a connection that
 * its bound token gives to another client is left out: what the row says of the client decides nothing. Of a connection
 * that is gone the row alone tells.
 */
export async function renderEvents(
  { connections }: { connections: Pick<Connections, "findAll" | "labels"> },
  clientId: ClientId,
  events: readonly StoredEvent[],
): Promise<SentEvent[]> {
  const ids = [...new Set(events.flatMap(({ connectionId }) => connectionId ?? []))];
  const [found, references] = await Promise.all([
    ids.length > 0 ? connections.findAll(ids) : [],
    connections.labels.ofConnections(ids),
  ]);
  const live = new Map(found.map((connection) => [connection.id, connection]));
  const isForeign = ({ connectionId, tokenId }: StoredEvent): boolean => {
    const connection = connectionId === null ? undefined : live.get(connectionId);
    return (
      connection !== undefined &&
      (connection.clientId !== clientId || connection.tokenId !== tokenId)
    );
  };
  const referenceOf = (id: ConnectionId) => {
    const known = live.has(id) ? references.get(id) : undefined;
    return { reference: known?.reference ?? null, metadata: known?.metadata ?? null };
  };
  return events
    .filter((event) => event.clientId === clientId && !isForeign(event))
    .map((event) => ({
      id: event.id,
      type: event.type,
      timestamp: event.createdAt.toISOString(),
      data: renderData(event, referenceOf),
    }));
}

function renderData(
  { connectionId, tokenId, provider, mode, data: stored }: StoredEvent,
  referenceOf: (id: ConnectionId) => object,
): Record<string, unknown> {
  const { parameters, ...data } = stored;
  const query = typeof parameters === "string" ? { parameters: formatQuery(parameters) } : {};
  if (connectionId === null) return { provider, mode, ...data, ...query };
  return { token: tokenId, provider, mode, ...referenceOf(connectionId), ...data, ...query };
}

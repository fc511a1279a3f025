import type { ClientId, ConnectionId, EventType, Mode, TokenId } from "../model/index.ts";

/** An event as it is stored. */
export interface StoredEvent {
  id: string;
  clientId: ClientId;
  /** Null for an event of a provider. */
  connectionId: ConnectionId | null;
  tokenId: TokenId | null;
  provider: string;
  mode: Mode;
  type: EventType;
  /** What it tells beside its subject: ids and states. */
  data: Readonly<Record<string, unknown>>;
  createdAt: Date;
}

/** An event whose place in the list of its client is known. */
export interface PlacedEvent extends StoredEvent {
  position: number;
}

/** An event as clients get it. */
export interface SentEvent {
  id: string;
  type: EventType;
  timestamp: string;
  data: Record<string, unknown>;
}

/**
 * Which newer event tells all that this one tells, so that a receiver that has not acknowledged this one needs the newer
 * one alone: events of the same subject with the same value here. Undefined for an event that is always sent.
 */
export function stateOf(type: EventType): "rights" | "provider" | undefined {
  if (type === "connection.rights_changed") return "rights";
  return type.startsWith("provider.") ? "provider" : undefined;
}

/** What has an order of its own: the connection, or the provider for its client. */
export function subjectOf(event: StoredEvent): string {
  return event.connectionId ?? `${event.clientId} ${event.provider} ${event.mode}`;
}

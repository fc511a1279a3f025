import type { EmployeesWebhook, Mode, Resource, Scope, SentAuthErrorCode } from "./api.ts";

/** What every event about a connection says. */
interface OfConnection {
  /** The id of the token, never the credential. */
  token: string;
  provider: string;
  mode: Mode;
  /** Your own name of the connection, and what you keep with it. Null also when the connection is gone. */
  reference: string | null;
  metadata: Record<string, unknown> | null;
}

interface OfProvider {
  provider: string;
  mode: Mode;
  replaces: string[];
}

/** Data of a connection, as the data route and its query name it. */
interface OfData extends OfConnection {
  resource: Resource;
  parameters: Record<string, string>;
}

/** Of all three kinds of a `data.changed` together, at most 1,000 ids. */
interface Changed {
  count: number;
  ids: string[];
}

/** By the type of an event, its data. */
export interface EventData {
  "connection.created": OfConnection & { scopes: Scope[] };
  /** The end user has to sign in again. */
  "connection.reauthentication_required": OfConnection & { error: SentAuthErrorCode };
  "connection.healed": OfConnection;
  "connection.rights_changed": OfConnection & {
    gained: Resource[];
    lost: Resource[];
    /** Ids of older events that this one stands for. */
    replaces: string[];
  };
  "connection.ended": OfConnection & { by: "client" | "end_user" | "operator" | "provider" };
  /** The data can be read. `version` is its ETag without quotes. */
  "data.ready": OfData & { version: string };
  /** The data cannot be read: a code of a 401, or why a call for it is a 503, a 500 or a 501. */
  "data.failed": OfData & { error: SentAuthErrorCode | "unavailable" | "broken" | "unsupported" };
  "data.changed": OfConnection & {
    resource: Resource;
    added: Changed;
    updated: Changed;
    removed: Changed;
    /** Whether there are more ids than are named. */
    truncated: boolean;
  };
  "provider.degraded": OfProvider;
  "provider.recovered": OfProvider;
}

export type EventType = keyof EventData;

/** What happened, as ids and states. `type` tells what `data` holds; types that you do not know may come. */
export type RollcallEvent = {
  [Type in EventType]: { id: string; type: Type; timestamp: string; data: EventData[Type] };
}[EventType];

/** The hourly webhook of the employees who have changed. It says no type itself. */
export interface EmployeesChanged {
  id: string;
  type: "employees.changed";
  timestamp: string;
  data: EmployeesWebhook;
}

/** What is posted to `webhook_uri` and to `event_uri`. */
export type Webhook = (RollcallEvent | EmployeesChanged) & {
  /** The id of the token, from a header that no signature covers. Undefined for an event of a provider. */
  token: string | undefined;
};

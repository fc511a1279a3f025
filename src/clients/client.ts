import type { ClientId, EventType, FieldOff, PollableResource } from "../model/index.ts";
import type { StoredSecret } from "./client-secret.ts";

/** The developer whose application calls the API. */
export interface Client {
  clientId: ClientId;
  name: string;
  redirectUris: string[];
  webhookUri: string | null;
  /** Where events go. */
  eventUri: string | null;
  /** The events that it wants. Null means all. */
  eventTypes: EventType[] | null;
  /** What is polled for its events. Null means that it has not chosen. */
  pollResources: PollableResource[] | null;
  requirePkce: boolean;
  /** Whether its end users may sign in to the sandbox in `prod`. */
  allowSandbox: boolean;
  /** What of employees it does not want to have, in the order of the alphabet. */
  fieldsOff: FieldOff[];
  /** What the application wants the data for, in its own words. */
  purpose: string | null;
  privacyUrl: string | null;
  supportUrl: string | null;
  /** Names the picture that `Clients.findLogo` has. */
  logoDigest: string | null;
  /** Of its own pages, as `#rrggbb`, where the operator allows it. */
  brandColor: string | null;
  /** Its window of five minutes, for each endpoint. Null for that of the service. */
  requestsPer5Minutes: number | null;
  /** Counts changes. An update applies to the revision that was read, or fails. */
  revision: number;
  /** False for one that an earlier version wrote, while its processes may still run. */
  isBound: boolean;
  createdAt: Date;
  /** Since when nothing of it is let in. */
  endedAt: Date | null;
  /** When its connections had ended and its last webhooks were sent. Until then it has its secrets. */
  emptiedAt: Date | null;
  /** The first one signs webhooks. */
  secrets: StoredSecret[];
}

import type { StoredSecret } from "./client-secret.ts";

export type WebhookStatus = "active" | "paused" | "gone";

/** A client set or removed its webhook address. `isCleared` is also true when it has set one again since. */
export interface WebhookChange {
  clientId: string;
  isCleared: boolean;
  isListening: boolean;
}

/** The developer whose application calls the API. */
export interface Client {
  clientId: string;
  name: string;
  redirectUris: string[];
  webhookUri: string | null;
  webhookStatus: WebhookStatus | null;
  requirePkce: boolean;
  /** Counts changes. An update applies to the revision that was read, or fails. */
  revision: number;
  createdAt: Date;
  /** The first one signs webhooks. */
  secrets: StoredSecret[];
}

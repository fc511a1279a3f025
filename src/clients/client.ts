import type { StoredSecret } from "./client-secret.ts";

export type WebhookStatus = "active" | "paused" | "gone";

/** That a client set its webhook address, or took it away: `isCleared` also when it set one again since. */
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
  /** Counts changes: a change is made to the revision that was read, or not at all. */
  revision: number;
  createdAt: Date;
  /** The first one signs webhooks. */
  secrets: StoredSecret[];
}

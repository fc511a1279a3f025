import type { ClientId } from "../model/index.ts";
import type { StoredSecret } from "./client-secret.ts";

/** The developer whose application calls the API. */
export interface Client {
  clientId: ClientId;
  name: string;
  redirectUris: string[];
  webhookUri: string | null;
  requirePkce: boolean;
  /** Counts changes. An update applies to the revision that was read, or fails. */
  revision: number;
  createdAt: Date;
  /** The first one signs webhooks. */
  secrets: StoredSecret[];
}

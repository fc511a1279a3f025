import type { ClientId } from "../model/index.ts";
import type { StoredSecret } from "./client-secret.ts";

/** The developer whose application calls the API. */
export interface Client {
  clientId: ClientId;
  name: string;
  redirectUris: string[];
  webhookUri: string | null;
  requirePkce: boolean;
  /** Whether its end users may sign in to the sandbox in `prod`. */
  allowSandbox: boolean;
  /** What the application wants the data for, in its own words. */
  purpose: string | null;
  privacyUrl: string | null;
  supportUrl: string | null;
  /** Names the picture that `Clients.findLogo` has. */
  logoDigest: string | null;
  /** Counts changes. An update applies to the revision that was read, or fails. */
  revision: number;
  /** False for one that an earlier version wrote, while its processes may still run. */
  isBound: boolean;
  createdAt: Date;
  /** The first one signs webhooks. */
  secrets: StoredSecret[];
}

import type { Resource } from "../model/index.ts";
import type { Queryable } from "../platform/db/index.ts";
import type { ObservedConnection } from "./connection.ts";
import type { Rights } from "./rights.ts";

/**
 * Another room's part in the transaction that changes a connection: that of the webhooks room for its polls, and of the
 * sync room for what it has stored.
 */
export interface ConnectionObserver {
  /** Its code was exchanged, or it needs none. It may be read from now on. */
  onClaimed?(tx: Queryable, connection: ObservedConnection): Promise<void>;
  /** The provider refused it. It is not read until its end user has signed in again. */
  onRefused?(tx: Queryable, connection: ObservedConnection): Promise<void>;
  onReauthenticated?(
    tx: Queryable,
    connection: ObservedConnection,
    signedIn: Reauthentication,
  ): Promise<void>;
}

/** What is known of a sign-in that takes the place of the one before. */
export interface Reauthentication extends Rights {
  /** Resources that the account does not have. */
  unsupported: readonly Resource[];
  /** False when it may be another account than that of the sign-in before. */
  isSameAccount: boolean;
}

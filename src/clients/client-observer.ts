import type { Transaction } from "../platform/db/index.ts";
import type { Client } from "./client.ts";

/** Another room's part in what changes a client. The webhooks room observes, for its endpoints. */
export interface ClientObserver {
  /**
   * The client set its webhook address, perhaps to the same one, or took it away; or an operator confirmed what its row
   * says of it.
   */
  onWebhookUriSet?(tx: Transaction, client: Client): Promise<void>;
  /** The same for the address of events, and when the client chose what is polled for them and left its address. */
  onEventsSet?(tx: Transaction, client: Client, hasSetAddress: boolean): Promise<void>;
  /** The client switched fields of employees off or on. */
  onFieldsSwitched?(tx: Transaction, client: Client): Promise<void>;
  /** After the commit. The client is answered when it has ended. */
  afterFieldsSwitched?(client: Client): Promise<void>;
  /** The client ends, and is told of the end of its connections where it still has an address of events. */
  onEnded?(tx: Transaction, client: Client): Promise<void>;
  /** After the commit. Who ends the client is answered when it has ended. */
  afterEnded?(client: Client): Promise<void>;
}

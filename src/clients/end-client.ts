import type { Client } from "./client.ts";

const lastEvent = "connection.ended";

/**
 * A client that ends at this moment: its name, and what the webhooks that tell it of the end of its connections need.
 * Nobody is told at an address that somebody else wrote into its row.
 */
export function endClient(client: Client, endedAt: Date): Client {
  const { isBound, eventUri, eventTypes } = client;
  const hearsOfEnd = isBound && eventUri !== null && (eventTypes?.includes(lastEvent) ?? true);
  return {
    ...client,
    redirectUris: [],
    webhookUri: null,
    eventUri: hearsOfEnd ? eventUri : null,
    eventTypes: hearsOfEnd ? [lastEvent] : null,
    pollResources: null,
    purpose: null,
    privacyUrl: null,
    supportUrl: null,
    logoDigest: null,
    brandColor: null,
    revision: client.revision + 1,
    isBound: true,
    endedAt,
    emptiedAt: null,
  };
}

/** What stays of it for good: its name, and when it was made and ended. */
export function emptyClient(client: Client, emptiedAt: Date): Client {
  return {
    ...client,
    eventUri: null,
    eventTypes: null,
    secrets: [],
    emptiedAt,
    revision: client.revision + 1,
  };
}

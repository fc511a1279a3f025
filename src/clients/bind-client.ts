import type { Keyring } from "../platform/crypto/index.ts";
import type { Client } from "./client.ts";

/** What a client's row decides: where its data goes, what it may do, and which secrets are its own. */
type BoundFacts = Omit<Client, "isBound" | "createdAt" | "requestsPer5Minutes">;

/** The MAC over the row of a client and its secrets, as they are at this revision. */
export function bindClient(keyring: Keyring, client: BoundFacts): string {
  return keyring.sign("client", formatFacts(client));
}

/** False when somebody without the service's keys wrote the row or a secret of it. */
export function isClientBound(keyring: Keyring, client: BoundFacts, mac: string): boolean {
  return keyring.isSigned(mac, "client", formatFacts(client));
}

function formatFacts(client: BoundFacts): string {
  const { clientId, revision, name, redirectUris, webhookUri, requirePkce, allowSandbox } = client;
  const { purpose, privacyUrl, supportUrl, logoDigest, secrets, fieldsOff } = client;
  const { brandColor, endedAt, emptiedAt } = client;
  const { eventUri, eventTypes, pollResources } = client;
  const events = [eventUri, eventTypes, pollResources];
  return JSON.stringify([
    clientId,
    revision,
    name,
    redirectUris,
    webhookUri,
    requirePkce,
    allowSandbox,
    purpose,
    privacyUrl,
    supportUrl,
    logoDigest,
    secrets.map(({ keyId, digest }) => [keyId, digest.toString("base64url")]),
    // A program of an earlier version knows none of these, and takes a client that has set none.
    ...(events.some((value) => value !== null) ? events : []),
    ...(fieldsOff.length > 0 ? [{ fieldsOff }] : []),
    ...(brandColor === null ? [] : [{ brandColor }]),
    ...(endedAt === null ? [] : [{ endedAt, emptiedAt }]),
  ]);
}

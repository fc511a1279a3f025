import type { Client } from "../clients/index.ts";
import type { Services } from "../start/services.ts";
import type { Row } from "./output.ts";

/** A client as commands print it. */
export async function toRow({ webhooks, config }: Services, client: Client): Promise<Row> {
  const [{ logoPath }, { usualPollResources }] = await Promise.all([
    import("../clients/index.ts"),
    import("../model/index.ts"),
  ]);
  const statuses = await webhooks.statusesOf(client.clientId);
  return {
    client_id: client.clientId,
    name: client.name,
    state: client.emptiedAt ? "ended" : client.endedAt ? "ending" : "active",
    redirect_uris: client.redirectUris,
    webhook_uri: client.webhookUri,
    webhook_status: statuses.employees,
    event_uri: client.eventUri,
    event_types: client.eventTypes,
    event_status: statuses.events,
    poll_resources: client.pollResources ?? usualPollResources,
    require_pkce: client.requirePkce,
    requests_per_5_minutes: client.requestsPer5Minutes,
    allow_sandbox: client.allowSandbox,
    fields_off: client.fieldsOff,
    logo_url: client.logoDigest === null ? null : config.publicUrl + logoPath(client.logoDigest),
    brand_color: client.brandColor,
    purpose: client.purpose,
    privacy_url: client.privacyUrl,
    support_url: client.supportUrl,
    created_at: client.createdAt,
    ended_at: client.endedAt,
  };
}

/** Its secrets, as they are and as libraries of Standard Webhooks take them. */
export function toSecretFields(secrets: readonly string[]): Row {
  return {
    client_secret: secrets,
    webhook_secret: secrets.map((secret) => `whsec_${Buffer.from(secret).toString("base64")}`),
  };
}

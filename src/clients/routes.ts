import { z } from "zod";
import { apiVersion, errorResponses, type ClientId } from "../model/index.ts";
import type { HttpApp } from "../platform/http/index.ts";
import { guardWithBasic } from "./basic-guard.ts";
import { clientFields, type AddressRules } from "./client-fields.ts";
import { maskSecret } from "./client-secret.ts";
import type { Client } from "./client.ts";
import type { Clients } from "./clients.ts";

const clientBody = z
  .object({
    client_id: z.string(),
    client_secret: z
      .array(z.string())
      .describe("Masked to the last four characters; the first one signs webhooks"),
    redirect_uris: z.array(z.string()),
    name: z.string(),
    webhook_uri: z.string().nullable(),
    webhook_status: z.enum(["active", "paused", "gone"]).nullable(),
  })
  .meta({
    id: "Client",
    examples: [
      {
        client_id: "3FDAEDF9-1DCA4F54-87949F6A-41027643",
        client_secret: ["********4fQz"],
        redirect_uris: ["https://app.example.com/callback"],
        name: "Example",
        webhook_uri: "https://app.example.com/webhooks",
        webhook_status: "active",
      },
    ],
  });

const url = `/${apiVersion}/management/client`;
const shared = { tags: ["Management"], security: [{ basic: [] }] };

type ClientBody = z.output<typeof clientBody>;

export interface ClientRouteDependencies {
  clients: Clients;
  /** How webhooks stand at the client's address; null without one. */
  webhookStatusOf: (clientId: ClientId) => Promise<ClientBody["webhook_status"]>;
}

export async function registerClientRoutes(
  app: HttpApp,
  dependencies: ClientRouteDependencies,
): Promise<void> {
  await app.register(async (scope) => {
    const guarded = scope as HttpApp;
    await guardWithBasic(guarded, dependencies.clients);
    registerRead(guarded, dependencies);
    registerUpdate(guarded, dependencies);
  });
}

function registerRead(app: HttpApp, dependencies: ClientRouteDependencies): void {
  app.route({
    method: "GET",
    url,
    config: { rateLimitClass: "gated" },
    schema: {
      ...shared,
      operationId: "getClient",
      summary: "Read the client",
      response: { 200: clientBody, ...errorResponses(400, 401, 429, 500, 503) },
    },
    handler: async (request, reply) => {
      reply.header("cache-control", "private, no-store");
      return await toBody(dependencies, request.client);
    },
  });
}

function registerUpdate(app: HttpApp, dependencies: ClientRouteDependencies): void {
  const { clients } = dependencies;
  app.route({
    method: "POST",
    url,
    config: { rateLimitClass: "gated" },
    schema: {
      ...shared,
      operationId: "updateClient",
      summary: "Change the client",
      description:
        "Takes any of the fields; the others stay as they are. A list of secrets replaces the whole list.",
      body: clientUpdate(clients.addressRules),
      response: { 200: clientBody, ...errorResponses(400, 401, 409, 429, 500, 503) },
    },
    handler: async (request, reply) => {
      const {
        name,
        client_secret: secrets,
        webhook_uri: webhookUri,
        redirect_uris: redirectUris,
      } = request.body;
      const client = await clients.update(request.client, {
        name,
        secrets: secrets === undefined ? undefined : [secrets].flat(),
        webhookUri,
        redirectUris,
      });
      reply.header("cache-control", "private, no-store");
      return await toBody(dependencies, client);
    },
  });
}

function clientUpdate(rules: AddressRules) {
  const fields = clientFields(rules);
  return z
    .strictObject({
      name: fields.name.optional(),
      client_secret: fields.client_secret.optional(),
      webhook_uri: fields.webhook_uri.optional(),
      redirect_uris: fields.redirect_uris.optional(),
    })
    .refine((body) => Object.keys(body).length > 0, { error: "names no field to change" })
    .meta({
      id: "ClientUpdate",
      examples: [{ name: "Example", webhook_uri: "https://app.example.com/webhooks" }],
    });
}

async function toBody(
  { clients, webhookStatusOf }: ClientRouteDependencies,
  client: Client,
): Promise<ClientBody> {
  return {
    client_id: client.clientId,
    client_secret: clients.revealSecrets(client).map(maskSecret),
    redirect_uris: client.redirectUris,
    name: client.name,
    webhook_uri: client.webhookUri,
    webhook_status: await webhookStatusOf(client.clientId),
  };
}

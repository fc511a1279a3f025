import { z } from "zod";
import {
  apiVersion,
  badRequest,
  errorResponse,
  errorResponses,
  namedEnum,
  serviceUnavailable,
  type ClientId,
} from "../model/index.ts";
import type { HttpApp } from "../platform/http/index.ts";
import { guardWithBasic, wrongClient } from "./basic-guard.ts";
import { clientFields, type AddressRules } from "./client-fields.ts";
import { maskSecret } from "./client-secret.ts";
import type { Client } from "./client.ts";
import type { Clients } from "./clients.ts";

const webhookStatus = namedEnum("WebhookStatus", "How webhooks stand at `webhook_uri`.", {
  active: "webhooks are sent",
  paused: "every attempt failed for five days; none is sent until the address is set again",
  gone: "the receiver answered 410; none is sent until the address is set again",
});

const clientBody = z
  .object({
    client_id: z.string().describe("The client's id"),
    client_secret: z
      .array(z.string())
      .describe(
        "The current secrets, masked to their last four characters. The first one signs webhooks.",
      ),
    redirect_uris: z.array(z.string()).describe("The addresses to which a sign-in may lead back"),
    name: z.string().describe("The name that end users see"),
    webhook_uri: z
      .string()
      .nullable()
      .describe("Where webhooks are sent. Null when there are none."),
    webhook_status: webhookStatus
      .nullable()
      .describe("How webhooks stand at `webhook_uri`. Null without one."),
  })
  .meta({
    id: "Client",
    description: "A client: the application that reads data.",
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

const gated = {
  rateLimitClass: "gated",
  description: { replyHeaders: { 200: ["Cache-Control"] } },
} as const;

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
    config: gated,
    schema: {
      ...shared,
      operationId: "getClient",
      summary: "Read the client",
      description: "The client of the credentials, with its addresses and masked secrets.",
      response: {
        200: clientBody.describe("The client."),
        ...errorResponses(400, 429, 500),
        ...wrongClient,
        ...serviceUnavailable,
      },
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
    config: gated,
    schema: {
      ...shared,
      operationId: "updateClient",
      summary: "Change the client",
      description:
        "Takes any of the fields; the others stay as they are. A list of secrets replaces the whole list.",
      body: clientUpdate(clients.addressRules),
      response: {
        200: clientBody.describe("The client after the change."),
        ...errorResponses(413, 415, 429, 500),
        ...wrongClient,
        ...serviceUnavailable,
        ...badRequest("name: has 1 to 100 characters"),
        ...errorResponse(409, {
          description: "Another update of the client came first. Read it, and repeat the change.",
          example: { error: "conflict" },
        }),
      },
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
      name: fields.name.optional().describe("The name that end users see: 1 to 100 characters"),
      client_secret: fields.client_secret
        .optional()
        .describe(
          "All secrets that are valid from now on, one or a list of up to three, each of 32 to 128 printable " +
            "ASCII characters. The first one signs webhooks.",
        ),
      webhook_uri: fields.webhook_uri
        .optional()
        .describe("Where webhooks are sent: an https address. Null switches them off."),
      redirect_uris: fields.redirect_uris
        .optional()
        .describe("All addresses to which a sign-in may lead back: https, or http on loopback"),
    })
    .refine((body) => Object.keys(body).length > 0, { error: "names no field to change" })
    .meta({
      id: "ClientUpdate",
      description: "The fields to change, at least one.",
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

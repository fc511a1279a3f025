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
import { logoPath } from "./logo.ts";

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
      .describe("Masked to the last four characters; the first one signs webhooks"),
    redirect_uris: z.array(z.string()),
    name: z.string(),
    webhook_uri: z.string().nullable(),
    webhook_status: z.enum(["active", "paused", "gone"]).nullable(),
    logo_url: z.string().nullable().describe("Where the sign-in pages load the logo from"),
    purpose: z.string().nullable(),
    privacy_url: z.string().nullable(),
    support_url: z.string().nullable(),
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
        logo_url: null,
        purpose: "To keep your team’s holiday planner up to date",
        privacy_url: "https://www.example.com/privacy",
        support_url: "mailto:help@example.com",
      },
    ],
  });

/** A logo in base64, and what else a client may hold. */
const maxUpdateBytes = 200_000;

const url = `/${apiVersion}/management/client`;
const shared = { tags: ["Management"], security: [{ basic: [] }] };

type ClientBody = z.output<typeof clientBody>;

export interface ClientRouteDependencies {
  clients: Clients;
  /** How webhooks stand at the client's address; null without one. */
  webhookStatusOf: (clientId: ClientId) => Promise<ClientBody["webhook_status"]>;
  /** The base address of the pages that end users see. */
  issuer: string;
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
    bodyLimit: maxUpdateBytes,
    config: { rateLimitClass: "gated" },
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
        logo,
        purpose,
        privacy_url: privacyUrl,
        support_url: supportUrl,
      } = request.body;
      const client = await clients.update(request.client, {
        name,
        secrets: secrets === undefined ? undefined : [secrets].flat(),
        webhookUri,
        redirectUris,
        logo,
        purpose,
        privacyUrl,
        supportUrl,
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
      logo: fields.logo.optional().describe("A PNG up to 100 kB, in base64; null takes it away"),
      purpose: fields.purpose
        .optional()
        .describe("What the data is for: one sentence, shown to end users"),
      privacy_url: fields.privacy_url.optional(),
      support_url: fields.support_url.optional().describe("An https address, or mailto:"),
    })
    .refine((body) => Object.keys(body).length > 0, { error: "names no field to change" })
    .meta({
      id: "ClientUpdate",
      description: "The fields to change, at least one.",
      examples: [{ name: "Example", webhook_uri: "https://app.example.com/webhooks" }],
    });
}

async function toBody(
  { clients, webhookStatusOf, issuer }: ClientRouteDependencies,
  client: Client,
): Promise<ClientBody> {
  return {
    client_id: client.clientId,
    client_secret: clients.revealSecrets(client).map(maskSecret),
    redirect_uris: client.redirectUris,
    name: client.name,
    webhook_uri: client.webhookUri,
    webhook_status: await webhookStatusOf(client.clientId),
    logo_url: client.logoDigest === null ? null : issuer + logoPath(client.logoDigest),
    purpose: client.purpose,
    privacy_url: client.privacyUrl,
    support_url: client.supportUrl,
  };
}

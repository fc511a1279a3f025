import { z } from "zod";
import {
  apiVersion,
  badRequest,
  eventType,
  errorResponse,
  errorResponses,
  fieldOff,
  namedEnum,
  pollableResource,
  serviceUnavailable,
  usualPollResources,
  type ClientId,
} from "../model/index.ts";
import { type HttpApp, gatedRoute } from "../platform/http/index.ts";
import { guardWithBasic, wrongClient } from "./basic-guard.ts";
import { maskSecret } from "./client-secret.ts";
import type { Client } from "./client.ts";
import type { Clients } from "./clients.ts";
import { logoPath } from "./logo.ts";
import { clientUpdate, readUpdate, type ClientUpdate } from "./update-request.ts";

const webhookStatus = namedEnum("WebhookStatus", "How webhooks stand at an address.", {
  active: "webhooks are sent",
  paused: "every attempt failed for five days; none is sent until the address is set again",
  gone: "the receiver answered 410; none is sent until the address is set again",
});

const clientExample = {
  client_id: "3FDAEDF9-1DCA4F54-87949F6A-41027643",
  client_secret: ["********4fQz"],
  redirect_uris: ["https://app.example.com/callback"],
  name: "Example",
  webhook_uri: "https://app.example.com/webhooks",
  webhook_status: "active" as const,
  event_uri: "https://app.example.com/events",
  event_types: null,
  event_status: "active" as const,
  poll_resources: ["employees" as const],
  logo_url: null,
  brand_color: null,
  purpose: "To keep your team’s holiday planner up to date",
  privacy_url: "https://www.example.com/privacy",
  support_url: "mailto:help@example.com",
  allow_sandbox: false,
  fields_off: [],
};

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
    event_uri: z
      .string()
      .nullable()
      .describe("Where events are sent. Null when they are not sent."),
    event_types: z
      .array(eventType)
      .nullable()
      .describe("The events that are sent to `event_uri`. Null when all are."),
    event_status: webhookStatus
      .nullable()
      .describe("How events stand at `event_uri`. Null without one."),
    poll_resources: z
      .array(pollableResource)
      .describe("What is polled for changes, each of which is a `data.changed`"),
    logo_url: z
      .string()
      .nullable()
      .describe("Where the sign-in pages load the logo from. Null without one."),
    brand_color: z
      .string()
      .nullable()
      .describe("The colour of the client's sign-in pages. Null without one."),
    purpose: z
      .string()
      .nullable()
      .describe("What the data is for, as end users see it. Null when it is not said."),
    privacy_url: z
      .string()
      .nullable()
      .describe("Where the client says how it treats data. Null when it is not said."),
    support_url: z
      .string()
      .nullable()
      .describe("Where end users find help. Null when it is not said."),
    allow_sandbox: z
      .boolean()
      .describe("Whether end users may sign in to the sandbox in the environment `prod`"),
    fields_off: z
      .array(fieldOff)
      .describe("What is not read of employees: null in each record. Usually empty."),
  })
  .meta({
    id: "Client",
    description: "A client: the application that reads data.",
    examples: [clientExample],
  });

const updatedClient = clientBody
  .extend({
    new_client_secret: z
      .string()
      .optional()
      .describe("After `rotate_secret`: the new secret, which is shown this once"),
  })
  .meta({
    id: "UpdatedClient",
    description: "A client after a change.",
    examples: [clientExample],
  });

/** A logo in base64, and what else a client may hold. */
const maxUpdateBytes = 200_000;

const url = `/${apiVersion}/management/client`;
const shared = { tags: ["Management"], security: [{ basic: [] }] };

type ClientBody = z.output<typeof clientBody>;

export interface ClientRouteDependencies {
  clients: Clients;
  /** How webhooks stand at the client's address; null without one. */
  statusesOf: (
    clientId: ClientId,
  ) => Promise<Record<"employees" | "events", ClientBody["webhook_status"]>>;
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
    config: gatedRoute,
    schema: {
      ...shared,
      operationId: "getClient",
      summary: "Read the client",
      description: "The client of the credentials, with its addresses and masked secrets.",
      response: {
        200: clientBody.describe("The client."),
        ...errorResponses(400, 415, 429, 500),
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
    config: gatedRoute,
    schema: {
      ...shared,
      operationId: "updateClient",
      summary: "Change the client",
      description:
        "Takes any of the fields; the others stay as they are. A list of secrets replaces the whole list. " +
        "What `GET` gave may be sent back: masked secrets and read-only fields as they are change nothing.",
      body: clientUpdate(clients.addressRules),
      response: {
        200: updatedClient.describe("The client after the change."),
        ...errorResponses(413, 415, 429, 500),
        ...wrongClient,
        ...serviceUnavailable,
        ...badRequest("name: has 1 to 100 characters"),
        ...errorResponse(409, {
          description: "Another update of the client came first. Read it, and repeat the change.",
          example: {
            error: "conflict",
            message: "The client was changed meanwhile. Read it and update it again.",
          },
        }),
      },
    },
    handler: async (request, reply) => {
      const { client: before, body } = request;
      const { rotatesSecret, ...change } = readUpdate(body, {
        current: await describeCurrent(dependencies, before, body),
        revealSecrets: () => clients.revealSecrets(before),
      });
      const rotated = rotatesSecret ? clients.rotateSecrets(before) : undefined;
      const client = await clients.update(before, {
        ...change,
        ...(rotated && { secrets: rotated.secrets }),
      });
      reply.header("cache-control", "private, no-store");
      return {
        ...(await toBody(dependencies, client)),
        ...(rotated && { new_client_secret: rotated.newSecret }),
      };
    },
  });
}

/** What a read of the client shows, as far as an update may have it read-only or sent back. */
async function describeCurrent(
  dependencies: ClientRouteDependencies,
  client: Client,
  body: ClientUpdate,
): Promise<Parameters<typeof readUpdate>[1]["current"]> {
  const { clientId, webhookUri, eventUri, pollResources } = client;
  const isRead = body.webhook_status !== undefined || body.event_status !== undefined;
  const statuses = isRead ? await dependencies.statusesOf(clientId) : undefined;
  return {
    client_id: clientId,
    webhook_uri: webhookUri,
    webhook_status: statuses?.employees,
    event_uri: eventUri,
    event_status: statuses?.events,
    poll_resources: pollResources ?? usualPollResources,
    logo_url: logoUrlOf(dependencies, client),
  };
}

async function toBody(dependencies: ClientRouteDependencies, client: Client): Promise<ClientBody> {
  const { clients, statusesOf } = dependencies;
  const statuses = await statusesOf(client.clientId);
  return {
    client_id: client.clientId,
    client_secret: clients.revealSecrets(client).map(maskSecret),
    redirect_uris: client.redirectUris,
    name: client.name,
    webhook_uri: client.webhookUri,
    webhook_status: statuses.employees,
    event_uri: client.eventUri,
    event_types: client.eventTypes,
    event_status: statuses.events,
    poll_resources: [...(client.pollResources ?? usualPollResources)],
    logo_url: logoUrlOf(dependencies, client),
    brand_color: client.brandColor,
    purpose: client.purpose,
    privacy_url: client.privacyUrl,
    support_url: client.supportUrl,
    allow_sandbox: client.allowSandbox,
    fields_off: client.fieldsOff,
  };
}

function logoUrlOf(
  { issuer }: Pick<ClientRouteDependencies, "issuer">,
  { logoDigest }: Client,
): string | null {
  return logoDigest === null ? null : issuer + logoPath(logoDigest);
}

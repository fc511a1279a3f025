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
import { type HttpApp, gatedRoute } from "../platform/http/index.ts";
import { guardWithBasic, wrongClient } from "./basic-guard.ts";
import { maskSecret } from "./client-secret.ts";
import type { Client } from "./client.ts";
import type { Clients } from "./clients.ts";
import { logoPath } from "./logo.ts";
import { clientUpdate, readUpdate } from "./update-request.ts";

const webhookStatus = namedEnum("WebhookStatus", "How webhooks stand at `webhook_uri`.", {
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
  logo_url: null,
  purpose: "To keep your team’s holiday planner up to date",
  privacy_url: "https://www.example.com/privacy",
  support_url: "mailto:help@example.com",
  allow_sandbox: false,
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
    logo_url: z
      .string()
      .nullable()
      .describe("Where the sign-in pages load the logo from. Null without one."),
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
        current: {
          client_id: before.clientId,
          webhook_uri: before.webhookUri,
          webhook_status:
            body.webhook_status === undefined
              ? undefined
              : await dependencies.webhookStatusOf(before.clientId),
          logo_url: logoUrlOf(dependencies, before),
        },
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

async function toBody(dependencies: ClientRouteDependencies, client: Client): Promise<ClientBody> {
  const { clients, webhookStatusOf } = dependencies;
  return {
    client_id: client.clientId,
    client_secret: clients.revealSecrets(client).map(maskSecret),
    redirect_uris: client.redirectUris,
    name: client.name,
    webhook_uri: client.webhookUri,
    webhook_status: await webhookStatusOf(client.clientId),
    logo_url: logoUrlOf(dependencies, client),
    purpose: client.purpose,
    privacy_url: client.privacyUrl,
    support_url: client.supportUrl,
    allow_sandbox: client.allowSandbox,
  };
}

function logoUrlOf(
  { issuer }: Pick<ClientRouteDependencies, "issuer">,
  { logoDigest }: Client,
): string | null {
  return logoDigest === null ? null : issuer + logoPath(logoDigest);
}

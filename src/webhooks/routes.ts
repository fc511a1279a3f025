import { z } from "zod";
import { guardWithBasic, wrongClient, type Clients } from "../clients/index.ts";
import {
  NotFound,
  apiVersion,
  badRequest,
  errorResponse,
  errorResponses,
  eventType,
  namedEnum,
  serviceUnavailable,
  type ClientId,
} from "../model/index.ts";
import { ignoreBodies, type HttpApp, gatedRoute } from "../platform/http/index.ts";
import type { Delivery, DeliveryError } from "./delivery-store.ts";
import type { Webhooks } from "./webhooks.ts";

const url = `/${apiVersion}/management/deliveries`;

const deliveryStatus = namedEnum("DeliveryStatus", "How a delivery stands.", {
  pending: "it is in flight, or waits for its next attempt",
  delivered: "the receiver answered 2xx",
  failed:
    "all attempts failed; whom a webhook about employees tells of is in the next one again, and an event is in the list " +
    "of events alone",
});

const deliveryError = namedEnum("DeliveryError", "Why an attempt failed.", {
  status: "the receiver answered, and not with 2xx: see `last_status`",
  timeout: "no answer came within 20 seconds",
  unresolvable: "the name of the address has no IP address",
  connection_failed: "the connection was refused, not made within 5 seconds, or lost",
  tls: "no TLS: the certificate is not valid for the name, or the server does not speak it",
  refused_target: "the address is not public, or its `https` is missing; nothing was sent",
} satisfies Record<DeliveryError, string>);

const exampleId = "01a1fd74-984d-7214-93ab-96bf3c448f55";
const exampleEntry = {
  id: exampleId,
  token: "01a1fd39-1dc3-72c9-9867-e2fd22989539",
  event: null,
  status: "delivered" as const,
  attempts: 1,
  created_at: "2026-03-02T10:00:00.000Z",
  next_attempt_at: null,
  last_status: 204,
  last_error: null,
  added: 1,
  removed: 1,
  updated: 2,
};

const entry = z
  .object({
    id: z.string().describe("The delivery's id, the same as `webhook-id`"),
    token: z
      .string()
      .nullable()
      .describe(
        "The id of the token whose connection it is about. Null for an event of a provider.",
      ),
    event: eventType
      .nullable()
      .describe("The type of an event. Null for a webhook about employees."),
    status: deliveryStatus.describe("How the delivery stands"),
    attempts: z.number().int().describe("How many attempts were made"),
    created_at: z.iso.datetime().describe("When the change was found, RFC 3339 in UTC"),
    next_attempt_at: z.iso
      .datetime()
      .nullable()
      .describe(
        "When it is tried next, RFC 3339 in UTC. Null when it is settled, while its address is paused or gone, and for " +
          "an event that waits for the one before it.",
      ),
    last_status: z
      .number()
      .int()
      .nullable()
      .describe("The status that the receiver answered last. Null when it gave none."),
    last_error: deliveryError
      .nullable()
      .describe("Why the last attempt failed. Null when it succeeded, and before the first one."),
    added: z.number().int().describe("How many employees were added"),
    removed: z.number().int().describe("How many employees were removed"),
    updated: z.number().int().describe("How many employees changed"),
  })
  .meta({
    id: "Delivery",
    description: "A webhook that was sent or is pending: counts of employees, never their data.",
    examples: [exampleEntry],
  });

const detailedEntry = entry
  .extend({
    last_reply: z
      .string()
      .nullable()
      .describe(
        "How the reply of the last attempt began, at most 1 kB of it as text, when that attempt failed. Null when it " +
          "succeeded, without a reply, and for a receiver whose address is not public",
      ),
    body: z
      .string()
      .nullable()
      .describe(
        "The JSON text that is signed, for a connection of the sandbox; null for every other one",
      ),
  })
  .meta({
    id: "DeliveryWithBody",
    description:
      "A webhook, with what the receiver replied; of a connection of the sandbox with its body.",
    examples: [{ ...exampleEntry, last_reply: null, body: null }],
  });

const deliveryParameter = z.object({
  delivery_id: z
    .string()
    .describe("The delivery's id")
    .meta({ examples: [exampleId] }),
});

const listQuery = z.object({
  after: z
    .uuid()
    .optional()
    .describe("The id of the last delivery of the page before")
    .meta({ examples: [exampleId] }),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(200)
    .default(50)
    .describe("How many deliveries at most")
    .meta({ examples: [50] }),
});

const listResponses = {
  200: z.array(entry).describe("The deliveries, newest first."),
  ...errorResponses(415, 429, 500),
  ...badRequest("after: has to be a UUID"),
  ...wrongClient,
  ...serviceUnavailable,
};

const ofOneDelivery = {
  ...errorResponses(415, 429, 500),
  ...wrongClient,
  ...errorResponse(404, {
    description: "The client has no such delivery.",
    example: { message: "The delivery is not known.", id: "unknown" },
  }),
  ...serviceUnavailable,
};

export async function registerDeliveryRoutes(
  app: HttpApp,
  { clients, webhooks }: { clients: Clients; webhooks: Webhooks },
): Promise<void> {
  await app.register(async (inner) => {
    const scope = inner as HttpApp;
    await guardWithBasic(scope, clients);
    ignoreBodies(scope);
    registerList(scope, webhooks);
    registerOne(scope, webhooks);
    registerReplay(scope, webhooks);
  });
}

const shared = { tags: ["Management"], security: [{ basic: [] }] };

function registerList(app: HttpApp, webhooks: Webhooks): void {
  app.route({
    method: "GET",
    url,
    config: gatedRoute,
    schema: {
      ...shared,
      operationId: "listDeliveries",
      summary: "Webhooks, newest first",
      description:
        "The webhooks of all connections of the client that are pending, or were settled in the last 14 days.",
      querystring: listQuery,
      response: listResponses,
    },
    handler: async (request, reply) => {
      reply.header("cache-control", "private, no-store");
      const { after, limit } = request.query;
      const { clientId } = request.client;
      return (await webhooks.list({ clientId, after, limit })).map(toEntry);
    },
  });
}

function registerOne(app: HttpApp, webhooks: Webhooks): void {
  app.route({
    method: "GET",
    url: `${url}/:delivery_id`,
    config: gatedRoute,
    schema: {
      ...shared,
      operationId: "getDelivery",
      summary: "Read one webhook",
      description:
        "How it went, how the receiver's last refusal began and, for a connection of the sandbox alone, the body that " +
        "was sent. Bodies of real data are never shown.",
      params: deliveryParameter,
      response: { 200: detailedEntry.describe("The delivery."), ...ofOneDelivery },
    },
    handler: async (request, reply) => {
      reply.header("cache-control", "private, no-store");
      const delivery = await find(webhooks, request.params.delivery_id, request.client.clientId);
      const [body, lastReply] = await Promise.all([
        webhooks.sandboxBody(delivery),
        webhooks.lastReply(delivery),
      ]);
      return { ...toEntry(delivery), last_reply: lastReply, body: body?.toString() ?? null };
    },
  });
}

function registerReplay(app: HttpApp, webhooks: Webhooks): void {
  app.route({
    method: "POST",
    url: `${url}/:delivery_id/replay`,
    config: gatedRoute,
    schema: {
      ...shared,
      operationId: "replayDelivery",
      summary: "Send a webhook again",
      description:
        "The same bytes under the same id, unless a later body of the connection was acknowledged; then what " +
        "the webhook was about is sent as it is now, under a new id. An event is sent under its id, with your " +
        "`reference` and `metadata` as they are now. Resumes an endpoint that was paused or gone.",
      params: deliveryParameter,
      response: { 200: entry.describe("The delivery that is sent."), ...ofOneDelivery },
    },
    handler: async (request, reply) => {
      reply.header("cache-control", "private, no-store");
      const delivery = await find(webhooks, request.params.delivery_id, request.client.clientId);
      return toEntry(await webhooks.replay(delivery));
    },
  });
}

async function find(webhooks: Webhooks, id: string, clientId: ClientId): Promise<Delivery> {
  if (!z.uuid().safeParse(id).success) throw new NotFound(id, "The delivery is not known.");
  return await webhooks.find(id, clientId);
}

function toEntry(delivery: Delivery): z.output<typeof entry> {
  return {
    id: delivery.id,
    token: delivery.tokenId,
    event: delivery.eventType,
    status: delivery.status,
    attempts: delivery.attempts,
    created_at: delivery.createdAt.toISOString(),
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
    last_status: delivery.lastStatus,
    last_error: delivery.lastError,
    added: delivery.added,
    removed: delivery.removed,
    updated: delivery.updated,
  };
}

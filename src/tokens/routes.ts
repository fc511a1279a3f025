import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { guardWithBasic, wrongClient, type Clients } from "../clients/index.ts";
import { labelFields } from "../connections/index.ts";
import {
  Forbidden,
  InvalidRequest,
  NotFound,
  apiVersion,
  badRequest,
  errorResponse,
  errorResponses,
  mode,
  scope as scopeValue,
  serviceUnavailable,
} from "../model/index.ts";
import {
  ignoreBodies,
  readAuthorization,
  type HttpApp,
  gatedRoute,
} from "../platform/http/index.ts";
import type { Admission } from "./find-admission.ts";
import { findCounted, otherEnvironment } from "./bearer-guard.ts";
import { explainUnknown } from "./explain-refusal.ts";
import { registerExchangeRoute } from "./exchange-route.ts";
import { tokenEntry, tokenStatus } from "./list-tokens.ts";
import { registerReceiptRoute } from "./receipt-route.ts";
import { registerStateRoute } from "./state-route.ts";
import { sendParts } from "./send-parts.ts";
import type { Tokens } from "./tokens.ts";

const base = `/${apiVersion}/management`;

const listQuery = z.object({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000)
    .optional()
    .describe("How many tokens at most; all without it")
    .meta({ examples: [100] }),
  after: z
    .uuid()
    .optional()
    .describe("The id of the last token of the page before, `token` in the list")
    .meta({ examples: ["01a1fd39-1dc3-72c9-9867-e2fd22989539"] }),
  status: tokenStatus.optional().describe("Only tokens with this status"),
  provider: z
    .string({ error: "has to be one text" })
    .regex(/^[a-z0-9][a-z0-9_-]{0,99}$/, "is no name of a provider, as in `/providers`")
    .optional()
    .describe("Only tokens of connections to this provider")
    .meta({ examples: ["sandbox"] }),
  reference: labelFields.reference.describe(
    "Only tokens of connections that the client calls by this reference",
  ),
});

const introspection = z
  .object({
    token: z
      .string()
      .describe(
        "The id of the token, as in the tokens list and in the header of webhooks; no secret",
      ),
    client_id: z.string().describe("The client to which the token belongs"),
    mode: mode.describe("The mode of its connection"),
    provider: z.string().describe("The name of the provider"),
    scopes: z.array(scopeValue).describe("What the token may read"),
    active: z.boolean().describe("False once the token was disconnected"),
  })
  .meta({
    id: "Introspection",
    description: "What a token is for, and whether it works.",
    examples: [
      {
        token: "01a1fd39-1dc3-72c9-9867-e2fd22989539",
        client_id: "3FDAEDF9-1DCA4F54-87949F6A-41027643",
        mode: "xhr",
        provider: "sandbox",
        scopes: ["/2023-03-01/xhr/employees"],
        active: true,
      },
    ],
  });

const disconnection = z.object({ disconnected: z.literal(true).describe("Always true") }).meta({
  id: "Disconnection",
  description: "The token has ended.",
  examples: [{ disconnected: true }],
});

const mistypedToken = explainUnknown("unknown", "malformed");

const introspectionResponses = {
  200: introspection.describe("The token."),
  ...errorResponses(415, 429, 500),
  ...badRequest("authorization: one Bearer access token is required"),
  ...errorResponse(403, {
    description: "The token is of the other environment.",
    example: { message: "The token is of another environment." },
  }),
  ...errorResponse(404, {
    description: "There is no such token, or it is mistyped: `message` tells which. `id` is empty.",
    example: { message: mistypedToken, id: "" },
  }),
  ...serviceUnavailable,
};

const disconnectionResponses = {
  200: disconnection,
  ...errorResponses(415, 429, 500),
  ...errorResponse(403, {
    description:
      "The token is missing, not known, of the other environment, or the sandbox token that all share.",
    example: { message: mistypedToken },
  }),
  ...serviceUnavailable,
};

export async function registerTokenRoutes(
  app: HttpApp,
  { clients, tokens }: { clients: Clients; tokens: Tokens },
): Promise<void> {
  await app.register(async (scope) => registerList(scope as HttpApp, clients, tokens));
  await app.register(async (scope) => registerExchangeRoute(scope as HttpApp, tokens));
  await app.register(async (scope) => registerBearerRoutes(scope as HttpApp, tokens));
}

async function registerList(app: HttpApp, clients: Clients, tokens: Tokens): Promise<void> {
  await guardWithBasic(app, clients);
  registerStateRoute(app, tokens);
  registerReceiptRoute(app, clients, tokens);
  app.route({
    method: "GET",
    url: `${base}/tokens`,
    config: gatedRoute,
    schema: {
      operationId: "listTokens",
      summary: "List the client's tokens and their status",
      description:
        "Oldest first. Without `limit` and `after` the reply has all of them; with them it is a page. `status`, " +
        "`provider` and `reference` narrow it to the tokens for which all that is named is so.",
      tags: ["Management"],
      security: [{ basic: [] }],
      querystring: listQuery,
      response: {
        200: z.array(tokenEntry).describe("The tokens, oldest first."),
        ...errorResponses(415, 429, 500),
        ...errorResponse(404, {
          description: "Reserved; not sent at present.",
          example: { message: "The client is not known.", id: "unknown" },
        }),
        ...errorResponse(409, {
          description: "Reserved; not sent at present.",
          example: { error: "conflict", message: "Another request came first." },
        }),
        ...badRequest("after: is not the id of a token of this client"),
        ...wrongClient,
        ...serviceUnavailable,
      },
    },
    handler: async (request, reply) => {
      reply.header("cache-control", "private, no-store");
      reply.type("application/json; charset=utf-8");
      const { clientId } = request.client;
      return sendParts(reply, await tokens.list(clientId, request.query));
    },
  });
}

async function registerBearerRoutes(app: HttpApp, tokens: Tokens): Promise<void> {
  ignoreBodies(app);
  const shared = { tags: ["Management"], security: [{ bearer: [] }] };
  const guarded = { app, tokens };

  app.route({
    method: "GET",
    url: `${base}/introspect`,
    config: { ...gatedRoute, isAddressCountedLater: true },
    schema: {
      ...shared,
      operationId: "introspectToken",
      summary: "Describe the token",
      description:
        "Says what the token of the request may read, and whether it was disconnected. It has no 401: a " +
        "missing token is a 400, and one that is not known a 404.",
      response: introspectionResponses,
    },
    handler: async (request, reply) => {
      const token = await findToken(guarded, request, reply, {
        missing: () => new InvalidRequest("authorization: one Bearer access token is required"),
        unknown: (message) => new NotFound("", message),
      });
      reply.header("cache-control", "private, no-store");
      const { tokenId, clientId, mode, provider, scopes, isDisconnected } = token;
      return {
        token: tokenId,
        client_id: clientId,
        mode,
        provider,
        scopes,
        active: !isDisconnected,
      };
    },
  });

  app.route({
    method: "POST",
    url: `${base}/disconnect`,
    config: { rateLimitClass: "gated", isAddressCountedLater: true },
    schema: {
      ...shared,
      operationId: "disconnectToken",
      summary: "End the token and delete what was stored for it",
      description:
        "Ends the token of the request for good and deletes its connection with all stored data. Every data " +
        "request with it is a 403 from then on. A second call is a 200 again.",
      response: disconnectionResponses,
    },
    handler: async (request, reply) => {
      const token = await findToken(guarded, request, reply, {
        missing: () => new Forbidden("One Bearer access token is required."),
        unknown: (message) => new Forbidden(message),
      });
      await tokens.disconnect(token);
      return { disconnected: true as const };
    },
  });
}

/** How an endpoint refuses a request without a token, and one with a token that is not known. */
interface Refusals {
  missing(): Error;
  unknown(message: string): Error;
}

/** The token of the request, which counts for its address and its client. */
async function findToken(
  { app, tokens }: { app: HttpApp; tokens: Tokens },
  request: FastifyRequest,
  reply: FastifyReply,
  refuse: Refusals,
): Promise<Admission> {
  const credential = readToken(request, tokens, refuse);
  const token = await findCounted({ app, tokens, request, reply }, credential);
  if (!token) throw refuse.unknown(explainUnknown("", "valid"));
  return token;
}

/** The access token, or why there is none that may be looked up. */
function readToken(request: FastifyRequest, tokens: Tokens, refuse: Refusals): string | Error {
  const credential = readBearer(request);
  if (credential === undefined) return refuse.missing();
  const form = tokens.checkForm(credential);
  if (form === "other-environment") return otherEnvironment();
  return form === "valid" ? credential : refuse.unknown(explainUnknown(credential, form));
}

function readBearer(request: FastifyRequest): string | undefined {
  const authorization = readAuthorization(request);
  return authorization.kind === "bearer" && /^[A-Za-z0-9._~+/-]+=*$/.test(authorization.credential)
    ? authorization.credential
    : undefined;
}

import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { guardWithBasic, type Clients } from "../clients/index.ts";
import { Forbidden, InvalidRequest, NotFound } from "../errors.ts";
import { apiVersion, errorResponses, mode, scope as scopeValue } from "../model/index.ts";
import { ignoreBodies, readAuthorization, type HttpApp } from "../platform/http/index.ts";
import type { Admission } from "./find-admission.ts";
import { countForClient } from "./bearer-guard.ts";
import { registerExchangeRoute } from "./exchange-route.ts";
import { tokenEntry } from "./list-tokens.ts";
import type { Tokens } from "./tokens.ts";

const base = `/${apiVersion}/management`;

const listQuery = z.object({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000)
    .optional()
    .describe("How many; all without it")
    .meta({ examples: [100] }),
  after: z
    .uuid()
    .optional()
    .describe("The id of the last token of the page before")
    .meta({ examples: ["01a1fd39-1dc3-72c9-9867-e2fd22989539"] }),
});

const introspection = z
  .object({
    client_id: z.string(),
    mode,
    provider: z.string(),
    scopes: z.array(scopeValue),
    active: z.boolean(),
  })
  .meta({
    id: "Introspection",
    examples: [
      {
        client_id: "3FDAEDF9-1DCA4F54-87949F6A-41027643",
        mode: "xhr",
        provider: "sandbox",
        scopes: ["/2023-03-01/xhr/employees"],
        active: true,
      },
    ],
  });

const disconnection = z
  .object({ disconnected: z.literal(true) })
  .meta({ id: "Disconnection", examples: [{ disconnected: true }] });

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
  app.route({
    method: "GET",
    url: `${base}/tokens`,
    config: { rateLimitClass: "gated" },
    schema: {
      operationId: "listTokens",
      summary: "List the client's tokens and their status",
      description:
        "Oldest first. Without `limit` and `after` the reply has all of them; with them it is a page.",
      tags: ["Management"],
      security: [{ basic: [] }],
      querystring: listQuery,
      response: { 200: z.array(tokenEntry), ...errorResponses(400, 401, 404, 409, 429, 500, 503) },
    },
    handler: async (request, reply) => {
      reply.header("cache-control", "private, no-store");
      reply.type("application/json; charset=utf-8");
      const { clientId } = request.client;
      return sendParts(reply, await tokens.list(clientId, request.query));
    },
  });
}

/** The parts are the text of the body, which no schema checks. Other requests go on between them. */
function sendParts(reply: FastifyReply, parts: readonly string[]): never {
  const [only, ...others] = parts;
  return reply.send(others.length === 0 ? only : Readable.from(parts)) as never;
}

async function registerBearerRoutes(app: HttpApp, tokens: Tokens): Promise<void> {
  ignoreBodies(app);
  const shared = { tags: ["Management"], security: [{ bearer: [] }] };

  app.route({
    method: "GET",
    url: `${base}/introspect`,
    config: { rateLimitClass: "gated" },
    schema: {
      ...shared,
      operationId: "introspectToken",
      summary: "Describe the token",
      response: { 200: introspection, ...errorResponses(400, 403, 404, 429, 500, 503) },
    },
    handler: async (request, reply) => {
      const credential = readBearer(
        request,
        () => new InvalidRequest("authorization: one Bearer access token is required"),
      );
      const token = await findToken(credential, request, reply);
      if (!token) throw new NotFound("", "The token is not known.");
      reply.header("cache-control", "private, no-store");
      const { clientId, mode, provider, scopes, isDisconnected } = token;
      return { client_id: clientId, mode, provider, scopes, active: !isDisconnected };
    },
  });

  app.route({
    method: "POST",
    url: `${base}/disconnect`,
    config: { rateLimitClass: "gated" },
    schema: {
      ...shared,
      operationId: "disconnectToken",
      summary: "End the token and delete what was stored for it",
      response: { 200: disconnection, ...errorResponses(403, 429, 500, 503) },
    },
    handler: async (request, reply) => {
      const credential = readBearer(
        request,
        () => new Forbidden("One Bearer access token is required."),
      );
      const token = await findToken(credential, request, reply);
      if (!token) throw new Forbidden("The token is not known.");
      await tokens.disconnect(token);
      return { disconnected: true as const };
    },
  });

  async function findToken(
    credential: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Admission | undefined> {
    const form = tokens.checkForm(credential);
    if (form === "other-environment") throw new Forbidden("The token is of another environment.");
    const token = form === "valid" ? await tokens.findAdmission(credential) : undefined;
    if (token) await countForClient(app, request, reply, token);
    return token;
  }
}

function readBearer(request: FastifyRequest, refusal: () => Error): string {
  const authorization = readAuthorization(request);
  if (authorization.kind !== "bearer" || !/^[A-Za-z0-9._~+/-]+=*$/.test(authorization.credential))
    throw refusal();
  return authorization.credential;
}

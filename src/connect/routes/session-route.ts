import { z } from "zod";
import { guardWithBasic, type Client, type Clients } from "../../clients/index.ts";
import type { Connections } from "../../connections/index.ts";
import { InvalidRequest, NotFound } from "../../errors.ts";
import { apiVersion, errorResponses, type TokenId } from "../../model/index.ts";
import type { HttpApp } from "../../platform/http/index.ts";
import { flowLifetimeSeconds } from "../flow.ts";
import { InvalidLink, linkParameters, readLink, type Link } from "../link.ts";
import { createOneTimeLink, type CreateLinkDependencies } from "../one-time-link.ts";
import { isRegisteredRedirect } from "../redirect-match.ts";

export interface SessionDependencies extends CreateLinkDependencies {
  clients: Clients;
  connections: Connections;
  issuer: string;
}

const body = linkParameters
  .extend({
    scope: linkParameters.shape.scope
      .optional()
      .describe("Separated by spaces. Required unless token is given"),
    client_id: z
      .string()
      .optional()
      .describe("Known from the credentials; when given, it is theirs"),
    sandbox: z
      .union([z.boolean(), linkParameters.shape.sandbox.unwrap()])
      .optional()
      .describe("The simulated provider"),
    redirect_uri: z
      .string()
      .optional()
      .describe("A registered address. Required unless token is given"),
    expires_in: z
      .number()
      .int()
      .min(60)
      .max(604_800)
      .default(flowLifetimeSeconds)
      .describe("Seconds"),
    token: z
      .uuid()
      .optional()
      .describe(
        "The id of a token: the link signs in to the same account again, and the same access token works on",
      ),
  })
  .meta({
    id: "ConnectSessionRequest",
    examples: [
      {
        redirect_uri: "https://app.example.com/callback",
        scope: "/2023-03-01/xhr/employees",
        mode: "xhr",
        state: "af0ifjsldkj",
      },
    ],
  });

const created = z
  .object({
    connect_url: z.string().describe("A one-time link"),
    session_id: z.string(),
    expires_at: z.iso.datetime(),
  })
  .meta({
    id: "ConnectSession",
    examples: [
      {
        connect_url: "https://api.example.com/connect?session=rc_ln_dev_…",
        session_id: "01a1fd38-4e3b-76f0-aa4b-83ecbf6d43be",
        expires_at: "2026-11-21T08:58:00.000Z",
      },
    ],
  });

type SessionRequest = z.output<typeof body>;

/** The client's server makes the link, so no end user can change its parameters. */
export async function registerSessionRoute(
  app: HttpApp,
  dependencies: SessionDependencies,
): Promise<void> {
  const { clients, issuer } = dependencies;
  await app.register(async (inner) => {
    const scope = inner as HttpApp;
    await guardWithBasic(scope, clients);
    scope.route({
      method: "POST",
      url: `/${apiVersion}/management/connect-session`,
      config: { rateLimitClass: "gated" },
      schema: {
        operationId: "createConnectSession",
        summary: "Make a one-time sign-in link",
        tags: ["Management"],
        security: [{ basic: [] }],
        body,
        response: { 201: created, ...errorResponses(400, 401, 404, 429, 500, 503) },
      },
      handler: async (request, reply) => {
        const { link, redirectUri } = await readLinkRequest(
          dependencies,
          request.client,
          request.body,
        );
        const { clientId } = request.client;
        const { state, token, expires_in: lifetimeSeconds } = request.body;
        const rawState = state === undefined ? undefined : encodeURIComponent(state);
        const session = await createOneTimeLink(
          dependencies,
          { clientId, link, redirectUri, rawState },
          { lifetimeSeconds, tokenId: token ?? null },
        );
        reply.status(201).header("cache-control", "no-store");
        return {
          connect_url: `${issuer}/connect?session=${session.credential}`,
          session_id: session.id,
          expires_at: session.expiresAt.toISOString(),
        };
      },
    });
  });
}

async function readLinkRequest(
  dependencies: SessionDependencies,
  client: Client,
  request: SessionRequest,
): Promise<{ link: Link; redirectUri: string }> {
  if (request.client_id !== undefined && request.client_id !== client.clientId)
    throw new InvalidRequest("client_id: is not the client of the credentials");
  const redirectUri =
    request.redirect_uri ?? (request.token === undefined ? undefined : client.redirectUris[0]);
  if (redirectUri === undefined) throw new InvalidRequest("redirect_uri: is required");
  if (!isRegisteredRedirect(client.redirectUris, redirectUri))
    throw new InvalidRequest("redirect_uri: is not registered for this client");
  if (request.state !== undefined && !request.state.isWellFormed())
    throw new InvalidRequest("state: is not well-formed text");
  const link =
    request.token === undefined
      ? parseLink(dependencies, client, request)
      : await linkOfToken(dependencies, client, request, request.token);
  return { link, redirectUri };
}

function parseLink(
  { registry }: Pick<SessionDependencies, "registry">,
  client: Client,
  { scope, sandbox, ...request }: SessionRequest,
): Link {
  if (scope === undefined) throw new InvalidRequest("scope: is required");
  try {
    return readLink(
      { ...request, scope, sandbox: sandbox === true || sandbox === "true" ? "true" : undefined },
      { client, registry },
    );
  } catch (error) {
    if (error instanceof InvalidLink) throw new InvalidRequest(`${error.error}: ${error.message}`);
    throw error;
  }
}

/** For the provider, mode and scopes of the token's connection. */
async function linkOfToken(
  { connections, registry }: SessionDependencies,
  client: Client,
  { locale }: SessionRequest,
  tokenId: TokenId,
): Promise<Link> {
  const connection = await connections.loadByToken(tokenId);
  if (!connection || connection.clientId !== client.clientId)
    throw new NotFound(tokenId, "The token is not known or was disconnected.");
  const { mode, scopes, provider } = connection;
  return {
    mode,
    scopes,
    provider,
    isSandbox: registry.isSimulated(provider),
    codeChallenge: null,
    locale: locale ?? null,
    tags: [],
  };
}

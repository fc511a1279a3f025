import { z } from "zod";
import { guardWithBasic, wrongClient, type Client } from "../../clients/index.ts";
import { labelFields, readLabel } from "../../connections/index.ts";
import {
  InvalidRequest,
  apiVersion,
  badRequest,
  errorResponse,
  errorResponses,
  locales,
  serviceUnavailable,
} from "../../model/index.ts";
import { findCredential } from "../../platform/crypto/index.ts";
import { type HttpApp, gatedRoute } from "../../platform/http/index.ts";
import { flowLifetimeSeconds } from "../flow.ts";
import { InvalidLink, linkParameters, readLink, type Link } from "../link.ts";
import { readSettings } from "../read-settings.ts";
import { createOneTimeLink, type CreateLinkNeeds } from "../one-time-link.ts";
import { linkOfToken } from "../reauthentication-link.ts";
import { isRegisteredRedirect } from "../redirect.ts";
import type { Needs } from "../services.ts";

const ifCredential = ({ input }: { input?: unknown }): string | undefined =>
  typeof input === "string" && findCredential(input)
    ? "has to be the id of the token, which the tokens list has as token, not a credential"
    : undefined;

const body = linkParameters
  .extend({
    scope: linkParameters.shape.scope
      .optional()
      .describe("What the token may read: scopes, separated by spaces. Required without `token`"),
    mode: linkParameters.shape.mode.describe(
      "The mode, `official` or `xhr`: that of the scopes, which is also the default",
    ),
    provider: linkParameters.shape.provider.describe(
      "The name of the provider, as in `/providers`. Without it the end user chooses",
    ),
    client_id: z
      .string()
      .optional()
      .describe("Known from the credentials; when given, it is theirs"),
    sandbox: z
      .union([z.boolean(), linkParameters.shape.sandbox.unwrap()], {
        error: "has to be true or false",
      })
      .optional()
      .describe("Whether the provider is the simulated one"),
    redirect_uri: z
      .string()
      .optional()
      .describe("A registered address, to which the sign-in leads back. Required without `token`"),
    state: linkParameters.shape.state.describe(
      "Comes back to the redirect address as it is. Compare it with what you sent",
    ),
    code_challenge: linkParameters.shape.code_challenge.describe(
      "The PKCE challenge: the base64url of the SHA-256 of the `code_verifier`",
    ),
    code_challenge_method: linkParameters.shape.code_challenge_method.describe(
      "Always `S256`, beside a `code_challenge`",
    ),
    response_type: linkParameters.shape.response_type.describe("Always `code`"),
    locale: linkParameters.shape.locale.describe(
      `The language of the pages, as a tag such as \`de-AT\`: ${locales.join(", ")}`,
    ),
    tags: linkParameters.shape.tags.describe(
      "Words, separated by spaces, that narrow the choice of providers, such as `payroll`",
    ),
    expires_in: z
      .number()
      .int()
      .min(60)
      .max(604_800)
      .default(flowLifetimeSeconds)
      .describe("For how many seconds the link can be opened"),
    token: z
      .uuid({ error: ifCredential })
      .optional()
      .describe(
        "The id of a token: the link signs in to the same account again, and the same access token works on",
      ),
    settings: z
      .record(z.string().max(100), z.string().max(2_048))
      .optional()
      .describe(
        "Settings of the provider, by their names in its guide, such as `timesheets`. The end user is not asked for " +
          "them. With `provider` or `token`",
      ),
    allow_handover: z
      .boolean()
      .optional()
      .describe(
        "Whether the end user may send the sign-in to a colleague who has the credentials. The code goes to the " +
          "browser of the end user all the same",
      ),
    ...labelFields,
  })
  .strict()
  .meta({
    id: "ConnectSessionRequest",
    description: "The parameters of a sign-in link.",
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
    connect_url: z
      .string()
      .describe(
        "Send the end user there. The link belongs to the browser that first sends a form of its page.",
      ),
    session_id: z.string().describe("The id of the link, for your log"),
    expires_at: z.iso.datetime().describe("Until when it can be opened, RFC 3339 in UTC"),
  })
  .meta({
    id: "ConnectSession",
    description: "A one-time sign-in link.",
    examples: [
      {
        connect_url:
          "https://api.example.com/connect?session=rc_ln_dev_Fddnp7dtlwP13GkNQRRlYbD2FWreej2DsS76eGPfYyw0CZU3t",
        session_id: "01a1fd38-4e3b-76f0-aa4b-83ecbf6d43be",
        expires_at: "2026-11-21T08:58:00.000Z",
      },
    ],
  });

const sessionResponses = {
  201: created.describe("The link."),
  ...errorResponses(413, 415, 429, 500),
  ...badRequest("redirect_uri: is required"),
  ...wrongClient,
  ...errorResponse(404, {
    description: "The token to sign in to again is not the client's, or was disconnected.",
    example: {
      message: "The token is not known or was disconnected.",
      id: "01a1fd39-1dc3-72c9-9867-e2fd22989539",
    },
  }),
  ...serviceUnavailable,
};

/** A link to sign in again takes these from the token's connection. */
const fixedByToken = ["scope", "mode", "provider", "reference", "metadata"] as const;

type SessionRequest = z.output<typeof body>;

/** The client's server makes the link, so no end user can change its parameters. */
export async function registerSessionRoute(
  app: HttpApp,
  dependencies: CreateLinkNeeds & Needs<"clients" | "connections" | "connect" | "issuer">,
): Promise<void> {
  const { clients, issuer } = dependencies;
  await app.register(async (inner) => {
    const scope = inner as HttpApp;
    await guardWithBasic(scope, clients);
    scope.route({
      method: "POST",
      url: `/${apiVersion}/management/connect-session`,
      config: gatedRoute,
      schema: {
        operationId: "createConnectSession",
        summary: "Make a one-time sign-in link",
        description:
          "For a link whose parameters no end user can change. With `token` the end user signs in to the same " +
          "account again.",
        tags: ["Management"],
        security: [{ basic: [] }],
        querystring: z.strictObject({}),
        body,
        response: sessionResponses,
      },
      handler: async (request, reply) => {
        const { link, redirectUri } = await readLinkRequest(
          dependencies,
          request.client,
          request.body,
        );
        const { clientId } = request.client;
        const settings = await readSettings(dependencies, link, request.body.settings);
        const { state, token, expires_in: lifetimeSeconds } = request.body;
        const rawState = state === undefined ? undefined : encodeURIComponent(state);
        const session = await createOneTimeLink(
          dependencies,
          { clientId, link, redirectUri, rawState },
          {
            lifetimeSeconds,
            tokenId: token ?? null,
            label: readLabel(request.body),
            settings,
            allowsHandover: request.body.allow_handover ?? false,
          },
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
  dependencies: CreateLinkNeeds & Needs<"clients" | "connections" | "connect" | "issuer">,
  client: Client,
  request: SessionRequest,
): Promise<{ link: Link; redirectUri: string }> {
  const given = fixedByToken.filter((name) => request[name] !== undefined);
  if (request.token !== undefined && given.length > 0)
    throw new InvalidRequest(
      given.map((name) => `${name}: comes from the token; leave it out beside token`).join("; "),
    );
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
      : await linkOfToken(dependencies, client, request.token, request.locale ?? null);
  return { link, redirectUri };
}

function parseLink(
  { clients, registry }: Needs<"clients" | "registry">,
  client: Client,
  { scope, sandbox, ...request }: SessionRequest,
): Link {
  if (scope === undefined) throw new InvalidRequest("scope: is required");
  try {
    return readLink(
      { ...request, scope, sandbox: sandbox === true || sandbox === "true" ? "true" : undefined },
      { client, registry, maySimulate: clients.maySimulate(client) },
    );
  } catch (error) {
    if (error instanceof InvalidLink) throw new InvalidRequest(`${error.error}: ${error.message}`);
    throw error;
  }
}

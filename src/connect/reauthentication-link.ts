import type { Client } from "../clients/index.ts";
import { InvalidRequest, type TokenId, NotFound } from "../model/index.ts";
import { flowLifetimeSeconds } from "./flow.ts";
import { createOneTimeLink, type CreateLinkNeeds } from "./one-time-link.ts";
import type { Needs } from "./services.ts";
import { sandboxRefused, type Link } from "./link.ts";

/**
 * For operators: a one-time link to sign in again, so that the same token works. It leads back to the first address of
 * the client. Another account takes the place of the one before only with `mayChangeAccount`.
 */
export async function createReauthenticationLink(
  dependencies: CreateLinkNeeds & Needs<"clients" | "connections">,
  client: Client,
  { tokenId, mayChangeAccount }: { tokenId: TokenId; mayChangeAccount: boolean },
): Promise<{ id: string; credential: string; expiresAt: Date }> {
  const [redirectUri] = client.redirectUris;
  if (redirectUri === undefined) throw new InvalidRequest("redirect_uri: the client has none");
  const link = await linkOfToken(dependencies, client, tokenId, null);
  return await createOneTimeLink(
    dependencies,
    { clientId: client.clientId, link, redirectUri, rawState: undefined },
    { lifetimeSeconds: flowLifetimeSeconds, tokenId, mayChangeAccount },
  );
}

/**
 * A link with the provider, mode and scopes of the token's connection. Throws NotFound for a token of another client.
 */
export async function linkOfToken(
  { clients, connections, registry }: Needs<"clients" | "connections" | "registry">,
  client: Client,
  tokenId: TokenId,
  locale: string | null,
): Promise<Link> {
  const connection = await connections.loadByToken(tokenId);
  if (!connection || connection.clientId !== client.clientId)
    throw new NotFound(tokenId, "The token is not known or was disconnected.");
  const { mode, scopes, provider } = connection;
  const isSandbox = registry.isSimulated(provider);
  if (isSandbox && !clients.maySimulate(client))
    throw new InvalidRequest(`token: ${sandboxRefused}`);
  return { mode, scopes, provider, isSandbox, codeChallenge: null, locale, tags: [] };
}

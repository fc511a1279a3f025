import type { Client } from "../clients/index.ts";
import { InvalidRequest, NotFound, type TokenId } from "../model/index.ts";
import { sandboxRefused, type Link } from "./link.ts";
import type { Needs } from "./services.ts";

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

import type { Client, Clients } from "../clients/index.ts";
import type { Connections } from "../connections/index.ts";
import { InvalidRequest, NotFound, type TokenId } from "../model/index.ts";
import type { ProviderRegistry } from "../providers/index.ts";
import { sandboxRefused, type Link } from "./link.ts";

interface LinkOfTokenDependencies {
  clients: Clients;
  connections: Connections;
  registry: ProviderRegistry;
}

/**
 * A link with the provider, mode and scopes of the token's connection. Throws NotFound for a token of another client.
 */
export async function linkOfToken(
  { clients, connections, registry }: LinkOfTokenDependencies,
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

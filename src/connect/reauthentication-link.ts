import type { Client } from "../clients/index.ts";
import { InvalidRequest, type TokenId } from "../model/index.ts";
import { flowLifetimeSeconds } from "./flow.ts";
import { linkOfToken } from "./link-of-token.ts";
import { createOneTimeLink, type CreateLinkNeeds } from "./one-time-link.ts";
import type { Needs } from "./services.ts";

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

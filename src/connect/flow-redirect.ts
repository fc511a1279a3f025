import type { Client } from "../clients/index.ts";
import { InvalidRequest } from "../model/index.ts";
import type { Flow } from "./flow.ts";
import { openFlowKey, openState } from "./flow-secrets.ts";
import { type RedirectTarget, isRegisteredRedirect } from "./redirect.ts";
import type { Needs } from "./services.ts";

/** Throws InvalidRequest when the client has removed the address since the link was made. */
export async function findRedirectClient(
  { clients }: Needs<"clients">,
  { clientId, redirectUri }: Flow,
): Promise<Client> {
  const client = await clients.find(clientId);
  if (!client || !isRegisteredRedirect(client.redirectUris, redirectUri))
    throw new InvalidRequest("redirect_uri: is not registered for this client");
  return client;
}

export function redirectTargetOf(
  { keyring, issuer }: Needs<"keyring" | "issuer">,
  flow: Flow,
): RedirectTarget {
  const rawState = openState(openFlowKey(keyring, flow), flow);
  return { redirectUri: flow.redirectUri, rawState, issuer };
}

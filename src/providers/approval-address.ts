import { randomBytes } from "node:crypto";
import { sha256 } from "../platform/crypto/index.ts";
import { ProviderBug } from "./errors.ts";
import type { ApprovalPage } from "./sign-in-form.ts";

/**
 * The address of the page on which the person approves, with what OAuth 2 asks there and PKCE. Throws ProviderBug when
 * the adapter names no page.
 */
export function makeApprovalAddress(
  page: ApprovalPage,
  { clientId, redirectUri, state }: { clientId: string; redirectUri: string; state: string },
): { address: string; codeVerifier: string } {
  const codeVerifier = randomBytes(32).toString("base64url");
  const address = URL.parse(page.address);
  if (!address || !["https:", "http:"].includes(address.protocol))
    throw new ProviderBug("the adapter names no page to approve on");
  const parameters = {
    ...page.parameters,
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    // Some providers know the scopes of an application, and take none with the address.
    ...(page.scopes.length > 0 && { scope: page.scopes.join(" ") }),
    state,
    code_challenge: sha256(codeVerifier).toString("base64url"),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  return { address: address.href, codeVerifier };
}

import { z } from "zod";
import type { ProviderContext } from "./contract.ts";
import { AuthError, ProviderBug } from "./errors.ts";
import { noteSecret, type NotesSecrets } from "./note-secret.ts";
import type { OAuth2Application, OAuth2Authorization } from "./oauth2-sign-in.ts";

/** Tokens of a provider: a part of a session. */
export interface OAuth2Tokens {
  accessToken: string;
  /** Undefined when the provider gave none: then the one that was sent goes on. */
  refreshToken: string | undefined;
  /** Undefined when the provider does not say it. */
  expiresAt: string | undefined;
  /** Of OpenID Connect, as the provider's token endpoint gave them. */
  idTokenClaims: Readonly<Record<string, unknown>> | undefined;
}

interface TokenRequest {
  tokenUrl: string;
  grant: OAuth2Authorization | { refreshToken: string };
  /** How the application proves itself. `basic` by default; with `json` all fields are sent as JSON. */
  authentication?: "basic" | "body" | "json";
  /** Further fields of the form. */
  form?: Readonly<Record<string, string>>;
}

const tokenReply = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).nullish(),
  expires_in: z.coerce.number().positive().nullish(),
  id_token: z.string().nullish(),
});
const refusal = z.object({ error: z.string().regex(/^[a-z_]{1,60}$/) });
const claims = z.record(z.string(), z.unknown());

/**
 * Asks a token endpoint (RFC 6749). It is asked once, because a refresh token may work once alone. Throws AuthError
 * `reauthentication_required` when the provider takes the grant no more, and ProviderBug when it refuses anything
 * else, such as the application.
 */
export async function requestOAuth2Tokens(
  context: Pick<ProviderContext, "application" | "clock" | "http">,
  { tokenUrl, grant, authentication = "basic", form = {} }: TokenRequest,
): Promise<OAuth2Tokens> {
  const { application, clock, http } = context;
  if (!application) throw new ProviderBug("the mode has no oauth2, so it has no application");
  const fields = {
    ...form,
    ...describeGrant(grant),
    ...(authentication !== "basic" && {
      client_id: application.clientId,
      client_secret: application.clientSecret,
    }),
  };
  const { status, json } = await http(tokenUrl).request({
    method: "POST",
    url: tokenUrl,
    headers: {
      accept: "application/json",
      ...(authentication === "basic" && { authorization: basicHeader(application) }),
    },
    ...(authentication === "json" ? { json: fields } : { form: fields }),
  });
  if (status !== 200) {
    const { error = "no error" } = refusal.safeParse(readJson(json)).data ?? {};
    if (error === "invalid_grant") throw new AuthError("reauthentication_required");
    throw new ProviderBug(`the token endpoint answered ${status} with ${error}`);
  }
  const reply = tokenReply.safeParse(readJson(json));
  if (!reply.success) throw new ProviderBug("the token endpoint gave no token");
  const { access_token, refresh_token, expires_in, id_token } = reply.data;
  const note = (context as NotesSecrets)[noteSecret];
  for (const token of [access_token, refresh_token, id_token]) if (token) note?.(token);
  return {
    accessToken: access_token,
    refreshToken: refresh_token ?? undefined,
    expiresAt: expires_in
      ? new Date(clock.now().getTime() + expires_in * 1_000).toISOString()
      : undefined,
    idTokenClaims: id_token ? requireClaims(id_token) : undefined,
  };
}

function describeGrant(grant: TokenRequest["grant"]): Record<string, string> {
  return "refreshToken" in grant
    ? { grant_type: "refresh_token", refresh_token: grant.refreshToken }
    : {
        grant_type: "authorization_code",
        code: grant.code,
        code_verifier: grant.codeVerifier,
        redirect_uri: grant.redirectUri,
      };
}

/** Its parts are form-encoded first (RFC 6749, section 2.3.1). */
function basicHeader({ clientId, clientSecret }: OAuth2Application): string {
  const pair = `${formEncode(clientId)}:${formEncode(clientSecret)}`;
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}

function formEncode(text: string): string {
  return new URLSearchParams([["", text]]).toString().slice(1);
}

function readJson(json: () => unknown): unknown {
  try {
    return json();
  } catch {
    return undefined;
  }
}

/** What a JSON web token says; undefined for a token of another kind. Its signature is not looked at. */
export function readTokenClaims(token: string): Readonly<Record<string, unknown>> | undefined {
  const [, payload = ""] = token.split(".");
  try {
    return claims.parse(JSON.parse(Buffer.from(payload, "base64url").toString("utf8")));
  } catch {
    return undefined;
  }
}

/** The signature says nothing more than the connection to the token endpoint did (OpenID Connect Core, 3.1.3.7). */
function requireClaims(idToken: string): Readonly<Record<string, unknown>> {
  const found = readTokenClaims(idToken);
  if (!found) throw new ProviderBug("the token endpoint gave an id token without claims");
  return found;
}

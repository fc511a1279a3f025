import { generateKeyPairSync } from "node:crypto";
import { Provider, type JWK } from "oidc-provider";
import { Pool } from "pg";
import { OidcAdapter } from "./oidc-adapter.ts";

export interface OidcSettings {
  databaseUrl: string;
  issuer: string;
  poolMax: number;
}

const scopes = ["employees"];

/**
 * oidc-provider as a product would run it beside our work: opaque tokens, clients that authenticate by
 * client_secret_basic, introspection. Its clients are stored, as ours are. Access tokens are all that a code gives: no
 * id token, which would be signed, and no refresh token.
 */
export function createOidcService({ databaseUrl, issuer, poolMax }: OidcSettings): {
  provider: Provider;
  pool: Pool;
} {
  const pool = new Pool({ connectionString: databaseUrl, max: poolMax });
  const provider = new Provider(issuer, {
    adapter: (model) => new OidcAdapter(pool, model),
    scopes,
    jwks: { keys: [unusedKey()] },
    features: {
      devInteractions: { enabled: false },
      introspection: {
        enabled: true,
        allowedPolicy: (_context, client, token) => token.clientId === client.clientId,
      },
      resourceIndicators: { enabled: false },
    },
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    issueRefreshToken: () => false,
    pkce: { required: () => false },
    cookies: { keys: ["not used here"] },
    ttl: { AuthorizationCode: 600, AccessToken: 86_400, Grant: 86_400 },
  });
  return { provider, pool };
}

/** It has to have one, and signs nothing with it. */
function unusedKey(): JWK {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  return privateKey.export({ format: "jwk" });
}

import type { Audit } from "../audit/index.ts";
import type { Clients } from "../clients/index.ts";
import type { Connections } from "../connections/index.ts";
import { CodeAlreadyRedeemed, ExchangeRefused, NotFound } from "../errors.ts";
import type { ClientId } from "../model/index.ts";
import type { Clock } from "../platform/clock.ts";
import {
  checkCredential,
  isSameDigest,
  mintCredential,
  sha256,
  type Environment,
} from "../platform/crypto/index.ts";
import { transaction, type Pool } from "../platform/db/index.ts";
import {
  findCode,
  insertToken,
  markRedeemed,
  type AuthorizationCode,
  type Token,
} from "./store.ts";

export interface RedeemDependencies {
  pool: Pool;
  clock: Clock;
  environment: Environment;
  audit: Audit;
  clients: Clients;
  connections: Connections;
}

export interface Exchange {
  clientId: ClientId;
  clientSecret: string;
  code: string;
  redirectUri: string;
  codeVerifier: string | undefined;
}

export type IssuedToken = Pick<Token, "id" | "mode" | "provider" | "scopes"> & {
  accessToken: string;
};

/**
 * Exchanges a code for a token. A failed check does not use the code up. A code gives at most one token,
 * however many requests exchange it at the same time.
 */
export async function redeemCode(
  dependencies: RedeemDependencies,
  exchange: Exchange,
): Promise<IssuedToken> {
  const client = await dependencies.clients.authenticate(exchange.clientId, exchange.clientSecret);
  if (!client)
    throw new ExchangeRefused("invalid_client", "the client is not known or its secret is wrong");
  const digest = sha256(exchange.code);
  const code = await findOwnCode(dependencies, exchange, digest);
  const { clock } = dependencies;
  if (!code.redeemedAt && code.expiresAt <= clock.now()) throw expired();
  if (code.redirectUri !== exchange.redirectUri)
    throw new ExchangeRefused("invalid_grant", "redirect_uri is not the one of the sign-in link");
  checkVerifier(code, exchange.codeVerifier);
  return await issueToken(dependencies, exchange, digest, code);
}

async function findOwnCode(
  { pool, environment }: RedeemDependencies,
  { code, clientId }: Exchange,
  digest: Buffer,
): Promise<AuthorizationCode> {
  const isWellFormed = checkCredential(code, "ac", environment) === "valid";
  const found = isWellFormed ? await findCode(pool, digest) : undefined;
  if (!found || found.clientId !== clientId)
    throw new NotFound(code, "The authorization code is not known.");
  return found;
}

function checkVerifier({ codeChallenge }: AuthorizationCode, verifier: string | undefined): void {
  if (codeChallenge === null) {
    if (verifier !== undefined)
      throw new ExchangeRefused(
        "invalid_request",
        "code_verifier without a code_challenge in the sign-in link",
      );
    return;
  }
  if (verifier === undefined)
    throw new ExchangeRefused(
      "invalid_request",
      "code_verifier is required, because the sign-in link carried a code_challenge",
    );
  const challenge = Buffer.from(sha256(verifier).toString("base64url"));
  if (!isSameDigest(challenge, Buffer.from(codeChallenge)))
    throw new ExchangeRefused("invalid_grant", "code_verifier does not match the code_challenge");
}

async function issueToken(
  dependencies: RedeemDependencies,
  { code }: Exchange,
  digest: Buffer,
  { clientId, tokenId }: AuthorizationCode,
): Promise<IssuedToken> {
  const { pool, clock, environment, audit, connections } = dependencies;
  const accessToken = mintCredential("at", environment);
  const issued = await transaction(pool, async (tx) => {
    if (!(await markRedeemed(tx, digest, clock.now()))) return undefined;
    const connection = await connections.claim(tx, tokenId);
    if (!connection) throw expired();
    const { provider, mode, scopes } = connection;
    await insertToken(tx, sha256(accessToken), {
      id: tokenId,
      clientId,
      provider,
      mode,
      scopes,
      createdAt: clock.now(),
    });
    await audit.record(tx, "token.issued", { clientId, tokenId, connectionId: connection.id });
    return { id: tokenId, provider, mode, scopes, accessToken };
  });
  if (issued) return issued;
  const current = await findCode(pool, digest);
  if (!current?.redeemedAt) throw expired();
  await audit.record(pool, "code.replayed", { clientId, tokenId });
  throw new CodeAlreadyRedeemed({ code, tokenId });
}

function expired(): ExchangeRefused {
  return new ExchangeRefused("invalid_grant", "the code has expired");
}

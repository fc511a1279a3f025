import type { Audit } from "../audit/index.ts";
import type { Clients } from "../clients/index.ts";
import type { Connections, Label } from "../connections/index.ts";
import { CodeAlreadyRedeemed, ExchangeRefused, NotFound, type ClientId } from "../model/index.ts";
import {
  checkCredential,
  isSameDigest,
  looksLikeCredential,
  mintCredential,
  sha256,
  type Environment,
  type Keyring,
} from "../platform/crypto/index.ts";
import { transaction, type Pool } from "../platform/db/index.ts";
import type { BoundSince } from "../platform/bound-rows.ts";
import type { Log } from "../platform/log.ts";
import { isCodeBound } from "./bind-code.ts";
import { bindDigest } from "./bind-token.ts";
import { explainUnknownCode } from "./explain-refusal.ts";
import {
  claimCode,
  findCode,
  insertToken,
  type AuthorizationCode,
  type CodeTerms,
  type Token,
} from "./store.ts";

export interface RedeemDependencies {
  pool: Pool;
  keyring: Keyring;
  environment: Environment;
  audit: Audit;
  clients: Clients;
  connections: Connections;
  boundSince: BoundSince;
  log: Log;
}

export interface Exchange {
  clientId: ClientId;
  /** What may be the secret: a Basic header has it as it was sent and form-decoded. */
  clientSecrets: readonly string[];
  code: string;
  redirectUri: string;
  codeVerifier: string | undefined;
  /** What the client calls the connection. It takes precedence over what the sign-in was opened with. */
  label?: Label | null;
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
  if (!(await isClient(dependencies.clients, exchange))) throw wrongClient();
  const digest = sha256(exchange.code);
  return (
    (await issueToken(dependencies, exchange, digest)) ??
    (await refuse(dependencies, exchange, digest))
  );
}

async function isClient(clients: Clients, { clientId, clientSecrets }: Exchange): Promise<boolean> {
  for (const secret of clientSecrets) if (await clients.authenticate(clientId, secret)) return true;
  return false;
}

/** Throws NotFound for a code whose row somebody without the service's keys wrote. */
function refuseForeign(
  { keyring, boundSince, log }: RedeemDependencies,
  code: string,
  { termsMac, ...terms }: CodeTerms,
): void {
  const isOurs = termsMac
    ? isCodeBound(keyring, sha256(code), { ...terms, termsMac })
    : !boundSince.requires("authorization_codes");
  if (isOurs) return;
  const { tokenId, clientId } = terms;
  log.error(
    { tokenId, clientId },
    "a code was changed in the database by somebody else; it is not exchanged",
  );
  throw new NotFound("", explainUnknownCode(code, "valid"), { isOfCode: true });
}

/** Claims the code and its connection and makes the token, all of it or nothing. Undefined when the code does not match. */
async function issueToken(
  dependencies: RedeemDependencies,
  { clientId, code, redirectUri, codeVerifier, label }: Exchange,
  digest: Buffer,
): Promise<IssuedToken | undefined> {
  const { pool, keyring, environment, audit, clients, connections } = dependencies;
  if (checkCredential(code, "ac", environment) !== "valid") return undefined;
  const accessToken = mintCredential("at", environment);
  const tokenDigest = sha256(accessToken);
  const codeChallenge = codeVerifier === undefined ? null : challengeOf(codeVerifier);
  return await transaction(pool, async (tx) => {
    if (!(await clients.ends.lockAgainst(tx, clientId))) throw wrongClient();
    const claimed = await claimCode(tx, { digest, clientId, redirectUri, codeChallenge });
    if (!claimed) return undefined;
    refuseForeign(dependencies, code, claimed);
    const connection = await connections.claim(tx, claimed.tokenId, label);
    // An unclaimed connection is removed when its code has expired.
    if (!connection) throw expired();
    const { id: connectionId, tokenId: id, ...grant } = connection;
    await insertToken(tx, tokenDigest, {
      ...grant,
      id,
      codeDigest: digest,
      // Of the sign-in. That the connection still has this grant is checked with each request.
      grantMac: claimed.grantMac,
      digestMac: bindDigest(keyring, tokenDigest, digest),
    });
    const subject = { clientId: grant.clientId, tokenId: id, connectionId };
    await audit.record(tx, "token.issued", subject);
    return { ...grant, id, accessToken };
  });
}

/** Throws why the code was not redeemed: the first check in the order that fails. */
async function refuse(
  dependencies: RedeemDependencies,
  exchange: Exchange,
  digest: Buffer,
): Promise<never> {
  const { pool, audit } = dependencies;
  const code = await findOwnCode(dependencies, exchange, digest);
  if (!code.redeemedAt && code.isExpired) throw expired();
  if (code.redirectUri !== exchange.redirectUri)
    throw new ExchangeRefused("invalid_grant", "redirect_uri is not the one of the sign-in link");
  checkVerifier(code, exchange.codeVerifier);
  const { clientId, tokenId } = code;
  await audit.record(pool, "code.replayed", { clientId, tokenId });
  throw new CodeAlreadyRedeemed({ code: exchange.code, tokenId });
}

async function findOwnCode(
  dependencies: RedeemDependencies,
  { code, clientId }: Exchange,
  digest: Buffer,
): Promise<AuthorizationCode> {
  const { pool, environment } = dependencies;
  const form = checkCredential(code, "ac", environment);
  const found = form === "valid" ? await findCode(pool, digest) : undefined;
  if (found) refuseForeign(dependencies, code, found);
  if (found?.clientId === clientId) return found;
  // Another credential that was sent by mistake is not repeated.
  const id = looksLikeCredential(code, "ac") ? code : "";
  throw new NotFound(id, explainUnknownCode(code, form), { isOfCode: true });
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
  if (!isSameDigest(Buffer.from(challengeOf(verifier)), Buffer.from(codeChallenge)))
    throw new ExchangeRefused("invalid_grant", "code_verifier does not match the code_challenge");
}

function challengeOf(verifier: string): string {
  return sha256(verifier).toString("base64url");
}

function wrongClient(): ExchangeRefused {
  return new ExchangeRefused("invalid_client", "the client is not known or its secret is wrong");
}

function expired(): ExchangeRefused {
  return new ExchangeRefused("invalid_grant", "the code has expired");
}

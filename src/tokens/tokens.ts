import { randomBytes } from "node:crypto";
import type { SignIn } from "../connections/index.ts";
import { Forbidden, NotFound } from "../errors.ts";
import {
  scopesOfMode,
  type ClientId,
  type ConnectionId,
  type Mode,
  type Scope,
  type TokenId,
} from "../model/index.ts";
import type { Log } from "../platform/log.ts";
import { addSeconds } from "../platform/clock.ts";
import {
  checkCredential,
  mintCredential,
  sha256,
  type CredentialForm,
} from "../platform/crypto/index.ts";
import { deleteInBatches, transaction, type Transaction } from "../platform/db/index.ts";
import type { RequestWindows } from "../platform/http/index.ts";
import { bindDigest, bindGrant, type Grant } from "./bind-token.ts";
import { bindOlderTokens } from "./bind-older-tokens.ts";
import type { AdmissionCopies, CountedAdmission } from "./admission-copies.ts";
import { CheckedBindings } from "./checked-bindings.ts";
import { createAdmissionLoader, type Admission, type StoredData } from "./find-admission.ts";
import { listTokens, type TokenPage } from "./list-tokens.ts";
import {
  redeemCode,
  type Exchange,
  type IssuedToken,
  type RedeemDependencies,
} from "./redeem-code.ts";
import * as store from "./store.ts";

const codeLifetimeSeconds = 300;
/** For this long a redeemed code is refused as redeemed, and another one as expired. After that it is unknown. */
const expiredCodesKeptSeconds = 30 * 24 * 3600;

export interface TokensDependencies extends RedeemDependencies {
  log: Log;
  /** Without Redis there are none. */
  copies: AdmissionCopies | undefined;
}

/** What a token without a code is for, and the sign-in of its connection. */
export interface DirectRequest {
  clientId: ClientId;
  provider: string;
  mode: Mode;
  scopes: readonly Scope[];
  signIn: SignIn;
}

export class Tokens {
  readonly #dependencies: TokensDependencies;
  readonly #admissions: ReturnType<typeof createAdmissionLoader>;
  #areAllBound = false;

  constructor(dependencies: TokensDependencies) {
    this.#dependencies = dependencies;
    const bindings = new CheckedBindings(dependencies.keyring);
    this.#admissions = createAdmissionLoader({ ...dependencies, bindings });
  }

  /** Checks prefix, environment and checksum of an access token, without a look-up. */
  checkForm(credential: string): CredentialForm {
    return checkCredential(credential, "at", this.#dependencies.environment);
  }

  /** Undefined for an unknown token. Without `stored`, the admission names no snapshot. */
  async findAdmission(credential: string, stored?: StoredData): Promise<Admission | undefined> {
    return await this.#admissions.load({ digest: sha256(credential), stored });
  }

  /**
   * Counts a request in its windows and finds its admission, in one call of Redis. Undefined when there is none, or it
   * is away: then nothing was counted.
   */
  async admit(
    credential: string,
    stored: StoredData | undefined,
    describeWindows: () => RequestWindows,
  ): Promise<CountedAdmission | undefined> {
    return await this.#dependencies.copies?.admit(sha256(credential), stored, describeWindows());
  }

  /** What a connection's copy says has changed. */
  async forgetCopy(connectionId: ConnectionId): Promise<void> {
    const { copies, pool } = this.#dependencies;
    const digest = copies && (await store.findDigestOf(pool, connectionId));
    if (digest) await copies.forget(digest);
  }

  /** Repeats the look-up, because the token may have been disconnected in the meantime. */
  async findAdmissionAgain(
    { digest }: Admission,
    stored: StoredData,
  ): Promise<Admission | undefined> {
    return await this.#admissions.load({ digest, stored });
  }

  codeExpiry(): Date {
    return addSeconds(this.#dependencies.clock.now(), codeLifetimeSeconds);
  }

  /** The code for the redirect of a sign-in. It is exchanged for the token of the grant. */
  async issueCode(
    tx: Transaction,
    grant: Grant,
    code: { redirectUri: string; codeChallenge: string | null; expiresAt: Date },
  ): Promise<string> {
    const { keyring, environment } = this.#dependencies;
    const credential = mintCredential("ac", environment);
    const digest = sha256(credential);
    const { clientId, tokenId } = grant;
    const grantMac = bindGrant(keyring, digest, grant);
    await store.insertCode(tx, digest, { clientId, tokenId, ...code, grantMac });
    return credential;
  }

  async redeem(exchange: Exchange): Promise<IssuedToken> {
    return await redeemCode(this.#dependencies, exchange);
  }

  /** See `listTokens`. */
  async list(clientId: ClientId, page: TokenPage = {}): Promise<string[]> {
    return await listTokens(this.#dependencies, clientId, page);
  }

  /** Once this has committed, every process answers 403. A second call changes nothing. */
  async disconnect(
    { tokenId, isSharedSandbox }: Pick<Admission, "tokenId" | "isSharedSandbox">,
    by: store.EndedBy = "client",
  ): Promise<void> {
    const { pool, clock, connections, audit, copies, log } = this.#dependencies;
    if (isSharedSandbox) throw new Forbidden("The shared sandbox token cannot be disconnected.");
    const ended = await store.endToken(
      pool,
      { tokenId, now: clock.now() },
      {
        removal: connections.removal("ended"),
        audit: audit.recordPart("token.disconnected", "changed", {
          firstParameter: store.auditParameterOfEnd,
          detail: by === "client" ? {} : { by },
        }),
      },
    );
    if (!ended) return;
    log.info({ tokenId, by }, "a token was disconnected");
    if (ended.removed) connections.afterRemoval(ended.removed);
    await copies?.end(ended.digest);
  }

  /** For operators: they know a token by its id. */
  async disconnectById(tokenId: TokenId): Promise<void> {
    const { pool, clients } = this.#dependencies;
    const token = await store.findTokenById(pool, tokenId);
    if (!token) throw new NotFound(tokenId, "The token is not known.");
    await this.disconnect({
      tokenId,
      isSharedSandbox: await clients.isSharedSandbox(token.clientId),
    });
  }

  /**
   * Makes `credential` the shared sandbox token, with all xhr scopes. Its connection is made once and stays
   * when the credential changes. Of several processes that sign in at once, one stores its sign-in.
   */
  async ensureSharedSandbox(credential: string, signIn: () => Promise<SignIn>): Promise<void> {
    const digest = sha256(credential);
    if (await this.#settleSharedSandbox(digest, undefined)) return;
    await this.#settleSharedSandbox(digest, await signIn());
  }

  /** False when the connection is not made yet and there is no sign-in to make it of. */
  async #settleSharedSandbox(digest: Buffer, signIn: SignIn | undefined): Promise<boolean> {
    const { pool, clients } = this.#dependencies;
    return await transaction(
      pool,
      async (tx) => {
        const clientId = await clients.ensureSharedSandbox(tx);
        const known = await store.findTokenOfClient(tx, clientId);
        if (known) await this.#replaceShared(tx, digest, known);
        else if (signIn)
          await this.#insertWithoutCode(tx, digest, {
            clientId,
            provider: "sandbox",
            mode: "xhr",
            scopes: scopesOfMode("xhr"),
            signIn,
          });
        return known !== undefined || signIn !== undefined;
      },
      { lock: "shared sandbox token" },
    );
  }

  async #replaceShared(
    tx: Transaction,
    digest: Buffer,
    { id, clientId, codeDigest }: Pick<store.Token, "id" | "clientId" | "codeDigest">,
  ): Promise<void> {
    const { keyring, audit, copies } = this.#dependencies;
    const digestMac = codeDigest && bindDigest(keyring, digest, codeDigest);
    const replaced = await store.replaceDigest(tx, id, { digest, digestMac });
    if (!replaced) return;
    await audit.record(tx, "token.replaced", { clientId, tokenId: id });
    tx.afterCommit(() => copies?.end(replaced));
  }

  /** A connection and its access token, without a code: for the sandbox, which nobody has to consent to. */
  async issueDirectly(tx: Transaction, request: DirectRequest): Promise<IssuedToken> {
    const accessToken = mintCredential("at", this.#dependencies.environment);
    const id = await this.#insertWithoutCode(tx, sha256(accessToken), request);
    const { provider, mode, scopes } = request;
    return { id, accessToken, provider, mode, scopes: [...scopes] };
  }

  async #insertWithoutCode(
    tx: Transaction,
    digest: Buffer,
    { signIn, ...request }: DirectRequest,
  ): Promise<TokenId> {
    const { keyring, clock, connections, audit } = this.#dependencies;
    const made = await connections.create(tx, { ...request, signIn, expiresAt: null });
    // Instead of a code, any other value binds the token to its grant.
    const codeDigest = randomBytes(32);
    const scopes = [...request.scopes];
    await store.insertToken(tx, digest, {
      ...request,
      scopes,
      id: made.tokenId,
      createdAt: clock.now(),
      codeDigest,
      grantMac: bindGrant(keyring, codeDigest, { ...request, ...made }),
      digestMac: bindDigest(keyring, digest, codeDigest),
    });
    await audit.record(tx, "token.issued", { clientId: request.clientId, ...made });
    return made.tokenId;
  }

  /** No code that was issued before can be exchanged any more. */
  async expireOpenCodes(tx: Transaction): Promise<number> {
    return await store.expireOpenCodes(tx, this.#dependencies.clock.now());
  }

  /** See `bindOlderTokens`. It has to be called again and again. */
  async bindOlder(): Promise<void> {
    if (this.#areAllBound) return;
    const { pool, keyring } = this.#dependencies;
    this.#areAllBound = await bindOlderTokens(pool, keyring);
  }

  async removeOldCodes(signal?: AbortSignal): Promise<void> {
    const { pool, clock } = this.#dependencies;
    const moment = addSeconds(clock.now(), -expiredCodesKeptSeconds);
    await deleteInBatches((limit) => store.deleteCodesExpiredBefore(pool, moment, limit), signal);
  }
}

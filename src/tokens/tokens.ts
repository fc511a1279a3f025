import { randomBytes } from "node:crypto";
import { signStandard, type Client, type Clients } from "../clients/index.ts";
import { bindGrant, type Grant, type SignIn } from "../connections/index.ts";
import {
  Forbidden,
  NotFound,
  scopesOfMode,
  type ClientId,
  type ConnectionId,
  type EndedBy,
  type Mode,
  type Scope,
  type TokenId,
} from "../model/index.ts";
import type { Log } from "../platform/log.ts";
import { addSeconds, type Clock } from "../platform/clock.ts";
import {
  checkCredential,
  mintCredential,
  sha256,
  type CredentialForm,
} from "../platform/crypto/index.ts";
import { deleteOld, transaction, type Transaction } from "../platform/db/index.ts";
import type { RequestWindows } from "../platform/http/index.ts";
import { bindCode } from "./bind-code.ts";
import { bindDigest } from "./bind-token.ts";
import { AdmissionCopies, type CountedAdmission } from "./admission-copies.ts";
import { Admissions, type Admission, type StoredData } from "./find-admission.ts";
import { findTokenState, type PollPace } from "./find-token-state.ts";
import { findReceipt } from "./receipt.ts";
import { listTokens, type TokenPage } from "./list-tokens.ts";
import {
  redeemCode,
  type Exchange,
  type IssuedToken,
  type RedeemDependencies,
} from "./redeem-code.ts";
import * as store from "./store.ts";
import type { TokenState } from "./token-state.ts";

export const codeLifetimeSeconds = 300;
/** For this long a redeemed code is refused as redeemed, and another one as expired. After that it is unknown. */
const expiredCodesKeptSeconds = 30 * 24 * 3600;

export interface TokensDependencies extends RedeemDependencies {
  clock: Clock;
  log: Log;
  registry: PollPace;
  /** Where copies of admissions are. Undefined without Redis: then there are none. */
  redis: { url: string; prefix: string } | undefined;
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
  readonly #admissions: Admissions;
  readonly #copies: AdmissionCopies | undefined;

  constructor(dependencies: TokensDependencies) {
    this.#dependencies = dependencies;
    const { redis } = dependencies;
    const admissions = new Admissions(dependencies);
    this.#admissions = admissions;
    this.#copies = redis && new AdmissionCopies({ ...dependencies, redis, admissions });
  }

  close(): void {
    this.#copies?.close();
  }

  /** Checks prefix, environment and checksum of an access token, without a look-up. */
  checkForm(credential: string): CredentialForm {
    return checkCredential(credential, "at", this.#dependencies.environment);
  }

  /**
   * By the credential, or again by an earlier admission: the token may have been disconnected in the meantime. Undefined
   * for an unknown token. Without `stored`, the admission names no snapshot.
   */
  async findAdmission(
    by: string | Pick<Admission, "digest">,
    stored?: StoredData,
  ): Promise<Admission | undefined> {
    return await this.#admissions.find(typeof by === "string" ? sha256(by) : by.digest, stored);
  }

  /**
   * Counts a request in its windows and finds its admission, in one call of Redis. Undefined when there is none, or it
   * is away.
   */
  async admit(
    credential: string,
    stored: StoredData | undefined,
    describeWindows: () => RequestWindows,
  ): Promise<CountedAdmission | undefined> {
    return await this.#copies?.admit(sha256(credential), stored, describeWindows());
  }

  /** Removes the copy of a connection that has changed. */
  async forgetCopy(connectionId: ConnectionId): Promise<void> {
    const copies = this.#copies;
    const digest = copies && (await store.findDigestOf(this.#dependencies.pool, connectionId));
    if (digest) await copies.forget(digest);
  }

  /** Resolves when no process answers for these connections by what was copied of them before. */
  async endCopies(connectionIds: readonly ConnectionId[]): Promise<void> {
    const copies = this.#copies;
    if (copies) await copies.end(await store.findDigestsOf(this.#dependencies.pool, connectionIds));
  }

  /** The same for all tokens of a client. */
  async endCopiesOf(clientId: ClientId): Promise<void> {
    const copies = this.#copies;
    if (copies)
      await copies.end(await store.findDigestsOfClient(this.#dependencies.pool, clientId));
  }

  /** The code for the redirect of a sign-in. It is exchanged for the token of the grant. */
  async issueCode(
    tx: Transaction,
    grant: Grant,
    code: { redirectUri: string; codeChallenge: string | null; lifetimeSeconds: number },
  ): Promise<{ code: string; expiresAt: Date }> {
    const { keyring, clock, environment } = this.#dependencies;
    const credential = mintCredential("ac", environment);
    const digest = sha256(credential);
    const { clientId, tokenId } = grant;
    const grantMac = bindGrant(keyring, digest, grant);
    const terms = { clientId, tokenId, ...code };
    const termsMac = bindCode(keyring, digest, terms);
    await store.insertCode(tx, digest, { ...terms, grantMac, termsMac });
    return { code: credential, expiresAt: addSeconds(clock.now(), code.lifetimeSeconds) };
  }

  async redeem(exchange: Exchange): Promise<IssuedToken> {
    return await redeemCode(this.#dependencies, exchange);
  }

  /** See `listTokens`. */
  async list(clientId: ClientId, page: TokenPage = {}): Promise<string[]> {
    return await listTokens(this.#dependencies, clientId, page);
  }

  /** Throws NotFound for a token of another client. */
  async describe(clientId: ClientId, tokenId: TokenId): Promise<TokenState> {
    const found = await findTokenState(this.#dependencies, clientId, tokenId);
    if (!found) throw new NotFound(tokenId, "The token is not known.");
    return found;
  }

  /** Undefined for a token that nobody has. What the row says is not proved: `describe` proves it. */
  async ownerOf(tokenId: TokenId): Promise<ClientId | undefined> {
    return (await store.findTokenById(this.#dependencies.pool, tokenId))?.clientId;
  }

  /**
   * When this resolves, every process answers 403. A second call changes nothing: it ends the copies once more, because
   * the process of the first one may have been killed before it did.
   */
  async disconnect(
    { tokenId, isSharedSandbox }: Pick<Admission, "tokenId" | "isSharedSandbox">,
    by: EndedBy = "client",
  ): Promise<void> {
    const { pool, connections, audit, log } = this.#dependencies;
    refuseSharedSandbox(isSharedSandbox);
    await transaction(pool, async (tx) => {
      const ended = await store.endToken(tx, tokenId);
      const digest = ended?.digest ?? (await store.findEndedDigest(tx, tokenId));
      const endCopy = (): Promise<void> | undefined => digest && this.#copies?.end([digest]);
      if (!ended) return tx.afterCommit(endCopy);
      tx.afterCommit(() => log.info({ tokenId, by }, "a token was disconnected"));
      const { clientId } = ended;
      const counts = await store.countStored(tx, tokenId);
      const connectionId = await connections.remove(tx, tokenId, by);
      const detail = {
        ...(by !== "client" && { by: by === "end_user" ? "end-user" : by }),
        ...counts,
      };
      const subject = { clientId, tokenId, connectionId };
      const entryId = await audit.recordOne(tx, "token.disconnected", { ...subject, detail });
      await store.setEndedEntry(tx, tokenId, entryId);
      tx.afterCommit(endCopy);
    });
  }

  /**
   * What ended with a token of the client, signed with its secrets in the form of Standard Webhooks. Throws NotFound as
   * long as the token works, and for another client's.
   */
  async signReceipt(
    tokenId: TokenId,
    client: Client,
    clients: Pick<Clients, "revealSecrets">,
  ): Promise<{ body: string; headers: Record<string, string> }> {
    const receipt = await findReceipt(this.#dependencies, tokenId, client.clientId);
    const body = JSON.stringify(receipt);
    const headers = signStandard({
      id: `receipt_${tokenId}`,
      body: Buffer.from(body),
      secrets: clients.revealSecrets(client),
      at: this.#dependencies.clock.now(),
    });
    return { body, headers };
  }

  /** For operators, who know a token by its id, and for the console, where a developer ends one as its client does. */
  async disconnectById(tokenId: TokenId, by: EndedBy = "operator"): Promise<void> {
    const { pool, clients } = this.#dependencies;
    const token = await store.findTokenById(pool, tokenId);
    if (!token) throw new NotFound(tokenId, "The token is not known.");
    const isSharedSandbox = await clients.isSharedSandbox(token.clientId);
    await this.disconnect({ tokenId, isSharedSandbox }, by);
  }

  /** Throws Forbidden for a client whose token cannot be disconnected, before anything is recorded of the wish. */
  async refuseShared(clientId: ClientId): Promise<void> {
    refuseSharedSandbox(await this.#dependencies.clients.isSharedSandbox(clientId));
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
        if (!(await this.#mayBeShared(tx, digest, known))) return true;
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

  /** Everybody has the credential: it is given to no token that somebody else put in the place of the sandbox's. */
  async #mayBeShared(
    tx: Transaction,
    digest: Buffer,
    known: store.Token | undefined,
  ): Promise<boolean> {
    const { connections, log } = this.#dependencies;
    const connection = known && (await connections.find({ tokenId: known.id }, tx));
    const isOurs = known
      ? connection?.provider === "sandbox" && connection.clientId === known.clientId
      : !(await store.hasToken(tx, digest));
    if (!isOurs)
      log.error(
        { tokenId: known?.id },
        "the shared sandbox token was changed in the database by somebody else; it is not given out",
      );
    return isOurs;
  }

  async #replaceShared(
    tx: Transaction,
    digest: Buffer,
    { id, clientId, codeDigest }: Pick<store.Token, "id" | "clientId" | "codeDigest">,
  ): Promise<void> {
    const { keyring, audit } = this.#dependencies;
    const digestMac = codeDigest && bindDigest(keyring, digest, codeDigest);
    const replaced = await store.replaceDigest(tx, id, { digest, digestMac });
    if (!replaced) return;
    await audit.record(tx, "token.replaced", { clientId, tokenId: id });
    tx.afterCommit(() => this.#copies?.end([replaced]));
  }

  /** A connection and its access token, without a code: for the sandbox, which nobody has to consent to. */
  async issueDirectly(tx: Transaction, request: DirectRequest): Promise<IssuedToken> {
    await this.#dependencies.clients.ends.requireLiving(tx, request.clientId);
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
    const { keyring, connections, audit } = this.#dependencies;
    const made = await connections.create(tx, { ...request, signIn, lifetimeSeconds: null });
    // Instead of a code, any other value binds the token to its grant.
    const codeDigest = randomBytes(32);
    const scopes = [...request.scopes];
    await store.insertToken(tx, digest, {
      ...request,
      scopes,
      id: made.tokenId,
      codeDigest,
      grantMac: bindGrant(keyring, codeDigest, { ...request, ...made }),
      digestMac: bindDigest(keyring, digest, codeDigest),
    });
    await audit.record(tx, "token.issued", { clientId: request.clientId, ...made });
    return made.tokenId;
  }

  /** No code that was issued before can be exchanged any more. */
  async expireOpenCodes(tx: Transaction): Promise<number> {
    return await store.expireOpenCodes(tx);
  }

  async removeOldCodes(signal?: AbortSignal): Promise<void> {
    const codes = { table: "authorization_codes", key: "digest", since: "expires_at" };
    const old = { ...codes, keptSeconds: expiredCodesKeptSeconds };
    await deleteOld(this.#dependencies.pool, old, signal);
  }
}

/** Everybody uses it. */
function refuseSharedSandbox(isSharedSandbox: boolean): void {
  if (isSharedSandbox) throw new Forbidden("The shared sandbox token cannot be disconnected.");
}

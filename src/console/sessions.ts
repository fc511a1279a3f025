import { createHmac } from "node:crypto";
import type { Audit } from "../audit/index.ts";
import type { Client, Clients } from "../clients/index.ts";
import type { ClientId } from "../model/index.ts";
import { addSeconds, type Clock } from "../platform/clock.ts";
import {
  checkCredential,
  isSameDigest,
  mintCredential,
  sha256,
  type Environment,
  type Keyring,
} from "../platform/crypto/index.ts";
import { deleteOld, transaction, type Pool, type Transaction } from "../platform/db/index.ts";
import { removeOldCounts } from "./counts/count-store.ts";
import { removeOldProblems } from "./problems/problem-store.ts";
import * as store from "./session-store.ts";
import type { Viewer } from "./viewer.ts";

export interface SessionDependencies {
  pool: Pool;
  keyring: Keyring;
  clock: Clock;
  audit: Audit;
  clients: Clients;
  environment: Environment;
}

export const sessionSeconds = 8 * 3_600;
/** Long enough to send it to somebody. In local mode it stands in the terminal of the service. */
const linkSeconds = 15 * 60;

/** Who is signed in to the console. A cookie's value is stored as a digest alone. */
export class ConsoleSessions {
  readonly #dependencies: SessionDependencies;

  constructor(dependencies: SessionDependencies) {
    this.#dependencies = dependencies;
  }

  /** A one-time link for an operator. Only this call returns its credential. */
  async createLink(
    name: string,
    lifetimeSeconds = linkSeconds,
  ): Promise<{ credential: string; expiresAt: Date }> {
    const { pool, keyring, clock, audit, environment } = this.#dependencies;
    const credential = mintCredential("ln", environment);
    const createdAt = clock.now();
    const expiresAt = addSeconds(createdAt, lifetimeSeconds);
    const link = { digest: sha256(credential), name, createdAt, expiresAt };
    await transaction(pool, async (tx) => {
      await store.insertLink(tx, { ...link, mac: keyring.sign("console", factsOfLink(link)) });
      await audit.record(tx, "console.linked", { detail: { name } });
    });
    return { credential, expiresAt };
  }

  /** Changes nothing: to look at a link does not use it. */
  async hasLink(credential: string): Promise<boolean> {
    const { pool, environment } = this.#dependencies;
    if (checkCredential(credential, "ln", environment) !== "valid") return false;
    return await store.hasLink(pool, sha256(credential));
  }

  /** The cookie of a new session. Undefined for a link that was used, has expired, or was written by somebody else. */
  async useLink(credential: string): Promise<string | undefined> {
    const { pool, keyring, environment } = this.#dependencies;
    if (checkCredential(credential, "ln", environment) !== "valid") return undefined;
    return await transaction(pool, async (tx) => {
      const link = await store.takeLink(tx, sha256(credential));
      if (!link || !keyring.isSigned(link.mac, "console", factsOfLink(link))) return undefined;
      return await this.#begin(tx, { clientId: null, name: link.name });
    });
  }

  /**
   * The cookie of a new session for an operator whom the issuer has proved. Undefined when that sign-in, which the digest
   * is of, was used before.
   */
  async beginForOperator(
    name: string,
    signIn: Pick<store.StoredSession, "digest" | "expiresAt">,
  ): Promise<string | undefined> {
    return await transaction(this.#dependencies.pool, async (tx) => {
      if (!(await store.useSignIn(tx, signIn))) return undefined;
      return await this.#begin(tx, { clientId: null, name });
    });
  }

  /** The cookie of a new session for who has proved to be the developer of the client. */
  async beginForClient(client: Client, secret: string): Promise<string> {
    const { pool, keyring } = this.#dependencies;
    const name = `secret ${keyring.pseudonym(`console secret ${secret}`).slice(0, 8)}`;
    return await transaction(pool, (tx) =>
      this.#begin(tx, { clientId: client.clientId, name }, client),
    );
  }

  /** Undefined for a cookie of nobody who is signed in. */
  async find(cookie: string): Promise<Viewer | undefined> {
    const { pool, keyring, clients } = this.#dependencies;
    const session = await store.findSession(pool, sha256(cookie));
    if (!session || !keyring.isSigned(session.mac, "console", factsOfSession(session)))
      return undefined;
    const formToken = makeFormToken(cookie);
    const { clientId, name, secretsMac } = session;
    if (clientId === null) return { clientId: undefined, name, formToken };
    const client = await clients.find(clientId);
    if (!client || !secretsMac || !isSameDigest(secretsMac, this.#macOfSecrets(cookie, client)))
      return undefined;
    return { clientId, name, formToken };
  }

  /** The session that changed the secrets of its client goes on. All others of the client have ended by that. */
  async followSecrets(cookie: string, client: Client): Promise<void> {
    const { pool, keyring } = this.#dependencies;
    const session = await store.findSession(pool, sha256(cookie));
    if (session?.clientId !== client.clientId) return;
    const changed = { ...session, secretsMac: this.#macOfSecrets(cookie, client) };
    const mac = keyring.sign("console", factsOfSession(changed));
    await store.replaceSecretsMac(pool, { ...changed, mac });
  }

  async end(cookie: string): Promise<void> {
    const { pool, audit } = this.#dependencies;
    await transaction(pool, async (tx) => {
      const session = await store.findSession(tx, sha256(cookie));
      if (!session) return;
      await store.deleteSession(tx, session.digest);
      const { clientId, name } = session;
      await audit.record(tx, "console.signed-out", {
        clientId: clientId ?? undefined,
        detail: { name },
      });
    });
  }

  /** Of the operators with this name, of the developers of a client, or of everybody. Returns how many ended. */
  async endAll(
    whose: { name?: string | undefined; clientId?: ClientId | undefined } = {},
  ): Promise<number> {
    const { pool, audit } = this.#dependencies;
    const { name, clientId } = whose;
    return await transaction(pool, async (tx) => {
      const ended = await store.deleteSessions(tx, { name, clientId });
      const detail = { sessions: ended, ...(name !== undefined && { name }) };
      await audit.record(tx, "console.signed-out", { clientId, detail });
      return ended;
    });
  }

  async list(): ReturnType<typeof store.listSessions> {
    return await store.listSessions(this.#dependencies.pool);
  }

  async #begin(
    tx: Transaction,
    { clientId, name }: Pick<store.StoredSession, "clientId" | "name">,
    client?: Client,
  ): Promise<string> {
    const { keyring, clock, audit, environment } = this.#dependencies;
    const cookie = mintCredential("bs", environment);
    const createdAt = clock.now();
    const session = {
      digest: sha256(cookie),
      clientId,
      name,
      secretsMac: client ? this.#macOfSecrets(cookie, client) : null,
      createdAt,
      expiresAt: addSeconds(createdAt, sessionSeconds),
    };
    const mac = keyring.sign("console", factsOfSession(session));
    await store.insertSession(tx, { ...session, mac });
    await audit.record(tx, "console.signed-in", {
      clientId: clientId ?? undefined,
      detail: { name },
    });
    return cookie;
  }

  /** It changes with any of the secrets. Nobody can make it without the cookie, and it tells nothing of them. */
  #macOfSecrets(cookie: string, client: Client): Buffer {
    const secrets = this.#dependencies.clients.revealSecrets(client);
    return createHmac("sha256", cookie).update(JSON.stringify(secrets)).digest();
  }
}

/** Also for who is not signed in yet: the form of the sign-in is bound to its browser by it. */
export function makeFormToken(cookie: string): string {
  return createHmac("sha256", cookie).update("console form").digest("base64url");
}

/** Sessions, links and used sign-ins that are over, and counts and problems that no page shows any more. */
export async function removeOldRows(
  { pool }: Pick<SessionDependencies, "pool">,
  signal?: AbortSignal,
): Promise<void> {
  for (const table of ["console_sessions", "console_links", "console_used_sign_ins"])
    await deleteOld(pool, { table, key: "digest", since: "expires_at" }, signal);
  await removeOldCounts(pool, signal);
  await removeOldProblems(pool, signal);
}

function factsOfSession(session: Omit<store.StoredSession, "mac">): string {
  const { digest, clientId, name, secretsMac, createdAt, expiresAt } = session;
  return JSON.stringify([
    "session",
    digest.toString("base64url"),
    clientId,
    name,
    secretsMac?.toString("base64url") ?? null,
    createdAt.toISOString(),
    expiresAt.toISOString(),
  ]);
}

function factsOfLink({ digest, name, expiresAt }: Omit<store.StoredLink, "mac">): string {
  return JSON.stringify(["link", digest.toString("base64url"), name, expiresAt.toISOString()]);
}

import { isDeepStrictEqual } from "node:util";
import type { Audit } from "../audit/index.ts";
import type { Connect, SignInRequest, SignInStep } from "../connect/index.ts";
import type { Connection, Connections, SignIn } from "../connections/index.ts";
import {
  InvalidRequest,
  NotFound,
  type AuthErrorCode,
  type ClientId,
  type ConnectionId,
  type Mode,
  type Resource,
  type Scope,
  type TokenId,
} from "../model/index.ts";
import { findCredential } from "../platform/crypto/index.ts";
import { transaction, type Pool, type Transaction } from "../platform/db/index.ts";
import { isProviderFailure, sandboxControls, type Session } from "../providers/index.ts";
import type { IssuedToken, Tokens } from "../tokens/index.ts";
import type { Webhooks } from "../webhooks/index.ts";
import type { SetLists } from "./set-records.ts";

export interface SandboxDependencies {
  pool: Pool;
  audit: Audit;
  connect: Connect;
  connections: Connections;
  tokens: Tokens;
  webhooks: Webhooks;
  /** Removes what is stored of a connection, and what is being read of it. */
  forgetData: (tx: Transaction, connectionId: ConnectionId) => Promise<void>;
}

/** What the simulated system of a connection does, and how its poll stands. */
export interface SandboxState {
  tokenId: TokenId;
  scenario: string;
  /** How many simulated hours have passed. */
  hour: number;
  failure: AuthErrorCode | null;
  /** Fields of employees, and resources, that the account may not read. */
  limited: readonly string[];
  forbidden: readonly Resource[];
  /** The lists that were set. */
  set: readonly SettableList[];
  /** Null when its scopes do not include the employees. */
  poll: NonNullable<Awaited<ReturnType<Webhooks["findPoll"]>>> | null;
}

type SettableList = (typeof sandboxControls.settableLists)[number];

/** Changes what the sandbox does next, for the connections of the sandbox alone. */
export class Sandbox {
  readonly #dependencies: SandboxDependencies;

  constructor(dependencies: SandboxDependencies) {
    this.#dependencies = dependencies;
  }

  /** Signs in as the scenario's user, without a browser. Throws InvalidRequest when that sign-in is refused. */
  async connect(
    clientId: ClientId,
    { scenario, mode, scopes }: { scenario: string; mode: Mode; scopes: readonly Scope[] },
  ): Promise<IssuedToken> {
    const { pool, tokens } = this.#dependencies;
    const request = { provider: "sandbox", mode, scopes };
    requireScenario(scenario);
    const signIn = await this.#signIn(request, scenario);
    return await transaction(
      pool,
      async (tx) => await tokens.issueDirectly(tx, { ...request, clientId, signIn }),
    );
  }

  /** Throws NotFound for the connection of another client or of another provider. */
  async find(tokenId: TokenId, clientId: ClientId): Promise<Connection> {
    const connection = await this.#dependencies.connections.loadByToken(tokenId);
    if (connection?.provider !== "sandbox" || connection.clientId !== clientId)
      throw new NotFound(tokenId, "There is no sandbox connection with this token.");
    return connection;
  }

  async describe({ id, tokenId, session }: Connection): Promise<SandboxState> {
    const { user, hour, failure, records = {} } = sandboxControls.read(session);
    const { limited, forbidden } = sandboxControls.rightsOf(session);
    const set = sandboxControls.settableLists.filter((name) => records[name] !== undefined);
    const poll = await this.#findPoll(id);
    return {
      tokenId,
      scenario: user,
      hour,
      failure: failure ?? null,
      limited,
      forbidden,
      set,
      poll,
    };
  }

  /** The next read finds one employee added, one removed and two updated. */
  async advance(connection: Connection): Promise<void> {
    await this.#change(connection, "advance", sandboxControls.advance);
  }

  /** Reads fail with this code until the end user signs in again. */
  async fail(connection: Connection, code: AuthErrorCode): Promise<void> {
    await this.#change(connection, `fail with ${code}`, (session) =>
      sandboxControls.fail(session, code),
    );
  }

  /** As if the end user had signed in again: what failed works. Throws InvalidRequest when that is refused. */
  async signInAgain(connection: Connection, scenario?: string): Promise<void> {
    if (scenario !== undefined) requireScenario(scenario);
    await this.#signInAgain(connection, "sign in again", (session) => {
      const user = scenario ?? sandboxControls.read(session).user;
      requireScenario(user);
      return { user, session };
    });
  }

  /** The end user signs in again with an account that may not read these. */
  async setRights(
    connection: Connection,
    rights: { limited: readonly string[]; forbidden: readonly Resource[] },
  ): Promise<void> {
    await this.#signInAgain(connection, "set rights", (before) => {
      const session = sandboxControls.setRights(before, {
        limited: [...rights.limited],
        forbidden: [...rights.forbidden],
      });
      return { user: sandboxControls.read(session).user, session };
    });
  }

  /** The lists take the place of those of the scenario. */
  async setRecords(connection: Connection, lists: SetLists): Promise<void> {
    await this.#change(connection, "set records", (session) =>
      sandboxControls.setRecords(session, lists),
    );
  }

  /** Throws InvalidRequest for a connection that is not polled. */
  async poll(connection: Connection): Promise<void> {
    const polled = await this.#dependencies.webhooks.pollNow(connection.tokenId);
    if (polled.length > 0) return;
    const cause = await this.#whyNotPolled(connection);
    throw new InvalidRequest(`token: this connection is not polled: ${cause}`);
  }

  /**
   * Lets an hour pass and polls, so that a webhook follows. False when the first poll, which only takes the list that
   * later ones compare with, was still missing: it is made now.
   */
  async sendWebhook(connection: Connection): Promise<boolean> {
    const poll = await this.#findPoll(connection.id);
    if (!poll) throw new InvalidRequest(`token: this connection is not polled: ${notOfEmployees}`);
    const isCompared = poll.state === "idle" && poll.polledAt !== null;
    if (isCompared) await this.advance(connection);
    if (isCompared || poll.state !== "pending") await this.poll(connection);
    return isCompared;
  }

  /** The poll of its employees. Null when its scopes do not include them. */
  async #findPoll(connectionId: ConnectionId): Promise<SandboxState["poll"]> {
    const poll = await this.#dependencies.webhooks.findPoll(connectionId);
    return poll?.coversEmployees ? poll : null;
  }

  async #whyNotPolled({ id, clientId }: Connection): Promise<string> {
    const { webhooks } = this.#dependencies;
    if (!(await this.#findPoll(id))) return notOfEmployees;
    const { employees: status } = await webhooks.statusesOf(clientId);
    if (status === null)
      return "its client has no webhook_uri; set one with POST /2023-03-01/management/client";
    if (status !== "active") return `the webhook_uri of its client is ${status}; set it again`;
    return "its end user has to sign in again";
  }

  async #change(
    { tokenId }: Connection,
    change: string,
    changed: (session: Session) => Session,
  ): Promise<void> {
    const { connections, pool } = this.#dependencies;
    await transaction(pool, async (tx) => {
      const connection = await this.#lock(tx, tokenId);
      await connections.saveSession(connection, changed(connection.session), { tx });
      await this.#settleChange(tx, connection, change);
    });
  }

  /** The connection as changes before this one left it. Others wait until the transaction ends. */
  async #lock(tx: Transaction, tokenId: TokenId): Promise<Connection> {
    const { connections } = this.#dependencies;
    const isThere = await connections.lockForSignIn(tx, tokenId);
    const connection = isThere ? await connections.loadByToken(tokenId, tx) : undefined;
    if (connection) return connection;
    throw new NotFound(tokenId, "There is no sandbox connection with this token.");
  }

  /** What was stored before the change is served no more. */
  async #settleChange(
    tx: Transaction,
    { id, clientId, tokenId }: Connection,
    change: string,
  ): Promise<void> {
    const { audit, tokens, forgetData } = this.#dependencies;
    await forgetData(tx, id);
    const subject = { clientId, tokenId, connectionId: id };
    await audit.record(tx, "sandbox.changed", { ...subject, detail: { change } });
    tx.afterCommit(() => tokens.endCopies([id]));
  }

  /** No transaction waits for a sign-in: one that began with another session than there is now is made again. */
  async #signInAgain(
    connection: Connection,
    change: string,
    changed: (session: Session) => { user: string; session: Session },
  ): Promise<void> {
    const { connect, pool } = this.#dependencies;
    const { tokenId, provider, mode, scopes } = connection;
    for (let { session: before } = connection; ;) {
      const { user, session } = changed(before);
      const request = { provider, mode, scopes, previousSession: session };
      const signIn = await this.#signIn(request, user);
      const other = await transaction(pool, async (tx) => {
        const locked = await this.#lock(tx, tokenId);
        if (!isDeepStrictEqual(locked.session, before)) return locked.session;
        await connect.reauthenticate(tx, tokenId, signIn);
        await this.#settleChange(tx, connection, change);
        return undefined;
      });
      if (!other) return;
      before = other;
    }
  }

  async #signIn(request: SignInRequest, user: string): Promise<SignIn> {
    const { connect } = this.#dependencies;
    const secret = request.mode === "xhr" ? { password: "sandbox" } : { api_key: "sandbox" };
    try {
      let step: SignInStep = await connect.start(request, { username: user, ...secret });
      while (step.kind === "challenge")
        step = await connect.answer(
          request,
          step.challenge,
          sandboxControls.answer(step.challenge),
        );
      return step.signIn;
    } catch (error) {
      if (!isProviderFailure(error)) throw error;
      throw new InvalidRequest(
        `scenario: the sign-in of ${user} is refused (${error.kind === "auth" ? error.code : error.kind})`,
      );
    }
  }
}

const notOfEmployees = "its scopes do not include the employees";

function requireScenario(scenario: string): void {
  if (sandboxControls.scenarios.includes(scenario)) return;
  throw new InvalidRequest(describeUnknownScenario(scenario));
}

/** Names it when it is short, and no credential. */
function describeUnknownScenario(scenario: string): string {
  const isShown = /^\w{1,40}$/.test(scenario) && !findCredential(scenario);
  const known = sandboxControls.scenarios.join(", ");
  return `scenario: there is no scenario ${isShown ? scenario : "of this name"}; one of ${known}`;
}

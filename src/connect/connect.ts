import type { Client } from "../clients/index.ts";
import type { Connection, Connections, Label, SignIn } from "../connections/index.ts";
import {
  InvalidRequest,
  NotFound,
  resourcesOfScopes,
  type ClientId,
  type Mode,
  type Scope,
  type TokenId,
} from "../model/index.ts";
import type { Pool, Transaction } from "../platform/db/index.ts";
import { withTimeout } from "../platform/with-timeout.ts";
import {
  ProviderDown,
  type ApprovalPage,
  type DeclaredMode,
  type FormCheck,
  type FormValues,
  type FoundSystem,
  type ProviderRegistry,
  type Session,
  type Settings,
  type SignInHost,
  type SignInResult,
  type SignedIn,
} from "../providers/index.ts";
import { codeLifetimeSeconds, type Tokens } from "../tokens/index.ts";
import {
  OtherAccount,
  isCertainlySameAccount,
  isSameAccount,
  isTypedAccount,
  nameAccountOfSession,
  withoutKeys,
  type AcceptedForm,
} from "./account-of-sign-in.ts";
import {
  callInTime,
  signInTimeoutMs,
  type Call,
  type SignInRequest,
  type SignInStep,
} from "./sign-in-request.ts";
import {
  carryOver,
  pickSettings,
  followingChallenge,
  isOffered,
  type CarriedOver,
  type Challenge,
} from "./challenge.ts";
import { endUnusedSignIn } from "./end-unused-sign-in.ts";
import { flowBindings } from "./flow-bindings.ts";
import { flowKeyRows } from "./flow-secrets.ts";
import type { LogOuts } from "./log-outs.ts";
import type { PendingAuthorization } from "./pending-authorization.ts";
import { createSignInTable, deleteAllFlows, expireFlowsOf } from "./flow-store.ts";
import { isRegisteredRedirect } from "./redirect.ts";

export type { SignInRequest, SignInStep } from "./sign-in-request.ts";

export interface ConnectDependencies {
  registry: ProviderRegistry;
  host: SignInHost;
  connections: Connections;
  tokens: Tokens;
  logOuts: LogOuts;
}

/** A sign-in that succeeded, and what its code is bound to. */
interface Completion {
  redirectUri: string;
  codeChallenge: string | null;
  signIn: SignIn;
  label?: Label | null;
}

/** A form of a provider, as somebody filled it in. */
interface FilledForm {
  provider: string;
  mode: Mode;
  formValues: FormValues;
}

/** For an adapter's check of a form, with the start of its child process. */
const formTimeoutMs = 30_000;

/** Signs an end user in at a provider, and makes the connection and its code. */
export class Connect {
  /** The data keys of sign-ins that are under way. */
  static readonly keyedRows = flowKeyRows;
  /** Sign-ins of a version that sealed no terms. */
  static readonly bindings = flowBindings;
  /** Deletes every sign-in and one-time link. Returns how many they were. */
  static readonly endSignIns = deleteAllFlows;
  /** Nobody goes on with the open sign-ins and links of the client. */
  static readonly expireFlowsOf = expireFlowsOf;

  /** How many sign-ins run at providers, and how many wait for a place. */
  static async countSignIns(pool: Pool): Promise<{ leased: number; waiting: number }> {
    return await createSignInTable(pool).count();
  }

  readonly #dependencies: ConnectDependencies;

  constructor(dependencies: ConnectDependencies) {
    this.#dependencies = dependencies;
  }

  /** Throws a ProviderFailure when the code of the provider fails. */
  async checkForm(form: FilledForm, outer?: AbortSignal): Promise<FormCheck> {
    return await withTimeout(
      formTimeoutMs,
      (signal) => this.#dependencies.host.checkForm({ ...form, signal }),
      { signal: outer, timedOut: () => new ProviderDown("the check of the form took too long") },
    );
  }

  /** The address of the provider's own page. Throws a ProviderFailure. */
  async findApprovalPage(form: FilledForm, scopes: readonly Scope[]): Promise<ApprovalPage> {
    const call = { ...form, resources: resourcesOfScopes(scopes) };
    return await withTimeout(
      formTimeoutMs,
      (signal) => this.#dependencies.host.findApprovalPage({ ...call, signal }),
      { timedOut: () => new ProviderDown("the provider's page was not found in time") },
    );
  }

  /**
   * Where the address was typed, the system is looked for before anything else is sent there. Throws a ProviderFailure,
   * or an InvalidRequest that names the field that the form refuses.
   */
  async start(
    request: SignInRequest,
    formValues: FormValues,
    { signal, onFound }: { signal?: AbortSignal; onFound?: (found: FoundSystem) => void } = {},
  ): Promise<SignInStep> {
    const mode = this.#requireMode(request);
    if (mode.isElsewhere)
      throw new InvalidRequest(
        `provider: ${request.provider} is signed in to on its own page; use a sign-in link`,
      );
    const accepted = await this.#requireAccepted({ ...request, formValues }, signal);
    return await callInTime(request, signal, async (call) => {
      const found = await this.#probe(call, mode, accepted.formValues);
      if (found) onFound?.(found);
      const result = await this.#dependencies.host.login({
        ...call,
        formValues: accepted.formValues,
      });
      return await this.#next(call, result, { carried: carryOver(mode, accepted) });
    });
  }

  /** Looks what is at the address that was typed. Throws a ProviderFailure: a FieldError when there is no system. */
  async lookAt(
    place: Pick<SignInRequest, "clientId" | "provider" | "mode">,
    typed: string,
    outer?: AbortSignal,
  ): Promise<FoundSystem> {
    const { host } = this.#dependencies;
    const found = await withTimeout(
      signInTimeoutMs,
      (signal) => host.probe({ ...place, clientId: place.clientId, signal, typed }),
      { signal: outer, timedOut: () => new ProviderDown("the look at the address took too long") },
    );
    return found ?? {};
  }

  /** Signs in with the code that the provider's own page gave. */
  async authorize(
    request: SignInRequest,
    { formValues, codeVerifier, redirectUri }: PendingAuthorization,
    code: string,
    signal?: AbortSignal,
  ): Promise<SignInStep> {
    const authorization = { code, codeVerifier, redirectUri };
    return await callInTime(request, signal, async (call) => {
      const result = await this.#dependencies.host.login({ ...call, formValues, authorization });
      const settings = pickSettings(this.#requireMode(request), formValues);
      return await this.#next(call, result, { carried: { settings } });
    });
  }

  /** Answers a challenge. For an approval elsewhere the answer is empty. */
  async answer(
    request: SignInRequest,
    challenge: Challenge,
    answer: string,
    signal?: AbortSignal,
  ): Promise<SignInStep> {
    const { state, settings, account } = challenge;
    const carried = { settings, ...(account && { account }) };
    if (!isOffered(challenge, answer))
      throw new InvalidRequest(`${challenge.kind}: is none of the options`);
    return await callInTime(request, signal, async (call) => {
      const isChoice = challenge.kind === "choose";
      const result = await this.#dependencies.host.resume({ ...call, state, answer, isChoice });
      return await this.#next(call, result, { previous: challenge, carried });
    });
  }

  /** Makes the connection and its code, or neither. */
  async complete(
    tx: Transaction,
    client: Client,
    { provider, mode, scopes }: SignInRequest,
    { redirectUri, codeChallenge, signIn, label = null }: Completion,
  ): Promise<{ code: string; expiresAt: Date }> {
    const { connections, tokens } = this.#dependencies;
    const { clientId } = client;
    if (!isRegisteredRedirect(client.redirectUris, redirectUri))
      throw new InvalidRequest("redirect_uri: is not registered for this client");
    const lifetimeSeconds = codeLifetimeSeconds;
    const request = { clientId, provider, mode, scopes };
    const made = await connections.create(tx, { ...request, signIn, label, lifetimeSeconds });
    return await tokens.issueCode(
      tx,
      { ...request, ...made },
      { redirectUri, codeChallenge, lifetimeSeconds },
    );
  }

  /** The request to sign in again to the connection of a token. With `clientId` the token has to be this client's. */
  async findReauthentication(
    tokenId: TokenId,
    {
      clientId,
      mayChangeAccount = false,
    }: { clientId?: ClientId; mayChangeAccount?: boolean } = {},
  ): Promise<SignInRequest> {
    const connection = await this.#loadConnection(tokenId, clientId);
    const { provider, mode, scopes, session, settings } = connection;
    const { connections } = this.#dependencies;
    const account = mayChangeAccount ? undefined : await connections.accountOf(connection);
    return {
      clientId: connection.clientId,
      provider,
      mode,
      scopes,
      previousSession: session,
      previousSettings: settings,
      ...(account && { previousAccount: account }),
    };
  }

  /**
   * Whether the form names the account of the token's connection. False when the account is not known or the connection
   * is gone.
   */
  async isAccountOf(tokenId: TokenId, accepted: AcceptedForm): Promise<boolean> {
    const { connections } = this.#dependencies;
    const connection = await connections.loadByToken(tokenId);
    const account = connection && (await connections.accountOf(connection));
    return account ? isTypedAccount(this.#requireMode(connection), account, accepted) : false;
  }

  /**
   * Stores the new sign-in. After it the same token works again. With `clientId` the token has to be this client's. The
   * caller has locked the connection for a sign-in, so that the account that is compared stays until its place is taken.
   */
  async reauthenticate(
    tx: Transaction,
    tokenId: TokenId,
    signIn: SignIn,
    clientId?: ClientId,
  ): Promise<void> {
    const { connections, registry } = this.#dependencies;
    const connection = await this.#loadConnection(tokenId, clientId, tx);
    const before = await connections.accountOf(connection, tx);
    const mode = registry.findMode(connection.provider, connection.mode);
    const isSameAccount = isCertainlySameAccount(mode, before, signIn);
    await connections.reauthenticate(tx, connection, signIn, { isSameAccount });
  }

  async #loadConnection(
    tokenId: TokenId,
    clientId: ClientId | undefined,
    tx?: Transaction,
  ): Promise<Connection> {
    const connection = await this.#dependencies.connections.loadByToken(tokenId, tx);
    if (!connection || (clientId !== undefined && connection.clientId !== clientId))
      throw new NotFound(tokenId, "The token is not known or was disconnected.");
    return connection;
  }

  async #probe(
    { clientId, provider, mode, signal }: Call,
    { origin }: DeclaredMode,
    formValues: FormValues,
  ): Promise<FoundSystem | null> {
    const typed = origin?.isProbed ? formValues[origin.field] : undefined;
    if (typed === undefined) return null;
    return await this.#dependencies.host.probe({ clientId, provider, mode, signal, typed });
  }

  async #next(
    call: Call,
    result: SignInResult,
    { previous, carried }: { previous?: Challenge; carried: CarriedOver },
  ): Promise<SignInStep> {
    if ("challenge" in result) {
      const challenge = followingChallenge(result.challenge, previous, carried);
      return { kind: "challenge", challenge };
    }
    const { session } = result;
    const inspected = await this.#inspect(call, session, carried.settings);
    const { accountOfSession, ...signIn } = inspected;
    const named =
      accountOfSession && nameAccountOfSession(this.#requireMode(call), accountOfSession);
    const { account: typed } = carried;
    const completed = {
      ...signIn,
      ...carried,
      ...(named && { account: named }),
      ...(named && typed && { typedAccount: withoutKeys(this.#requireMode(call), typed) }),
    };
    if (!this.#isOtherAccount(call, completed)) return { kind: "signed-in", signIn: completed };
    endUnusedSignIn(this.#dependencies, call, completed);
    throw new OtherAccount();
  }

  /** A session that is refused here, because it may read nothing for example, is ended at the provider. */
  async #inspect(call: Call, session: Session, settings: Settings): Promise<SignedIn> {
    try {
      return await this.#dependencies.host.inspect({ ...call, session, settings });
    } catch (error) {
      endUnusedSignIn(this.#dependencies, call, { session });
      throw error;
    }
  }

  /** A simulated provider is exempt, because tests choose between its users. */
  #isOtherAccount(call: Call, { origin, account }: SignIn): boolean {
    const { provider, previousAccount } = call;
    const isSimulated = this.#dependencies.registry.find(provider)?.isSimulated;
    if (isSimulated || !previousAccount || !account) return false;
    return !isSameAccount(this.#requireMode(call), previousAccount, { origin, account });
  }

  #requireMode({ provider, mode }: Pick<SignInRequest, "provider" | "mode">): DeclaredMode {
    const found = this.#dependencies.registry.findMode(provider, mode);
    if (!found) throw new InvalidRequest(`provider: ${provider} is not available in mode ${mode}`);
    return found;
  }

  async #requireAccepted(form: FilledForm, signal: AbortSignal | undefined): Promise<AcceptedForm> {
    const { provider, mode, formValues } = form;
    const checked = await this.checkForm({ provider, mode, formValues }, signal);
    if (!("problems" in checked)) return checked;
    throw new InvalidRequest(
      checked.problems.map(({ field, message }) => `${field}: ${message}`).join("; "),
    );
  }
}

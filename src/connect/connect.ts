import type { Client } from "../clients/index.ts";
import type { Connection, Connections, SignIn } from "../connections/index.ts";
import { InvalidRequest, NotFound } from "../errors.ts";
import {
  modeOfScopes,
  resourcesOfScopes,
  type ClientId,
  type Mode,
  type Scope,
  type TokenId,
} from "../model/index.ts";
import type { Pool, Transaction } from "../platform/db/index.ts";
import { withTimeout } from "../platform/with-timeout.ts";
import {
  listFormFields,
  ProviderDown,
  type FormValues,
  type ProviderRegistry,
  type Session,
  type Settings,
  type SignInCall,
  type SignInHost,
  type SignInResult,
} from "../providers/index.ts";
import type { Tokens } from "../tokens/index.ts";
import { nameAccountOfSession, nameSignedInAccount } from "./account-of-sign-in.ts";
import { followingChallenge, isOffered, type CarriedOver, type Challenge } from "./challenge.ts";
import { flowKeyRows } from "./flow-secrets.ts";
import { deleteAllFlows } from "./flow-store.ts";
import type { PendingAuthorization } from "./pending-authorization.ts";
import { createSignInTable } from "./flow-store.ts";
import { isRegisteredRedirect } from "./redirect-match.ts";

export interface ConnectDependencies {
  registry: ProviderRegistry;
  host: SignInHost;
  connections: Connections;
  tokens: Tokens;
}

/** What an end user signs in for. */
export interface SignInRequest {
  /** Undefined when no application asks for it. */
  clientId?: ClientId | undefined;
  provider: string;
  mode: Mode;
  scopes: readonly Scope[];
  previousSession?: Session;
  /** In a re-authentication, what was chosen before. */
  previousSettings?: Settings;
}

export type SignInStep =
  { kind: "signed-in"; signIn: SignIn } | { kind: "challenge"; challenge: Challenge };

const signInTimeoutMs = 90_000;

/** Signs an end user in at a provider, and makes the connection and its code. */
export class Connect {
  /** The keys of sign-ins that are under way. */
  static readonly keyedRows = flowKeyRows;
  /** No sign-in and no one-time link goes on. */
  static readonly endSignIns = deleteAllFlows;

  /** Sign-ins at providers that run, and that wait for a place. */
  static async countSignIns(pool: Pool, now: Date): Promise<{ leased: number; waiting: number }> {
    return await createSignInTable(pool).count(now);
  }

  readonly #dependencies: ConnectDependencies;

  constructor(dependencies: ConnectDependencies) {
    this.#dependencies = dependencies;
  }

  /** Throws a ProviderFailure, or an InvalidRequest that names the field that the form refuses. */
  async start(
    request: SignInRequest,
    formValues: FormValues,
    signal?: AbortSignal,
  ): Promise<SignInStep> {
    const checked = this.#checkFormValues(request, formValues);
    if (this.#findMode(request)?.oauth2)
      throw new InvalidRequest(
        `provider: ${request.provider} is signed in to on its own page; use a sign-in link`,
      );
    return await callInTime(request, signal, async (call) => {
      const result = await this.#dependencies.host.login({ ...call, formValues: checked });
      return await this.#next(call, result, { carried: this.#carryOver(request, checked) });
    });
  }

  /** After the end user has approved on the provider's own page, which gave the code. */
  async authorize(
    request: SignInRequest,
    { formValues, codeVerifier, redirectUri }: PendingAuthorization,
    code: string,
    signal?: AbortSignal,
  ): Promise<SignInStep> {
    const authorization = { code, codeVerifier, redirectUri };
    return await callInTime(request, signal, async (call) => {
      const result = await this.#dependencies.host.login({ ...call, formValues, authorization });
      const settings = this.#pickSettings(request, formValues);
      return await this.#next(call, result, { carried: { settings } });
    });
  }

  /** The answer to a challenge that waits is empty. */
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
      const result = await this.#dependencies.host.resume({ ...call, state, answer });
      return await this.#next(call, result, { previous: challenge, carried });
    });
  }

  /** Makes the connection and its code, or neither. */
  async complete(
    tx: Transaction,
    client: Client,
    { provider, mode, scopes }: SignInRequest,
    {
      redirectUri,
      codeChallenge,
      signIn,
    }: { redirectUri: string; codeChallenge: string | null; signIn: SignIn },
  ): Promise<{ code: string; expiresAt: Date }> {
    const { connections, tokens } = this.#dependencies;
    const { clientId } = client;
    if (!isRegisteredRedirect(client.redirectUris, redirectUri))
      throw new InvalidRequest("redirect_uri: is not registered for this client");
    const expiresAt = tokens.codeExpiry();
    const request = { clientId, provider, mode, scopes };
    const made = await connections.create(tx, { ...request, signIn, expiresAt });
    const code = await tokens.issueCode(
      tx,
      { ...request, ...made },
      { redirectUri, codeChallenge, expiresAt },
    );
    return { code, expiresAt };
  }

  /** The request of a connection that exists, for signing in to the same account again. */
  async findReauthentication(tokenId: TokenId): Promise<SignInRequest> {
    const connection = await this.#loadConnection(tokenId);
    const { clientId, provider, mode, scopes, session, settings } = connection;
    const previous = { previousSession: session, previousSettings: settings };
    return { clientId, provider, mode, scopes, ...previous };
  }

  /** Locks the token's connection until the transaction ends; false when it is gone. */
  async lockConnection(tx: Transaction, tokenId: TokenId): Promise<boolean> {
    return await this.#dependencies.connections.lockForSignIn(tx, tokenId);
  }

  /** After this, the same token works again. */
  async reauthenticate(tx: Transaction, tokenId: TokenId, signIn: SignIn): Promise<void> {
    const connection = await this.#loadConnection(tokenId, tx);
    await this.#dependencies.connections.reauthenticate(tx, connection, signIn);
  }

  async #loadConnection(tokenId: TokenId, tx?: Transaction): Promise<Connection> {
    const connection = await this.#dependencies.connections.loadByToken(tokenId, tx);
    if (!connection) throw new NotFound(tokenId, "The token is not known or was disconnected.");
    return connection;
  }

  async #next(
    call: SignInCall,
    result: SignInResult,
    { previous, carried }: { previous?: Challenge; carried: CarriedOver },
  ): Promise<SignInStep> {
    if ("challenge" in result) {
      const challenge = followingChallenge(result.challenge, previous, carried);
      return { kind: "challenge", challenge };
    }
    const { session } = result;
    const { settings } = carried;
    const signIn = await this.#dependencies.host.inspect({ ...call, session, settings });
    const named = this.#nameAccountOf(call, session);
    return {
      kind: "signed-in",
      signIn: { ...signIn, ...carried, ...(named && { account: named }) },
    };
  }

  #findMode({ provider, mode }: Pick<SignInRequest, "provider" | "mode">) {
    return this.#dependencies.registry.findMode(provider, mode);
  }

  #nameAccountOf({ provider, mode }: SignInCall, session: Session): string[] | undefined {
    const definition = this.#dependencies.registry.find(provider);
    return definition && nameAccountOfSession(definition, mode, session);
  }

  #carryOver(request: SignInRequest, formValues: FormValues): CarriedOver {
    const definition = this.#dependencies.registry.find(request.provider);
    const account = definition && nameSignedInAccount(definition, request.mode, formValues);
    return { settings: this.#pickSettings(request, formValues), ...(account && { account }) };
  }

  #pickSettings(request: SignInRequest, formValues: FormValues): Settings {
    const form = this.#findMode(request)?.form;
    const names = form ? listFormFields(form).filter(({ isSetting }) => isSetting) : [];
    return Object.fromEntries(
      names.flatMap(({ name }) => {
        const value = formValues[name];
        return value === undefined ? [] : [[name, value]];
      }),
    );
  }

  #checkFormValues(request: SignInRequest, formValues: FormValues): FormValues {
    const { provider, mode } = request;
    const form = this.#findMode(request)?.form;
    if (!form) throw new InvalidRequest(`provider: ${provider} is not available in mode ${mode}`);
    const parsed = form.safeParse(formValues);
    if (parsed.success) return parsed.data as FormValues;
    throw new InvalidRequest(
      parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; "),
    );
  }
}

/** One limit of time for all that a sign-in asks of the provider, also of an adapter that ignores its signal. */
async function callInTime(
  { clientId, provider, mode, scopes, previousSession }: SignInRequest,
  outer: AbortSignal | undefined,
  work: (call: SignInCall) => Promise<SignInStep>,
): Promise<SignInStep> {
  const resources = resourcesOfScopes(scopes);
  const call = { clientId, provider, mode, resources, ...(previousSession && { previousSession }) };
  return await withTimeout(signInTimeoutMs, (signal) => work({ ...call, signal }), {
    signal: outer,
    timedOut: () => new ProviderDown("the sign-in took too long"),
  });
}

/** Throws InvalidRequest unless all scopes are of this mode, and there is at least one. */
export function checkScopes(scopes: readonly Scope[], mode: Mode): void {
  if (scopes.length === 0) throw new InvalidRequest("scope: is required");
  if (modeOfScopes(scopes) !== mode)
    throw new InvalidRequest(`scope: all scopes are of mode ${mode}`);
}

import type { Client } from "../clients/index.ts";
import type { Connections, SignIn } from "../connections/index.ts";
import { InvalidRequest, NotFound } from "../errors.ts";
import { modeOfScopes, resourcesOfScopes, type Mode, type Scope } from "../model/index.ts";
import type { Transaction } from "../platform/db/index.ts";
import type {
  ProviderHost,
  ProviderRegistry,
  Session,
  SignInChallenge,
} from "../providers/index.ts";
import type { Tokens } from "../tokens/index.ts";
import { isRegisteredRedirect } from "./redirect-match.ts";

export interface ConnectDependencies {
  registry: ProviderRegistry;
  host: ProviderHost;
  connections: Connections;
  tokens: Tokens;
}

/** What an end user is asked to agree to. */
export interface SignInRequest {
  provider: string;
  mode: Mode;
  scopes: readonly Scope[];
  previousSession?: Session;
}

export type SignInStep =
  { kind: "signed-in"; signIn: SignIn } | { kind: "challenge"; challenge: SignInChallenge };

const signInTimeoutMs = 90_000;

/** From an end user's typed answers to a connection and a code. */
export class Connect {
  readonly #dependencies: ConnectDependencies;

  constructor(dependencies: ConnectDependencies) {
    this.#dependencies = dependencies;
  }

  /** Throws the contract's provider failures, or InvalidRequest that names the field that the form refuses. */
  async start(
    request: SignInRequest,
    fields: Readonly<Record<string, string>>,
  ): Promise<SignInStep> {
    const call = this.#call(request);
    const form = this.#parseForm(request, fields);
    return await this.#next(request, await this.#dependencies.host.login({ ...call, form }));
  }

  async answer(
    request: SignInRequest,
    challenge: SignInChallenge,
    answer: string,
  ): Promise<SignInStep> {
    const call = this.#call(request);
    return await this.#next(
      request,
      await this.#dependencies.host.resume({ ...call, state: challenge.state, answer }),
    );
  }

  /** The connection, and the code that is worth it; both or neither. */
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
    const { tokenId } = await connections.open(tx, {
      clientId,
      provider,
      mode,
      scopes,
      signIn,
      expiresAt,
    });
    const code = await tokens.issueCode(tx, {
      clientId,
      tokenId,
      redirectUri,
      codeChallenge,
      expiresAt,
    });
    return { code, expiresAt };
  }

  /** What the same account is asked for when it signs in again. */
  async findReauthentication(tokenId: string): Promise<SignInRequest> {
    const connection = await this.#dependencies.connections.loadByToken(tokenId);
    if (!connection) throw new NotFound(tokenId, "The token is not known or was disconnected.");
    const { provider, mode, scopes, session } = connection;
    return { provider, mode, scopes, previousSession: session };
  }

  /** The same token works again. */
  async reauthenticate(tx: Transaction, tokenId: string, signIn: SignIn): Promise<void> {
    const { connections } = this.#dependencies;
    const connection = await connections.loadByToken(tokenId);
    if (!connection) throw new NotFound(tokenId, "The token is not known or was disconnected.");
    await connections.reauthenticate(tx, connection, signIn);
  }

  async #next(
    request: SignInRequest,
    result: Awaited<ReturnType<ProviderHost["login"]>>,
  ): Promise<SignInStep> {
    if ("challenge" in result) return { kind: "challenge", challenge: result.challenge };
    const signIn = await this.#dependencies.host.inspect({
      ...this.#call(request),
      session: result.session,
    });
    return { kind: "signed-in", signIn };
  }

  #call({ provider, mode, scopes, previousSession }: SignInRequest) {
    return {
      provider,
      mode,
      resources: resourcesOfScopes(scopes),
      signal: AbortSignal.timeout(signInTimeoutMs),
      ...(previousSession && { previousSession }),
    };
  }

  #parseForm(
    { provider, mode }: SignInRequest,
    fields: Readonly<Record<string, string>>,
  ): Record<string, string> {
    const form = this.#dependencies.registry.findMode(provider, mode)?.form;
    if (!form) throw new InvalidRequest(`provider: ${provider} is not available in mode ${mode}`);
    const parsed = form.safeParse(fields);
    if (parsed.success) return parsed.data as Record<string, string>;
    throw new InvalidRequest(
      parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; "),
    );
  }
}

/** Throws InvalidRequest unless the scopes are all of one mode, which is the wanted one. */
export function checkScopes(scopes: readonly Scope[], mode: Mode): void {
  if (scopes.length === 0) throw new InvalidRequest("scope: is required");
  if (modeOfScopes(scopes) !== mode)
    throw new InvalidRequest(`scope: all scopes are of mode ${mode}`);
}

import type { SignIn } from "../connections/index.ts";
import { type ClientId, type Mode, type Scope, resourcesOfScopes } from "../model/index.ts";
import { type Session, type Settings, ProviderDown, type SignInCall } from "../providers/index.ts";
import type { AccountOfConnection } from "./account-of-sign-in.ts";
import type { Challenge } from "./challenge.ts";
import { withTimeout } from "../platform/with-timeout.ts";

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
  /** In a re-authentication, the account that has to be signed in to again. */
  previousAccount?: AccountOfConnection;
}

export type SignInStep =
  { kind: "signed-in"; signIn: SignIn } | { kind: "challenge"; challenge: Challenge };

export const signInTimeoutMs = 90_000;

/** A call of a sign-in, with the account that has to be signed in to again. */
export type Call = SignInCall & Pick<SignInRequest, "previousAccount">;

/** Ends all work of a sign-in at the provider after one limit of time, even when the adapter ignores its signal. */
export async function callInTime(
  { clientId, provider, mode, scopes, previousSession, previousAccount }: SignInRequest,
  outer: AbortSignal | undefined,
  work: (call: Call) => Promise<SignInStep>,
): Promise<SignInStep> {
  const resources = resourcesOfScopes(scopes);
  const call = { clientId, provider, mode, resources, ...(previousSession && { previousSession }) };
  const known = previousAccount && { previousAccount };
  return await withTimeout(signInTimeoutMs, (signal) => work({ ...call, ...known, signal }), {
    signal: outer,
    timedOut: () => new ProviderDown("the sign-in took too long"),
  });
}

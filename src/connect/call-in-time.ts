import { resourcesOfScopes } from "../model/index.ts";
import { withTimeout } from "../platform/with-timeout.ts";
import { ProviderDown, type SignInCall } from "../providers/index.ts";
import type { SignInRequest, SignInStep } from "./sign-in-request.ts";

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

import { transaction } from "../platform/db/index.ts";
import type { Flow } from "./flow.ts";
import { findRedirectClient, redirectTargetOf } from "./flow-redirect.ts";
import { flowSecrets, openFlowKey } from "./flow-secrets.ts";
import { advanceFlow } from "./flow-store.ts";
import { redirectWithCode, redirectWithError, redirectWithoutCode } from "./redirect.ts";
import type { Needs } from "./services.ts";

/**
 * Makes the connection and the code of a flow that is signed in. Returns the address that the browser is sent
 * to. Undefined when another request was first, or the token was disconnected.
 */
export async function finishFlow(
  dependencies: Needs<"pool" | "keyring" | "clients" | "connect" | "connections" | "issuer">,
  flow: Flow,
): Promise<string | undefined> {
  const { pool, keyring, connect, connections } = dependencies;
  const key = openFlowKey(keyring, flow);
  const signIn = flowSecrets.signIn.open(key, flow);
  const client = await findRedirectClient(dependencies, flow);
  const target = redirectTargetOf(dependencies, flow);
  const { provider, mode, scopes, tokenId } = flow;
  if (!signIn || provider === null)
    return redirectWithError(target, "server_error", "the sign-in could not be completed");
  return await transaction(pool, async (tx) => {
    // The connection before the flow, as a disconnect locks them.
    if (tokenId && !(await connections.lockForSignIn(tx, tokenId))) return undefined;
    const finished = await advanceFlow(tx, flow, {
      phase: "finished",
      signIn: null,
      prefill: null,
      challenge: null,
      isEnd: true,
    });
    if (!finished) return undefined;
    if (tokenId) await connect.reauthenticate(tx, tokenId, signIn, flow.clientId);
    const made = tokenId
      ? undefined
      : await connect.complete(tx, client, { provider, mode, scopes }, { ...flow, signIn });
    const redirect = made ? redirectWithCode(target, made.code) : redirectWithoutCode(target);
    await advanceFlow(tx, finished, {
      phase: "finished",
      redirect: flowSecrets.redirect.seal(key, flow, redirect),
    });
    return redirect;
  });
}

/** The address of a flow that has just ended, for a browser that did not get it: the first reply may have been lost. */
export function findRecentRedirect({ keyring }: Needs<"keyring">, flow: Flow): string | undefined {
  return flow.hasJustEnded
    ? flowSecrets.redirect.open(openFlowKey(keyring, flow), flow)
    : undefined;
}

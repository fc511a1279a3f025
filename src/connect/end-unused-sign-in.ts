import type { Connections, SignIn } from "../connections/index.ts";
import type { ClientId, Mode } from "../model/index.ts";
import type { ProviderRegistry } from "../providers/index.ts";
import type { LogOuts } from "./log-outs.ts";

/**
 * Ends the session of a sign-in that becomes no connection. A key that a person typed is not a session of ours to end.
 * An account that is not known, because the sign-in failed before it was, counts as one that others use.
 */
export function endUnusedSignIn(
  {
    registry,
    connections,
    logOuts,
  }: { registry: ProviderRegistry; connections: Connections; logOuts: LogOuts },
  call: { provider: string | null; mode: Mode; clientId?: ClientId | undefined },
  { session, origin = null, account }: Pick<SignIn, "session"> & Partial<SignIn>,
): void {
  const { provider, mode } = call;
  if (provider === null || registry.findMode(provider, mode)?.keepsSecret) return;
  logOuts.start({
    provider,
    mode,
    // Nobody's application asks for a sign-in that only shows who has access.
    clientId: call.clientId || undefined,
    openSession: () => session,
    isAccountInUse: async () =>
      !account || (await connections.listOfAccount({ provider, origin, account })).length > 0,
  });
}

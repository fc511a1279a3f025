import type { Keyring } from "../platform/crypto/index.ts";
import type { Log } from "../platform/log.ts";
import type { FoundConnection } from "./connection.ts";
import { isGrantBound, type Grant, type GrantBinding } from "./grant.ts";

interface CheckDependencies {
  keyring: Keyring;
  log: Log;
}

/** False, and logged, for a connection that somebody without the service's keys wrote. */
export function isConnectionBound(
  dependencies: CheckDependencies,
  { id: connectionId, binding, ...facts }: FoundConnection,
): boolean {
  const { tokenId, clientId, provider, mode, scopes } = facts;
  const grant = { tokenId, clientId, provider, mode, scopes, connectionId };
  return isKeyBound(dependencies, { grant, binding });
}

export function isKeyBound(
  { keyring, log }: CheckDependencies,
  { grant, binding }: { grant: Grant; binding: GrantBinding },
): boolean {
  if (isGrantBound(keyring, binding, grant)) return true;
  const { connectionId, tokenId } = grant;
  log.error(
    { connectionId, tokenId },
    "what a connection gives access to was changed in the database by somebody else; the connection is not used",
  );
  return false;
}

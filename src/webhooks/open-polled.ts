import type { Connections } from "../connections/index.ts";
import {
  splitScope,
  type ClientId,
  type ConnectionId,
  type Scope,
  type TokenId,
} from "../model/index.ts";
import type { DataKey } from "../platform/crypto/index.ts";

/** A connection whose employees its client may be told of. */
export interface PolledConnection {
  dataKey: DataKey;
  clientId: ClientId;
  tokenId: TokenId;
  /** What the client calls the connection. */
  reference: string | null;
}

/**
 * The key of a connection, and the client and token that its webhooks are for. Its bound token names them; what polls,
 * states and deliveries say of them decides nothing. Undefined when the connection is gone, or when its token does not
 * cover employees.
 */
export async function openPolled(
  connections: Pick<Connections, "openKey">,
  connectionId: ConnectionId,
): Promise<PolledConnection | undefined> {
  const opened = await connections.openKey(connectionId);
  if (!opened) return undefined;
  const { dataKey, grant, reference } = opened;
  const { clientId, tokenId } = grant;
  return coversEmployees(grant) ? { dataKey, clientId, tokenId, reference } : undefined;
}

/** Whether the scopes cover all employees. */
export function coversEmployees({ scopes }: { scopes: readonly Scope[] }): boolean {
  return scopes.some((scope) => splitScope(scope).path === "employees");
}

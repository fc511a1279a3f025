import {
  isGrantBound,
  summarizeRights,
  type Connections,
  type StoredRights,
} from "../connections/index.ts";
import {
  resourcesOfScopes,
  type ClientId,
  type ConnectionId,
  type Mode,
  type Resource,
  type Scope,
  type TokenId,
} from "../model/index.ts";
import type { Keyring } from "../platform/crypto/index.ts";
import { queryRow, type Pool } from "../platform/db/index.ts";
import type { Log } from "../platform/log.ts";
import {
  describeResource,
  type FoundResource,
  type Polling,
  type TokenState,
} from "./token-state.ts";

interface StateDependencies {
  pool: Pool;
  keyring: Keyring;
  connections: Connections;
  log: Log;
  registry: PollPace;
}

/** How rarely a provider is polled, by the requests that a read takes. */
export interface PollPace {
  secondsPerPolledRequest(provider: string): number;
}

interface StateRow {
  clientId: ClientId;
  provider: string;
  mode: Mode;
  scopes: Scope[];
  createdAt: Date;
  disconnectedAt: Date | null;
  codeDigest: Buffer;
  grantMac: string;
  /** Null once the token was disconnected, and so is all that follows. */
  connectionId: ConnectionId | null;
  signedInAt: Date | null;
  authFailure: TokenState["reason"];
  authFailedAt: Date | null;
  rights: StoredRights | null;
  unsupported: Resource[] | null;
  nextPollAt: Date | null;
  /** What is polled of the connection. */
  polled: Resource[];
  resources: FoundResource[];
}

/** Undefined for a token of another client, and for one that somebody else wrote. */
export async function findTokenState(
  dependencies: StateDependencies,
  clientId: ClientId,
  tokenId: TokenId,
): Promise<TokenState | undefined> {
  const row = await findRow(dependencies.pool, tokenId);
  if (row?.clientId !== clientId || !isBound(dependencies, tokenId, row)) return undefined;
  const { connectionId } = row;
  const labels = connectionId
    ? await dependencies.connections.labels.ofConnections([connectionId])
    : undefined;
  const label = connectionId ? labels?.get(connectionId) : undefined;
  return {
    token: tokenId,
    scopes: row.scopes,
    mode: row.mode,
    provider: row.provider,
    created_at: row.createdAt.toISOString(),
    valid: row.disconnectedAt === null,
    ...describeStatus(row),
    ...summarizeRights(row.rights ?? {}),
    unsupported: row.unsupported ?? [],
    reference: label?.reference ?? null,
    metadata: label?.metadata ?? null,
    resources: connectionId ? describeResources(dependencies, row) : [],
  };
}

/** Calls the function `token_state`, which reads tables of several rooms. */
async function findRow(pool: Pool, tokenId: TokenId): Promise<StateRow | undefined> {
  return await queryRow<StateRow>(pool, {
    name: "token-state",
    text: `select client_id as "clientId", provider, mode, scopes, created_at as "createdAt",
         disconnected_at as "disconnectedAt", code_digest as "codeDigest", grant_mac as "grantMac",
         connection_id as "connectionId", signed_in_at as "signedInAt", auth_failure as "authFailure",
         auth_failed_at as "authFailedAt", rights, unsupported, next_poll_at as "nextPollAt", resources, polled
       from token_state($1)`,
    values: [tokenId],
  });
}

/** A token that was disconnected gives access to nothing, and is told as it is stored. */
function isBound({ keyring, log }: StateDependencies, tokenId: TokenId, row: StateRow): boolean {
  const { connectionId, codeDigest, grantMac, clientId, provider, mode, scopes } = row;
  if (connectionId === null) return true;
  const grant = { tokenId, clientId, provider, mode, scopes, connectionId };
  if (isGrantBound(keyring, { codeDigest, grantMac }, grant)) return true;
  log.error(
    { tokenId },
    "what a token gives access to was changed in the database by somebody else; the token is not shown",
  );
  return false;
}

function describeStatus(row: StateRow): Pick<TokenState, "status" | "since" | "reason"> {
  const { createdAt, disconnectedAt, signedInAt, authFailure, authFailedAt } = row;
  if (disconnectedAt)
    return { status: "disconnected", since: disconnectedAt.toISOString(), reason: null };
  if (authFailure) {
    const since = authFailedAt?.toISOString() ?? null;
    return { status: "reauthentication_required", since, reason: authFailure };
  }
  // The first sign-in comes before the exchange.
  const since = signedInAt && signedInAt > createdAt ? signedInAt : createdAt;
  return { status: "active", since: since.toISOString(), reason: null };
}

function describeResources(
  { registry }: StateDependencies,
  { scopes, resources, nextPollAt, polled, provider }: StateRow,
): TokenState["resources"] {
  const found = new Map(resources.map((each) => [each.resource, each]));
  const pace = registry.secondsPerPolledRequest(provider);
  const pollingOf = (resource: Resource): Polling | undefined =>
    polled.includes(resource)
      ? { nextPollAt, secondsPerRequest: resource === "employees" ? 0 : pace }
      : undefined;
  return resourcesOfScopes(scopes).map((resource) =>
    describeResource(resource, found.get(resource), pollingOf(resource)),
  );
}

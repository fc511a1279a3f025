import type { Clients, Client } from "../clients/index.ts";
import type { Scope, TokenId } from "../model/index.ts";
import type { Keyring } from "../platform/crypto/index.ts";
import type { Pool } from "../platform/db/index.ts";
import type { Tokens } from "../tokens/index.ts";
import type { Flow } from "./flow.ts";
import { flowSecrets, openFlowKey } from "./flow-secrets.ts";
import { findFlow, type FlowSource } from "./find-flow.ts";
import { advanceFlow } from "./flow-store.ts";
import { endUnusedSignIn, type EndUnusedSignInDependencies } from "./end-unused-sign-in.ts";

export interface AccessesDependencies extends FlowSource, EndUnusedSignInDependencies {
  pool: Pool;
  keyring: Keyring;
  clients: Clients;
  tokens: Tokens;
}

/** One application's access to the account. */
export interface Access {
  tokenId: TokenId;
  client: Client;
  scopes: readonly Scope[];
  createdAt: Date;
}

/** For so long the browser that signed in may see the accesses, and end them. */
const accessesLifetimeSeconds = 10 * 60;

/** Keeps only the account of the sign-in, and ends its session at the provider. Returns the changed flow. */
export async function settleAccesses(
  dependencies: AccessesDependencies,
  flow: Flow,
): Promise<Flow | undefined> {
  const { pool, keyring } = dependencies;
  const key = openFlowKey(keyring, flow);
  const signIn = flowSecrets.signIn.open(key, flow);
  const { id, provider } = flow;
  if (!signIn || provider === null) throw new Error("the flow is not signed in");
  const { origin, account = [] } = signIn;
  const settled = await advanceFlow(pool, flow, {
    phase: "finished",
    signIn: null,
    prefill: null,
    challenge: null,
    account: flowSecrets.account.seal(key, flow, { provider, origin, account }),
    isEnd: true,
    expiresInSeconds: accessesLifetimeSeconds,
  });
  if (!settled) return await findFlow(dependencies, id);
  endUnusedSignIn(dependencies, flow, { ...signIn, account });
  return settled;
}

/** The accesses to the account that the flow has signed in to; none before the sign-in. */
export async function listAccesses(
  { keyring, clients, connections }: AccessesDependencies,
  flow: Flow,
): Promise<Access[]> {
  const account = flowSecrets.account.open(openFlowKey(keyring, flow), flow);
  if (flow.purpose !== "accesses" || flow.phase !== "finished") return [];
  if (!account || account.account.length === 0) return [];
  const found = await connections.listOfAccount(account);
  const accesses = await Promise.all(
    found.map(async ({ clientId, tokenId, scopes, createdAt }) => {
      const client = await clients.find(clientId);
      return client && { tokenId, client, scopes, createdAt };
    }),
  );
  return accesses.filter((access) => access !== undefined);
}

/** False when the token gives no access to the account that the flow has signed in to. */
export async function endAccess(
  dependencies: AccessesDependencies,
  flow: Flow,
  tokenId: string,
): Promise<boolean> {
  const accesses = await listAccesses(dependencies, flow);
  if (!accesses.some((access) => access.tokenId === tokenId)) return false;
  await dependencies.tokens.disconnect({ tokenId, isSharedSandbox: false }, "end-user");
  return true;
}

/** From now on the browser sees nothing of the account. */
export async function closeAccesses(
  dependencies: FlowSource & Pick<AccessesDependencies, "pool">,
  flow: Flow,
): Promise<void> {
  const { pool } = dependencies;
  const closed = await advanceFlow(pool, flow, {
    phase: "declined",
    submission: null,
    prefill: null,
    challenge: null,
    signIn: null,
    account: null,
    isEnd: true,
  });
  if (closed) return;
  const current = await findFlow(dependencies, flow.id);
  if (current && current.step !== flow.step) await closeAccesses(dependencies, current);
}

import type { Client } from "../clients/index.ts";
import type { Mode, Scope, TokenId } from "../model/index.ts";
import { transaction } from "../platform/db/index.ts";
import type { FormField, FormValues } from "../providers/index.ts";
import { listSettings } from "./asked-fields.ts";
import type { Flow } from "./flow.ts";
import { flowSecrets, openFlowKey } from "./flow-secrets.ts";
import { findFlow, type FlowSource } from "./find-flow.ts";
import { advanceFlow } from "./flow-store.ts";
import { checkForm, pickValues } from "./submit-form.ts";
import { endUnusedSignIn } from "./end-unused-sign-in.ts";
import type { Needs } from "./services.ts";

type AccessesNeeds = FlowSource &
  Needs<"registry" | "connections" | "logOuts" | "connect" | "clients" | "tokens">;

/** One application's access to the account. */
export interface Access {
  tokenId: TokenId;
  client: Client;
  mode: Mode;
  scopes: readonly Scope[];
  /** What its end user may change. */
  settings: readonly FormField[];
  createdAt: Date;
}

/** For so long the browser that signed in may see the accesses, and end them. */
const accessesLifetimeSeconds = 10 * 60;

/** Keeps only the account of the sign-in, and ends its session at the provider. Returns the changed flow. */
export async function settleAccesses(
  dependencies: AccessesNeeds,
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
  { keyring, clients, connections, registry }: AccessesNeeds,
  flow: Flow,
): Promise<Access[]> {
  const account = flowSecrets.account.open(openFlowKey(keyring, flow), flow);
  if (flow.purpose !== "accesses" || flow.phase !== "finished") return [];
  if (!account || account.account.length === 0) return [];
  const found = await connections.listOfAccount(account);
  const accesses = await Promise.all(
    found.map(async ({ clientId, tokenId, provider, mode, scopes, createdAt }) => {
      const client = await clients.find(clientId);
      const fields = registry.findMode(provider, mode)?.fields ?? [];
      const settings = listSettings(fields, scopes);
      return client && { tokenId, client, mode, scopes, settings, createdAt };
    }),
  );
  return accesses.filter((access) => access !== undefined);
}

/** False when the token gives no access to the account that the flow has signed in to. */
export async function endAccess(
  dependencies: AccessesNeeds,
  flow: Flow,
  tokenId: string,
): Promise<boolean> {
  const accesses = await listAccesses(dependencies, flow);
  if (!accesses.some((access) => access.tokenId === tokenId)) return false;
  await dependencies.tokens.disconnect({ tokenId, isSharedSandbox: false }, "end_user");
  return true;
}

/** The settings of an access as they are. */
export async function readSettingsOf(
  { connections }: Needs<"connections">,
  { tokenId, settings }: Access,
): Promise<Record<string, string>> {
  const connection = await connections.loadByToken(tokenId);
  return pickValues(settings, connection?.settings ?? {});
}

/**
 * Stores the settings of an access, which count from the next read on. Without a sign-in: the account was signed in to
 * before it was listed. False when the token gives no access to the account, or the form refuses a value.
 */
export async function changeSettings(
  dependencies: AccessesNeeds,
  flow: Flow,
  tokenId: string,
  posted: FormValues,
): Promise<boolean> {
  const { pool, keyring, connections } = dependencies;
  const accesses = await listAccesses(dependencies, flow);
  const access = accesses.find((each) => each.tokenId === tokenId);
  if (!access || access.settings.length === 0) return false;
  const { mode, settings } = access;
  const formValues = pickValues(settings, posted);
  const only = new Set(settings.map(({ name }) => name));
  const checked = await checkForm(dependencies, { ...flow, mode }, formValues, { only });
  const isRefused = "refusal" in checked;
  const told = isRefused &&
    checked.explanation !== undefined && { explanation: checked.explanation };
  const prefill = { formValues, tokenId, ...told };
  await advanceFlow(pool, flow, {
    phase: "finished",
    refusal: isRefused ? checked.refusal : null,
    prefill: isRefused ? flowSecrets.prefill.seal(openFlowKey(keyring, flow), flow, prefill) : null,
  });
  if (isRefused) return false;
  return await transaction(pool, async (tx) => {
    await connections.lockForSignIn(tx, tokenId);
    const connection = await connections.loadByToken(tokenId, tx);
    if (connection)
      await connections.settings.change(tx, connection, { names: [...only], values: formValues });
    return connection !== undefined;
  });
}

import { v7 as uuidv7 } from "uuid";
import type { ClientId, TokenId } from "../model/index.ts";
import { addSeconds, type Clock } from "../platform/clock.ts";
import { sha256, type Keyring } from "../platform/crypto/index.ts";
import type { Pool } from "../platform/db/index.ts";
import type { ProviderRegistry } from "../providers/index.ts";
import { flowLifetimeSeconds } from "./flow.ts";
import { createFlowKey, flowSecrets } from "./flow-secrets.ts";
import { insertFlow } from "./flow-store.ts";
import type { Link } from "./link.ts";
import { listOfferedProviders } from "./offered-providers.ts";

export interface CreateFlowDependencies {
  pool: Pool;
  clock: Clock;
  keyring: Keyring;
  registry: ProviderRegistry;
}

/** What the client asks for, and where it wants its end user back. */
export interface FlowRequest {
  clientId: ClientId;
  link: Link;
  redirectUri: string;
  /** As in the link, still encoded. */
  rawState: string | undefined;
}

/** The browser that came with the client's own link, or the one-time link that a browser will claim. */
export type FlowOrigin =
  | { kind: "browser"; browser: string }
  | {
      kind: "one-time-link";
      credential: string;
      lifetimeSeconds: number;
      /** The token to re-authenticate. */
      tokenId: TokenId | null;
    };

/** The choice of a provider is skipped when the link names one or offers only one. */
export async function createFlow(
  { pool, clock, keyring, registry }: CreateFlowDependencies,
  { clientId, link, redirectUri, rawState }: FlowRequest,
  origin: FlowOrigin,
): Promise<{ id: string; expiresAt: Date }> {
  const now = clock.now();
  const id = uuidv7({ msecs: now.getTime() });
  const { dataKey, wrapped } = createFlowKey(keyring, id);
  const provider = link.provider ?? findOnlyProvider(registry, link);
  const isOneTime = origin.kind === "one-time-link";
  const expiresAt = addSeconds(now, isOneTime ? origin.lifetimeSeconds : flowLifetimeSeconds);
  await insertFlow(pool, {
    id,
    clientId,
    tokenId: isOneTime ? origin.tokenId : null,
    browserDigest: isOneTime ? null : sha256(origin.browser),
    linkDigest: isOneTime ? sha256(origin.credential) : null,
    mode: link.mode,
    scopes: link.scopes,
    redirectUri,
    codeChallenge: link.codeChallenge,
    tags: link.tags,
    isSandbox: link.isSandbox,
    provider: provider ?? null,
    isProviderFixed: provider !== undefined,
    locale: link.locale,
    phase: provider === undefined ? "choosing" : "form",
    wrappedKey: wrapped,
    sealedState: rawState === undefined ? null : flowSecrets.state.seal(dataKey, id, rawState),
    createdAt: now,
    expiresAt,
  });
  return { id, expiresAt };
}

function findOnlyProvider(registry: ProviderRegistry, link: Link): string | undefined {
  const [only, ...others] = listOfferedProviders(registry, link);
  return others.length === 0 ? only?.name : undefined;
}

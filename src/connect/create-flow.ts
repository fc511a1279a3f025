import type { Label } from "../connections/index.ts";
import type { ClientId, TokenId } from "../model/index.ts";
import { sha256 } from "../platform/crypto/index.ts";
import type { ProviderRegistry, Settings } from "../providers/index.ts";
import { flowLifetimeSeconds, type Flow } from "./flow.ts";
import { createFlowKey, sealState } from "./flow-secrets.ts";
import type { NewFlow } from "./flow-store.ts";
import { sealTerms } from "./flow-terms.ts";
import type { Link } from "./link.ts";
import { listOfferedProviders } from "./offered-providers.ts";
import type { Needs } from "./services.ts";

/** What the client asks for, and where it wants its end user back. */
export interface FlowRequest {
  clientId: ClientId;
  link: Link;
  redirectUri: string;
  /** As in the link, still encoded. */
  rawState: string | undefined;
}

/** The browser that opened the client's own link, or the one-time link that a browser will claim. */
export type FlowOpening =
  | { kind: "browser"; browser: string }
  | {
      kind: "one-time-link";
      credential: string;
      lifetimeSeconds: number;
      /** The token to re-authenticate. */
      tokenId: TokenId | null;
      mayChangeAccount: boolean;
      label: Label | null;
      settings: Settings | null;
      allowsHandover: boolean;
    };

export function createFlow(
  { keyring, boundSince, registry }: Needs<"keyring" | "boundSince" | "registry">,
  { clientId, link, redirectUri, rawState }: FlowRequest,
  { id, opening }: { id: string; opening: FlowOpening },
): Omit<NewFlow, "opener"> {
  const { dataKey, wrapped } = createFlowKey(keyring, id);
  const isOneTime = opening.kind === "one-time-link";
  const lifetimeSeconds = isOneTime ? opening.lifetimeSeconds : flowLifetimeSeconds;
  const { phase, ...chosen } = findFirstStep(registry, link);
  const terms = {
    purpose: "connection" as const,
    clientId,
    tokenId: isOneTime ? opening.tokenId : null,
    browserDigest: isOneTime ? null : sha256(opening.browser),
    linkDigest: isOneTime ? sha256(opening.credential) : null,
    mode: link.mode,
    scopes: link.scopes,
    redirectUri,
    codeChallenge: link.codeChallenge,
    tags: link.tags,
    isSandbox: link.isSandbox,
    ...chosen,
    mayChangeAccount: isOneTime && opening.mayChangeAccount,
    isSealedToBrowser: boundSince.requires("connect_flows"),
    label: isOneTime ? opening.label : null,
    settings: isOneTime ? opening.settings : null,
    allowsHandover: isOneTime && opening.allowsHandover,
  };
  return {
    ...terms,
    id,
    locale: link.locale,
    phase,
    wrappedKey: wrapped,
    sealedState: rawState === undefined ? null : sealState(dataKey, id, rawState),
    sealedTerms: sealTerms(dataKey, id, terms),
    lifetimeSeconds,
  };
}

/** The choice of a provider is skipped when the link names one or offers only one. */
export function findFirstStep(
  registry: ProviderRegistry,
  link: Link,
): Pick<Flow, "provider" | "isProviderFixed" | "phase"> {
  const provider = link.provider ?? findOnlyProvider(registry, link);
  return provider === undefined
    ? { provider: null, isProviderFixed: false, phase: "choosing" }
    : { provider, isProviderFixed: true, phase: "form" };
}

function findOnlyProvider(registry: ProviderRegistry, link: Link): string | undefined {
  const [only, ...others] = listOfferedProviders(registry, link);
  return others.length === 0 ? only?.name : undefined;
}

import type { ClientId } from "../model/index.ts";
import type { ProviderRegistry } from "../providers/index.ts";
import { flowLifetimeSeconds, type Flow } from "./flow.ts";
import { flowKey, sealState } from "./flow-secrets.ts";
import type { NewFlow } from "./flow-store.ts";
import { sealTerms, type FlowTerms } from "./flow-terms.ts";
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

/** Terms that most flows have. */
const usualTerms = {
  purpose: "connection",
  tokenId: null,
  linkDigest: null,
  browserDigest: null,
  mayChangeAccount: false,
  label: null,
  settings: null,
  allowsHandover: false,
} as const;

/** A flow that is to be made. */
export type FlowDraft = Omit<FlowTerms, keyof typeof usualTerms | "isSealedToBrowser"> &
  Partial<FlowTerms> &
  Pick<Flow, "id" | "locale" | "phase"> &
  Partial<Pick<FlowRequest, "rawState">> & { lifetimeSeconds?: number };

export function createFlow(
  { keyring, boundSince }: Needs<"keyring" | "boundSince">,
  { rawState, lifetimeSeconds = flowLifetimeSeconds, ...draft }: FlowDraft,
): Omit<NewFlow, "opener"> {
  const { id } = draft;
  const { dataKey, wrapped } = flowKey.create(keyring, { flowId: id });
  const isSealedToBrowser = boundSince.requires("connect_flows");
  const flow = { ...usualTerms, isSealedToBrowser, ...draft };
  return {
    ...flow,
    wrappedKey: wrapped,
    sealedState: rawState === undefined ? null : sealState(dataKey, id, rawState),
    sealedTerms: sealTerms(dataKey, id, flow),
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

import type { Keyring } from "../platform/crypto/index.ts";
import type { Flow } from "./flow.ts";
import { openFlowKey } from "./flow-secrets.ts";
import { advanceFlow, type FlowChange } from "./flow-store.ts";
import { changeTerms } from "./flow-terms.ts";
import { listOfferedProviders } from "./offered-providers.ts";
import type { Needs } from "./services.ts";

/** Ignores a provider that the link does not offer. */
export async function chooseProvider(
  { pool, keyring, registry }: Needs<"pool" | "keyring" | "registry">,
  flow: Flow,
  provider: string,
): Promise<void> {
  const isOffered = listOfferedProviders(registry, flow).some(({ name }) => name === provider);
  if (isOffered)
    await advanceFlow(pool, flow, { phase: "form", ...choose(keyring, flow, provider) });
}

/** From the form back to the choice, unless the link leaves none. */
export async function returnToChoice(
  { pool, keyring }: Needs<"pool" | "keyring">,
  flow: Flow,
): Promise<void> {
  if (flow.isProviderFixed) return;
  await advanceFlow(pool, flow, { phase: "choosing", ...choose(keyring, flow, null) });
}

/** Nothing is kept of the form of another provider. */
function choose(keyring: Keyring, flow: Flow, provider: string | null): Omit<FlowChange, "phase"> {
  return {
    terms: changeTerms(openFlowKey(keyring, flow), flow, { provider }),
    refusal: null,
    prefill: null,
    challenge: null,
  };
}

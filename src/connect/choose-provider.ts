import type { Pool } from "../platform/db/index.ts";
import type { ProviderRegistry } from "../providers/index.ts";
import type { Flow } from "./flow.ts";
import { advanceFlow } from "./flow-store.ts";
import { listOfferedProviders } from "./offered-providers.ts";

/** Ignores a provider that the link does not offer. */
export async function chooseProvider(
  { pool, registry }: { pool: Pool; registry: ProviderRegistry },
  flow: Flow,
  provider: string,
): Promise<void> {
  const isOffered = listOfferedProviders(registry, flow).some(({ name }) => name === provider);
  if (isOffered) await advanceFlow(pool, flow, { phase: "form", provider, refusal: null });
}

/** From the form back to the choice, unless the link leaves none. */
export async function returnToChoice({ pool }: { pool: Pool }, flow: Flow): Promise<void> {
  if (flow.isProviderFixed) return;
  await advanceFlow(pool, flow, {
    phase: "choosing",
    provider: null,
    refusal: null,
    prefill: null,
    challenge: null,
  });
}

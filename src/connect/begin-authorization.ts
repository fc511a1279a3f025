import { isProviderFailure, type FormValues } from "../providers/index.ts";
import type { DataKey } from "../platform/crypto/index.ts";
import type { Flow } from "./flow.ts";
import { flowSecrets, type Prefill } from "./flow-secrets.ts";
import { advanceFlow, type FlowChange } from "./flow-store.ts";
import { makePendingAuthorization, type PendingAuthorization } from "./pending-authorization.ts";
import type { Needs } from "./services.ts";

/** A form whose values were accepted. */
interface CheckedForm {
  key: DataKey;
  formValues: FormValues;
  prefill: Prefill;
  shareKeys: NonNullable<FlowChange["shareKeys"]>;
}

/**
 * Returns the address of the provider's own page, for the redirect. Undefined when the form is shown again or was sent
 * before.
 */
export async function beginAuthorization(
  {
    pool,
    log,
    issuer,
    applications,
    connect,
  }: Needs<"pool" | "log" | "issuer" | "applications" | "connect">,
  flow: Flow,
  { key, formValues, prefill, shareKeys }: CheckedForm,
): Promise<string | undefined> {
  const { id: flowId, mode, scopes } = flow;
  const provider = flow.provider ?? "";
  const application = applications[provider];
  if (!application) throw new Error(`the configuration has no application for ${provider}`);
  const made = await tryToMake(async () => {
    const page = await connect.findApprovalPage({ provider, mode, formValues }, scopes);
    return makePendingAuthorization(page, application, { flowId, formValues, issuer });
  });
  if ("pending" in made) {
    const { pending } = made;
    const advanced = await advanceFlow(pool, flow, {
      phase: "challenged",
      refusal: null,
      prefill: flowSecrets.prefill.seal(key, flow, prefill),
      challenge: flowSecrets.challenge.seal(key, flow, pending),
      shareKeys,
    });
    return advanced && pending.address;
  }
  const { error } = made;
  const refused = isProviderFailure(error) && error.kind === "field" ? error : undefined;
  if (!refused)
    log.warn({ err: error, flowId, provider }, "a sign-in failed; its form is shown again");
  const shown = refused ? { ...prefill, explanation: refused.explanation } : prefill;
  await advanceFlow(pool, flow, {
    phase: "form",
    refusal: refused ? { kind: "field", field: refused.field } : { kind: "broken" },
    prefill: flowSecrets.prefill.seal(key, flow, shown),
  });
  return undefined;
}

/** The adapter's part of it may throw anything. */
async function tryToMake(
  make: () => Promise<PendingAuthorization>,
): Promise<{ pending: PendingAuthorization } | { error: unknown }> {
  try {
    return { pending: await make() };
  } catch (error) {
    return { error };
  }
}

import type { FormValues } from "../providers/index.ts";
import { beginSignIn } from "./begin-sign-in.ts";
import { findPreviousPrefill } from "./find-prefill.ts";
import type { Flow } from "./flow.ts";
import { flowSecrets, openFlowKey } from "./flow-secrets.ts";
import { advanceFlow } from "./flow-store.ts";
import { makeShareKeys } from "./share-keys.ts";
import { checkForm, pickValues, type SubmitFormNeeds, type SubmittedFrom } from "./submit-form.ts";
import type { Needs } from "./services.ts";

/**
 * Has a worker look what is at the address that was typed, before anything else of the form is asked for. What the
 * form showed besides stays for its next page.
 */
export async function submitAddress(
  dependencies: SubmitFormNeeds,
  flow: Flow,
  posted: FormValues,
  from: Pick<SubmittedFrom, "network" | "site">,
): Promise<void> {
  const { pool, keyring, registry, signInThrottle, connect } = dependencies;
  const mode = registry.findMode(flow.provider ?? "", flow.mode);
  const field = mode?.origin?.isProbed ? mode.origin.field : undefined;
  if (!mode || field === undefined) return;
  const key = openFlowKey(keyring, flow);
  const kept =
    flowSecrets.prefill.open(key, flow) ?? (await findPreviousPrefill({ connect }, flow));
  const own = mode.fields.filter(({ name }) => name === field);
  const typed = pickValues(own, posted);
  const typedAddress = typed[field] ?? "";
  const prefill = { formValues: { ...kept?.formValues, [field]: typedAddress } };
  const refused = await checkForm(dependencies, flow, typed, { only: new Set([field]) });
  if ("refusal" in refused) {
    const { refusal, ...told } = refused;
    await advanceFlow(pool, flow, {
      phase: "form",
      refusal,
      prefill: flowSecrets.prefill.seal(key, flow, { ...prefill, ...told }),
    });
    return;
  }
  const attempt = signInThrottle.identifyProbe(from.site, typedAddress);
  await beginSignIn(dependencies, flow, {
    submission: flowSecrets.submission.seal(key, flow, { typedAddress }),
    prefill: flowSecrets.prefill.seal(key, flow, { ...prefill, attempt }),
    challenge: null,
    shareKeys: makeShareKeys(keyring, own, typed, from.network),
  });
}

/** From the credentials back to the address. What was typed stays, but for secrets. */
export async function returnToAddress(
  { pool, keyring, registry }: Needs<"pool" | "keyring" | "registry">,
  flow: Flow,
  posted: FormValues,
): Promise<void> {
  const mode = registry.findMode(flow.provider ?? "", flow.mode);
  if (!mode?.origin) return;
  const key = openFlowKey(keyring, flow);
  const address = flowSecrets.prefill.open(key, flow)?.formValues[mode.origin.field] ?? "";
  const shown = mode.fields.filter(({ isSecret }) => !isSecret);
  await advanceFlow(pool, flow, {
    phase: "form",
    refusal: null,
    prefill: flowSecrets.prefill.seal(key, flow, {
      formValues: { [mode.origin.field]: address, ...pickValues(shown, posted) },
    }),
  });
}

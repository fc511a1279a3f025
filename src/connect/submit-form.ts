import type { z } from "zod";
import type { Keyring } from "../platform/crypto/index.ts";
import {
  listFormFields,
  type FormField,
  type FormValues,
  type ProviderRegistry,
} from "../providers/index.ts";
import { nameAccount } from "./attempt-account.ts";
import { beginSignIn, type BeginSignInDependencies } from "./begin-sign-in.ts";
import type { Flow } from "./flow.ts";
import { flowSecrets, openFlowKey, type Prefill } from "./flow-secrets.ts";
import { advanceFlow } from "./flow-store.ts";
import { makeShareKeys } from "./share-keys.ts";
import type { SignInThrottle } from "./sign-in-throttle.ts";

export interface SubmitFormDependencies extends BeginSignInDependencies {
  keyring: Keyring;
  registry: ProviderRegistry;
  signInThrottle: SignInThrottle;
}

/** Begins the sign-in, or shows the form again with the field that it refuses. */
export async function submitForm(
  dependencies: SubmitFormDependencies,
  flow: Flow,
  posted: FormValues,
  { address, network }: { address: string; network: string },
): Promise<void> {
  const { pool, keyring, registry, signInThrottle } = dependencies;
  const provider = flow.provider ?? "";
  const mode = registry.findMode(provider, flow.mode);
  if (!mode) return;
  const { form } = mode;
  const fields = listFormFields(form);
  const formValues = pickValues(fields, posted);
  const shownFields = fields.filter(({ isSecret }) => !isSecret);
  const prefill: Prefill = { formValues: pickValues(shownFields, posted) };
  const key = openFlowKey(keyring, flow);

  const parsed = form.safeParse(formValues);
  if (parsed.success) {
    const account = nameAccount(mode, formValues);
    if (account) prefill.attempt = signInThrottle.identify(provider, account, address);
    await beginSignIn(dependencies, flow, {
      submission: flowSecrets.submission.seal(key, flow.id, { formValues }),
      prefill: flowSecrets.prefill.seal(key, flow.id, prefill),
      challenge: null,
      shareKeys: makeShareKeys(keyring, fields, formValues, network),
    });
    return;
  }
  const { field, explanation } = describeIssue(parsed.error, formValues);
  await advanceFlow(pool, flow, {
    phase: "form",
    refusal: { kind: "field", field },
    prefill: flowSecrets.prefill.seal(key, flow.id, { ...prefill, explanation }),
  });
}

/** Leaves out empty values, and values that are not of these fields. */
function pickValues(fields: readonly FormField[], posted: FormValues): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap(({ name }) => {
      const value = posted[name];
      return value === undefined || value === "" ? [] : [[name, value]];
    }),
  );
}

function describeIssue(
  { issues: [issue] }: z.ZodError,
  formValues: FormValues,
): { field: string; explanation: string } {
  const field = String(issue?.path[0] ?? "");
  const isEmpty = formValues[field] === undefined;
  return { field, explanation: isEmpty ? "Please fill in this field." : (issue?.message ?? "") };
}

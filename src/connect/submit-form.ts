import type { z } from "zod";
import type { Keyring } from "../platform/crypto/index.ts";
import {
  listFormFields,
  type FormField,
  type FormValues,
  type ProviderRegistry,
} from "../providers/index.ts";
import { nameAccount } from "./attempt-account.ts";
import { beginAuthorization, type BeginAuthorizationDependencies } from "./begin-authorization.ts";
import { beginSignIn, type BeginSignInDependencies } from "./begin-sign-in.ts";
import type { Flow } from "./flow.ts";
import { flowSecrets, openFlowKey, type Prefill } from "./flow-secrets.ts";
import { advanceFlow } from "./flow-store.ts";
import { makeShareKeys } from "./share-keys.ts";
import type { SignInThrottle } from "./sign-in-throttle.ts";

export interface SubmitFormDependencies
  extends BeginSignInDependencies, BeginAuthorizationDependencies {
  keyring: Keyring;
  registry: ProviderRegistry;
  signInThrottle: SignInThrottle;
}

/** Where a form came from. */
export interface SubmittedFrom {
  address: string;
  /** That shares of work count by. */
  network: string;
  /** That is known by its successes. */
  site: string;
  /** The mark of the browser. */
  browser: string | undefined;
}

/**
 * Begins the sign-in, or shows the form again with the field that it refuses. Returns the address of the provider's own
 * page when the person signs in there.
 */
export async function submitForm(
  dependencies: SubmitFormDependencies,
  flow: Flow,
  posted: FormValues,
  from: SubmittedFrom,
): Promise<string | undefined> {
  const { pool, keyring, registry, signInThrottle } = dependencies;
  const provider = flow.provider ?? "";
  const mode = registry.findMode(provider, flow.mode);
  if (!mode) return undefined;
  const { form } = mode;
  const fields = listFormFields(form);
  const formValues = pickValues(fields, posted);
  const shownFields = fields.filter(({ isSecret }) => !isSecret);
  const prefill: Prefill = { formValues: pickValues(shownFields, posted) };
  const key = openFlowKey(keyring, flow);

  const parsed = form.safeParse(formValues);
  if (parsed.success) {
    const shareKeys = makeShareKeys(keyring, fields, formValues, from.network);
    if (mode.oauth2)
      return await beginAuthorization(dependencies, flow, mode.oauth2, {
        key,
        formValues,
        prefill,
        shareKeys,
      });
    const account = nameAccount(mode, formValues);
    if (account)
      prefill.attempt = signInThrottle.identify(provider, account, {
        ...from,
        network: from.site,
      });
    await beginSignIn(dependencies, flow, {
      submission: flowSecrets.submission.seal(key, flow.id, { formValues }),
      prefill: flowSecrets.prefill.seal(key, flow.id, prefill),
      challenge: null,
      shareKeys,
    });
    return undefined;
  }
  const { field, explanation } = describeIssue(parsed.error, formValues);
  await advanceFlow(pool, flow, {
    phase: "form",
    refusal: { kind: "field", field },
    prefill: flowSecrets.prefill.seal(key, flow.id, { ...prefill, explanation }),
  });
  return undefined;
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

import type { Keyring } from "../platform/crypto/index.ts";
import type { FormCheck, FormField, FormValues, ProviderRegistry } from "../providers/index.ts";
import type { AcceptedForm } from "./account-of-sign-in.ts";
import { nameAccount } from "./attempt-account.ts";
import { beginAuthorization, type BeginAuthorizationDependencies } from "./begin-authorization.ts";
import { beginSignIn, type BeginSignInDependencies } from "./begin-sign-in.ts";
import type { Flow, Refusal } from "./flow.ts";
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
  /** The network that shares of work count by. */
  network: string;
  /** The networks that are known at an account after a sign-in. */
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
  const { fields } = mode;
  const formValues = pickValues(fields, posted);
  const shownFields = fields.filter(({ isSecret }) => !isSecret);
  const prefill: Prefill = { formValues: pickValues(shownFields, posted) };
  const key = openFlowKey(keyring, flow);

  const checked = await checkForm(dependencies, flow, formValues);
  if ("refusal" in checked) {
    const { refusal, explanation } = checked;
    await advanceFlow(pool, flow, {
      phase: "form",
      refusal,
      prefill: flowSecrets.prefill.seal(key, flow, {
        ...prefill,
        ...(explanation !== undefined && { explanation }),
      }),
    });
    return undefined;
  }
  const shareKeys = makeShareKeys(keyring, fields, formValues, from.network);
  if (mode.isElsewhere)
    return await beginAuthorization(dependencies, flow, { key, formValues, prefill, shareKeys });
  const account = nameAccount(mode, checked);
  if (account)
    prefill.attempt = signInThrottle.identify(provider, account, {
      ...from,
      // A whole /48 or /24 is known at an account, not one of its networks.
      network: from.site,
      isOfLink: await isLinkFor(dependencies, flow, checked),
    });
  await beginSignIn(dependencies, flow, {
    submission: flowSecrets.submission.seal(key, flow, { formValues }),
    prefill: flowSecrets.prefill.seal(key, flow, prefill),
    challenge: null,
    shareKeys,
  });
  return undefined;
}

/**
 * Whether the one-time link was made for this account. One to sign in again is for the account of its token, unless
 * another one may take its place.
 */
async function isLinkFor(
  { connect }: SubmitFormDependencies,
  { linkDigest, tokenId, mayChangeAccount }: Flow,
  accepted: AcceptedForm,
): Promise<boolean> {
  if (!linkDigest) return false;
  return tokenId === null || mayChangeAccount || (await connect.isAccountOf(tokenId, accepted));
}

interface Refused {
  refusal: Refusal;
  explanation?: string;
}

/** The provider's own code looks at the form. When it fails, the form is shown again. */
async function checkForm(
  { connect, log }: SubmitFormDependencies,
  { id: flowId, provider, mode }: Flow,
  formValues: FormValues,
): Promise<AcceptedForm | Refused> {
  try {
    const checked = await connect.checkForm({ provider: provider ?? "", mode, formValues });
    return "problems" in checked ? describeProblem(checked, formValues) : checked;
  } catch (error) {
    log.warn({ err: error, flowId, provider }, "a form was not checked; it is shown again");
    return { refusal: { kind: "broken" } };
  }
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

function describeProblem(
  { problems: [problem] }: Extract<FormCheck, { problems: unknown }>,
  formValues: FormValues,
): Refused {
  const field = problem?.field ?? "";
  const isEmpty = formValues[field] === undefined;
  return {
    refusal: { kind: "field", field },
    explanation: isEmpty ? "Please fill in this field." : (problem?.message ?? ""),
  };
}

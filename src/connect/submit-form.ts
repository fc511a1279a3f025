import type { DeclaredMode, FormField, FormValues } from "../providers/index.ts";
import { listAskedFields } from "./asked-fields.ts";
import type { AcceptedForm } from "./account-of-sign-in.ts";
import { nameAccount } from "./attempt-account.ts";
import { beginAuthorization } from "./begin-authorization.ts";
import { beginSignIn } from "./begin-sign-in.ts";
import type { Flow, Refusal } from "./flow.ts";
import { flowSecrets, openFlowKey, type Prefill } from "./flow-secrets.ts";
import { advanceFlow } from "./flow-store.ts";
import { makeShareKeys } from "./share-keys.ts";
import type { Needs } from "./services.ts";

export type SubmitFormNeeds = Needs<
  | "pool"
  | "queue"
  | "log"
  | "issuer"
  | "connect"
  | "applications"
  | "keyring"
  | "registry"
  | "signInThrottle"
>;

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
  dependencies: SubmitFormNeeds,
  flow: Flow,
  posted: FormValues,
  from: SubmittedFrom,
): Promise<string | undefined> {
  const { pool, keyring, registry, signInThrottle } = dependencies;
  const provider = flow.provider ?? "";
  const mode = registry.findMode(provider, flow.mode);
  if (!mode) return undefined;
  const fields = listAskedFields(mode.fields, flow);
  const key = openFlowKey(keyring, flow);
  const found = findAddress(mode, flowSecrets.prefill.open(key, flow), posted);
  const typed = pickValues(fields, { ...posted, ...found?.formValues });
  const shownFields = fields.filter(({ isSecret }) => !isSecret);
  const prefill: Prefill = { ...found, formValues: pickValues(shownFields, typed) };
  const formValues = { ...typed, ...flow.settings };

  const checked = await checkForm(dependencies, flow, formValues);
  if ("refusal" in checked) {
    const { refusal, ...told } = checked;
    await advanceFlow(pool, flow, {
      phase: "form",
      refusal,
      prefill: flowSecrets.prefill.seal(key, flow, { ...prefill, ...told }),
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
      ...(mode.origin?.isProbed && { typedAddress: formValues[mode.origin.field] ?? "" }),
    });
  await beginSignIn(dependencies, flow, {
    submission: flowSecrets.submission.seal(key, flow, { formValues }),
    prefill: flowSecrets.prefill.seal(key, flow, prefill),
    challenge: null,
    shareKeys,
  });
  return undefined;
}

/** The address that a page before this form found a system at. Undefined for a form that has the address itself. */
function findAddress(
  { origin }: Pick<DeclaredMode, "origin">,
  prefill: Prefill | undefined,
  posted: FormValues,
): Pick<Prefill, "formValues" | "found"> | undefined {
  if (!origin?.isProbed || !prefill?.found || posted[origin.field] !== undefined) return undefined;
  const { found, formValues } = prefill;
  return { found, formValues: { [origin.field]: formValues[origin.field] ?? "" } };
}

/**
 * Whether the one-time link was made for this account. One to sign in again is for the account of its token, unless
 * another one may take its place.
 */
async function isLinkFor(
  { connect }: SubmitFormNeeds,
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

/** The provider's own code looks at the form, or at its fields `only`. When it fails, the form is shown again. */
export async function checkForm(
  { connect, log }: Needs<"connect" | "log">,
  { id: flowId, provider, mode }: Pick<Flow, "id" | "provider" | "mode">,
  formValues: FormValues,
  { only }: { only?: ReadonlySet<string> } = {},
): Promise<AcceptedForm | Refused> {
  try {
    const checked = await connect.checkForm({ provider: provider ?? "", mode, formValues });
    if (!("problems" in checked)) return checked;
    const problem = checked.problems.find(({ field }) => only === undefined || only.has(field));
    if (only !== undefined && !problem) return { formValues };
    return describeProblem(problem, formValues);
  } catch (error) {
    log.warn({ err: error, flowId, provider }, "a form was not checked; it is shown again");
    return { refusal: { kind: "broken" } };
  }
}

/** Leaves out empty values, and values that are not of these fields. */
export function pickValues(
  fields: readonly FormField[],
  posted: FormValues,
): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap(({ name }) => {
      const value = posted[name];
      return value === undefined || value === "" ? [] : [[name, value]];
    }),
  );
}

function describeProblem(
  problem: { field: string; message: string } | undefined,
  formValues: FormValues,
): Refused {
  const field = problem?.field ?? "";
  const isEmpty = formValues[field] === undefined;
  return {
    refusal: { kind: "field", field },
    explanation: isEmpty ? "Please fill in this field." : (problem?.message ?? ""),
  };
}

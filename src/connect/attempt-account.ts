import { listFormFields, type FormValues, type ProviderRegistry } from "../providers/index.ts";
import { parseTypedAddress } from "./typed-address.ts";

type ProviderMode = NonNullable<ReturnType<ProviderRegistry["findMode"]>>;

/**
 * The account that somebody tries to sign in to, in one spelling: origin, tenant and login as the adapter names
 * them, or else the values that are neither secret nor a setting. Undefined when there are none.
 */
export function nameAccount(
  mode: ProviderMode,
  formValues: FormValues,
): readonly string[] | undefined {
  const account = nameByAdapter(mode, formValues);
  if (account) return account;
  const named = listFormFields(mode.form).filter(
    ({ isSecret, isSetting }) => !isSecret && !isSetting,
  );
  if (named.length === 0) return undefined;
  return named.map(({ name, isAddress }) => {
    const value = formValues[name] ?? "";
    return isAddress ? canonicalAddress(value) : canonicalText(value);
  });
}

/** Undefined when the adapter cannot. Its mistake ends no sign-in. */
function nameByAdapter(mode: ProviderMode, formValues: FormValues): string[] | undefined {
  try {
    const account = mode.account?.(formValues);
    if (!account) return undefined;
    const { origin = "", tenant = "", login } = account;
    return [canonicalAddress(origin), canonicalText(tenant), canonicalText(login)];
  } catch {
    return undefined;
  }
}

function canonicalText(text: string): string {
  return text.normalize("NFC").trim().toLowerCase();
}

/** Host and port alone: schemes and paths lead to the same accounts. */
function canonicalAddress(typed: string): string {
  const host = parseTypedAddress(typed)?.host;
  return host ? host.replace(/\.(?=:|$)/, "") : canonicalText(typed);
}

import type { DeclaredMode } from "../providers/index.ts";
import type { AcceptedForm } from "./account-of-sign-in.ts";
import { parseTypedAddress } from "./typed-address.ts";

/**
 * The account that somebody tries to sign in to, in one spelling: origin, tenant and login as the adapter names
 * them, or else the values that are neither secret nor a setting. Undefined when there are none.
 */
export function nameAccount(
  { fields }: Pick<DeclaredMode, "fields">,
  { formValues, account }: AcceptedForm,
): readonly string[] | undefined {
  if (account) {
    const { origin, tenant, login } = account;
    return [canonicalAddress(origin), canonicalText(tenant), canonicalText(login)];
  }
  const named = fields.filter(({ isSecret, isSetting }) => !isSecret && !isSetting);
  if (named.length === 0) return undefined;
  return named.map(({ name, isAddress }) => {
    const value = formValues[name] ?? "";
    return isAddress ? canonicalAddress(value) : canonicalText(value);
  });
}

function canonicalText(text: string): string {
  return text.normalize("NFC").trim().toLowerCase();
}

/** Host and port alone: schemes and paths lead to the same accounts. */
function canonicalAddress(typed: string): string {
  const host = parseTypedAddress(typed)?.host;
  return host ? host.replace(/\.(?=:|$)/, "") : canonicalText(typed);
}

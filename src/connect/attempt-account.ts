import type { DeclaredMode } from "../providers/index.ts";
import type { AcceptedForm } from "./account-of-sign-in.ts";

/** The account that somebody tries to sign in to, as the throttle counts it. */
export interface AttemptedAccount {
  /** The name at which a network or browser is known after its first sign-in. */
  name: readonly string[];
  /**
   * The name by which strangers share attempts. An email address counts once for all servers and tenants. Any other
   * login counts once for each server, whatever the tenant: a server with a single tenant takes that name or none.
   */
  shared: readonly string[];
}

/**
 * The account in one spelling: origin, tenant and login as the adapter names them; otherwise the values that are
 * neither secret nor a setting. Undefined when there are none.
 */
export function nameAccount(
  { fields }: Pick<DeclaredMode, "fields">,
  { formValues, account }: AcceptedForm,
): AttemptedAccount | undefined {
  if (account) {
    const [origin, tenant, login] = [
      canonicalAddress(account.origin),
      canonicalText(account.tenant),
      canonicalText(account.login),
    ];
    const name = [origin, tenant, login];
    return { name, shared: shareBy([login], origin === "" ? name : [origin, login]) };
  }
  const named = fields
    .filter(({ isSecret, isSetting }) => !isSecret && !isSetting)
    .map(({ name, isAddress }) => ({ value: formValues[name] ?? "", isAddress }));
  if (named.length === 0) return undefined;
  const name = named.map(({ value, isAddress }) =>
    isAddress ? canonicalAddress(value) : canonicalText(value),
  );
  return { name, shared: shareBy(name, name) };
}

function shareBy(logins: readonly string[], otherwise: readonly string[]): readonly string[] {
  const emails = logins.filter((login) => /^[^\s@/]+@[^\s@/]+$/.test(login));
  return emails.length > 0 ? ["email", ...emails] : ["login", ...otherwise];
}

/** Makes texts equal that a person cannot tell apart: by width, case or characters that show nothing. */
function canonicalText(text: string): string {
  return text
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFKC")
    .trim();
}

/** Host and port alone: schemes and paths lead to the same accounts. */
export function canonicalAddress(typed: string): string {
  const host = parseTypedAddress(typed)?.host;
  return host ? host.replace(/\.(?=:|$)/, "") : canonicalText(typed);
}

/** The address that somebody typed. People type addresses with and without a scheme. */
export function parseTypedAddress(typed: string): URL | undefined {
  const text = typed.trim();
  return URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `https://${text}`) ?? undefined;
}

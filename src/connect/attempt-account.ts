import type { DeclaredMode } from "../providers/index.ts";
import type { AcceptedForm } from "./account-of-sign-in.ts";
import { parseTypedAddress } from "./typed-address.ts";

/** The account that somebody tries to sign in to, as the throttle counts it. */
export interface AttemptedAccount {
  /** Who signs in to it once is known at it. */
  name: readonly string[];
  /**
   * What strangers share their attempts at. An email address is one person, at whatever server and tenant. Another login
   * is one at its server, in whatever tenant: a server with one tenant takes its name and none.
   */
  shared: readonly string[];
}

/**
 * In one spelling: origin, tenant and login as the adapter names them, or else the values that are neither secret nor a
 * setting. Undefined when there are none.
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

/** Two texts that a person cannot tell apart by width, case or characters that show nothing are one. */
function canonicalText(text: string): string {
  return text
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFKC")
    .trim();
}

/** Host and port alone: schemes and paths lead to the same accounts. */
function canonicalAddress(typed: string): string {
  const host = parseTypedAddress(typed)?.host;
  return host ? host.replace(/\.(?=:|$)/, "") : canonicalText(typed);
}

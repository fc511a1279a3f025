import type { DeclaredMode, FormValues, NamedAccount } from "../providers/index.ts";

/** What a form was sent with, once it is accepted. */
export interface AcceptedForm {
  formValues: FormValues;
  account?: NamedAccount;
}

/**
 * Names the account that the form's values sign in to, so that no two accounts have one name: as the adapter spells
 * it, or else as it was typed. A key that is kept proves nothing about the other values, so it is a part of the name.
 * Undefined when the adapter fails, or nothing names an account.
 */
export function nameSignedInAccount(
  { fields, keepsSecret, namesAccount, realm }: DeclaredMode,
  { formValues, account }: AcceptedForm,
): string[] | undefined {
  const own = fields.filter(({ isSetting }) => !isSetting);
  const valuesOf = (isSecret: boolean): string[] =>
    own.filter((field) => field.isSecret === isSecret).map(({ name }) => formValues[name] ?? "");
  const named = namesAccount ? account && spell(account) : ["typed", ...valuesOf(false)];
  if (!named || (named.length === 1 && !keepsSecret)) return undefined;
  return [realm, ...named, ...(keepsSecret ? valuesOf(true) : [])];
}

/** The same, of the session that the sign-in gave, as the adapter names its account. */
export function nameAccountOfSession({ realm }: DeclaredMode, name: readonly string[]): string[] {
  return [realm, "session", ...name];
}

function spell({ origin, tenant, login }: NamedAccount): string[] {
  return ["named", origin, tenant, login];
}

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

/** The account of a connection, by a name of the functions above. */
export interface AccountOfConnection {
  /** The address that the session belongs to. */
  origin: string | null;
  account: readonly string[];
}

/**
 * Whether both sign-ins named one account. A key that is kept is a part of the name and may be another one. Names that
 * were given in different ways, by different versions of an adapter, are not told apart.
 */
export function isSameAccount(
  { fields, keepsSecret }: DeclaredMode,
  before: AccountOfConnection,
  after: AccountOfConnection,
): boolean {
  const secrets = fields.filter(({ isSecret, isSetting }) => isSecret && !isSetting).length;
  const [, way, ...nameBefore] = before.account;
  const [, wayAfter, ...nameAfter] = after.account;
  if (way !== wayAfter) return true;
  const withoutKeys = (name: readonly string[]): readonly string[] =>
    keepsSecret && way !== "session" ? name.slice(0, Math.max(0, name.length - secrets)) : name;
  return (
    before.origin === after.origin &&
    JSON.stringify(withoutKeys(nameBefore)) === JSON.stringify(withoutKeys(nameAfter))
  );
}

function spell({ origin, tenant, login }: NamedAccount): string[] {
  return ["named", origin, tenant, login];
}

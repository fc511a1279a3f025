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
  /** As the form named it without its keys, where the session names the account. */
  typedAccount?: readonly string[];
}

/**
 * Whether both sign-ins named one account. A key that is kept is a part of the name and may be another one. Names that
 * were given in different ways, by different versions of an adapter, are not told apart.
 */
export function isSameAccount(
  mode: DeclaredMode,
  before: AccountOfConnection,
  after: AccountOfConnection,
): boolean {
  if (before.account[1] !== after.account[1]) return true;
  return (
    before.origin === after.origin &&
    isSameName(withoutKeys(mode, before.account), withoutKeys(mode, after.account))
  );
}

/**
 * Whether the form names the account that the connection was made with, in the same spelling. False when that is not
 * known.
 */
export function isTypedAccount(
  mode: DeclaredMode,
  { account, typedAccount }: AccountOfConnection,
  accepted: AcceptedForm,
): boolean {
  const typed = nameSignedInAccount(mode, accepted);
  if (!typed) return false;
  return isSameName(typedAccount ?? withoutKeys(mode, account), withoutKeys(mode, typed));
}

/** The name that a form or its adapter gave, without the keys that are kept. */
export function withoutKeys(
  { fields, keepsSecret }: DeclaredMode,
  name: readonly string[],
): readonly string[] {
  const isOfSession = name[1] === "session";
  const keys = fields.filter(({ isSecret, isSetting }) => isSecret && !isSetting).length;
  return keepsSecret && !isOfSession ? name.slice(0, Math.max(2, name.length - keys)) : name;
}

function isSameName(one: readonly string[], other: readonly string[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function spell({ origin, tenant, login }: NamedAccount): string[] {
  return ["named", origin, tenant, login];
}

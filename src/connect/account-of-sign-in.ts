import type { SignIn } from "../connections/index.ts";
import { InvalidRequest } from "../model/index.ts";
import type { DeclaredMode, FormValues, NamedAccount } from "../providers/index.ts";

/** The values of a form that was accepted. */
export interface AcceptedForm {
  formValues: FormValues;
  account?: NamedAccount;
}

/**
 * Names the account that the form's values sign in to: as the adapter spells it, or else as it was typed. No two
 * accounts share a name. A key that is kept proves nothing about the other values, so it is a part of the name.
 * Undefined when the adapter fails or no value names an account.
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

/** Names the account of a session, as the adapter spells it. */
export function nameAccountOfSession({ realm }: DeclaredMode, name: readonly string[]): string[] {
  return [realm, "session", ...name];
}

/** The account of a connection, named by one of the functions above. */
export interface AccountOfConnection {
  /** The address that the session belongs to. */
  origin: string | null;
  account: readonly string[];
  /** As the form named it without its keys, where the session names the account. */
  typedAccount?: readonly string[];
}

/**
 * Whether two sign-ins were to the same account. The keys that are kept may differ. True also for names that were given
 * in different ways, by different versions of an adapter, because these cannot be compared.
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
 * Whether they certainly were. False also when a name is not known, for names that were given in different ways, and for
 * another key where nothing but a key was typed.
 */
export function isCertainlySameAccount(
  mode: DeclaredMode | undefined,
  before: AccountOfConnection | undefined,
  { origin, account }: Pick<SignIn, "origin" | "account">,
): boolean {
  if (!mode || !before || !account || before.account[1] !== account[1]) return false;
  if (!isSameAccount(mode, before, { origin, account })) return false;
  const [, , ...names] = withoutKeys(mode, account);
  if (names.some((name) => name !== "")) return true;
  const hasKey = account.length > names.length + 2;
  return hasKey && isSameName(before.account, account);
}

/**
 * Whether the form names the account that the connection was made with, spelled the same. False when that account is
 * not known.
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

/** In a re-authentication, the end user signed in to another account than before. */
export class OtherAccount extends InvalidRequest {
  constructor() {
    super("account: is another one than the connection was made with");
  }
}

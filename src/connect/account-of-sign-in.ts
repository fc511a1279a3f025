import { modes, type Mode } from "../model/index.ts";
import {
  listFormFields,
  type FormValues,
  type ProviderRegistry,
  type Session,
} from "../providers/index.ts";

type ProviderDefinition = NonNullable<ReturnType<ProviderRegistry["find"]>>;

/**
 * Names the account that the form's values sign in to, so that no two accounts have one name: as the adapter spells
 * it, or else as it was typed. A key that is kept proves nothing about the other values, so it is a part of the name.
 * Undefined when the adapter fails, or nothing names an account.
 */
export function nameSignedInAccount(
  definition: ProviderDefinition,
  mode: Mode,
  formValues: FormValues,
): string[] | undefined {
  const { form, account, keepsSecret = false } = definition.modes[mode] ?? {};
  if (!form) return undefined;
  const fields = listFormFields(form).filter(({ isSetting }) => !isSetting);
  const valuesOf = (isSecret: boolean): string[] =>
    fields.filter((field) => field.isSecret === isSecret).map(({ name }) => formValues[name] ?? "");
  const named = account ? callAdapter(account, formValues) : ["typed", ...valuesOf(false)];
  if (!named || (named.length === 1 && !keepsSecret)) return undefined;
  return [realmOf(definition, mode), ...named, ...(keepsSecret ? valuesOf(true) : [])];
}

/** The same, of the session that the sign-in gave. Undefined when the adapter does not say it. */
export function nameAccountOfSession(
  definition: ProviderDefinition,
  mode: Mode,
  session: Session,
): string[] | undefined {
  const name = definition.modes[mode]?.accountOfSession?.(session);
  return name && [realmOf(definition, mode), "session", ...name];
}

export interface NamedAccount {
  /** The address that the session belongs to. */
  origin: string | null;
  account: readonly string[];
}

/**
 * Whether both sign-ins named one account. A key that is kept is a part of the name and may be another one. Names that
 * were given in different ways, by different versions of an adapter, are not told apart.
 */
export function isSameAccount(
  definition: ProviderDefinition,
  mode: Mode,
  before: NamedAccount,
  after: NamedAccount,
): boolean {
  const { form, keepsSecret = false } = definition.modes[mode] ?? {};
  const secrets = form ? listFormFields(form).filter(({ isSecret }) => isSecret).length : 0;
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

/** Modes that are signed in to in the same way have the same accounts. The first of them names them. */
export function realmOf({ modes: own }: ProviderDefinition, mode: Mode): Mode {
  const parts = ["form", "oauth2", "account", "accountOfSession"] as const;
  const isSame = (other: Mode): boolean =>
    parts.every((part) => own[other]?.[part] === own[mode]?.[part]);
  return modes.find(isSame) ?? mode;
}

function callAdapter(
  account: (formValues: FormValues) => { origin?: string; tenant?: string; login: string },
  formValues: FormValues,
): string[] | undefined {
  try {
    const { origin = "", tenant = "", login } = account(formValues);
    return ["named", origin, tenant, login];
  } catch {
    return undefined;
  }
}

import { z } from "zod";
import { sealedJson, type Keyring, type MacKey } from "../platform/crypto/index.ts";
import type { SealedConnection } from "./connection.ts";
import { connectionKey } from "./sealed-sign-in.ts";

/** An account at a provider, as the sign-in has named it. */
export interface ProviderAccount {
  provider: string;
  /** The address that the session belongs to. */
  origin: string | null;
  account: readonly string[];
  /** As the form named it, where the session names the account. Unknown for a connection of an earlier version. */
  typedAccount?: readonly string[];
}

/** Under the data key of its connection: a digest by an earlier key can be compared with none by a later one. */
export const sealedAccount = sealedJson({
  name: "account",
  owner: ["connectionId"],
  schema: z.object({
    origin: z.string().nullable(),
    account: z.array(z.string()).readonly(),
    typedAccount: z.array(z.string()).readonly().exactOptional(),
  }),
});

/** Whoever has no key of the service can neither make a digest nor tell whose it is. */
export function digestAccount(key: MacKey, { provider, origin, account }: ProviderAccount): Buffer {
  return key.mac(JSON.stringify([provider, origin, ...account]));
}

/** By every key of the service, the retired ones too. */
export function digestsOf(keyring: Keyring, account: ProviderAccount): Buffer[] {
  return keyring.macKeys("account").map((key) => digestAccount(key, account));
}

/**
 * Whether the connection was made by signing in to the account. Its digest may have been copied from another
 * connection; a sealed value cannot be. False for a connection from before accounts were sealed, until its next
 * sign-in.
 */
export function isOfAccount(
  keyring: Keyring,
  {
    id,
    wrappedKey,
    sealedAccount: sealed,
  }: Pick<SealedConnection, "id" | "wrappedKey"> & { sealedAccount: Buffer | null },
  { origin, account }: ProviderAccount,
): boolean {
  if (!sealed) return false;
  const owner = { connectionId: id };
  try {
    const known = sealedAccount.open(connectionKey.open(keyring, owner, wrappedKey), owner, sealed);
    return (
      JSON.stringify([known.origin, ...known.account]) === JSON.stringify([origin, ...account])
    );
  } catch {
    return false;
  }
}

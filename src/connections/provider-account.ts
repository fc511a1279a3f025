import { z } from "zod";
import { sealedJson, type Keyring, type MacKey } from "../platform/crypto/index.ts";

/** An account at a provider, as the sign-in has named it. */
export interface ProviderAccount {
  provider: string;
  /** The address that the session belongs to. */
  origin: string | null;
  account: readonly string[];
}

/** Under the data key of its connection: a digest by an earlier key can be compared with none by a later one. */
export const sealedAccount = sealedJson({
  name: "account",
  owner: ["connectionId"],
  schema: z.object({ origin: z.string().nullable(), account: z.array(z.string()).readonly() }),
});

/** Whoever has no key of the service can neither make a digest nor tell whose it is. */
export function digestAccount(key: MacKey, { provider, origin, account }: ProviderAccount): Buffer {
  return key.mac(JSON.stringify([provider, origin, ...account]));
}

/** By every key of the service, the retired ones too. */
export function digestsOf(keyring: Keyring, account: ProviderAccount): Buffer[] {
  return keyring.macKeys("account").map((key) => digestAccount(key, account));
}

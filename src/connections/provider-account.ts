import type { MacKey } from "../platform/crypto/index.ts";

/** An account at a provider, as the sign-in has named it. */
export interface ProviderAccount {
  provider: string;
  /** The address that the session belongs to. */
  origin: string | null;
  account: readonly string[];
}

/** Whoever has no key of the service can neither make a digest nor tell whose it is. */
export function digestAccount(key: MacKey, { provider, origin, account }: ProviderAccount): Buffer {
  return key.mac(JSON.stringify([provider, origin, ...account]));
}

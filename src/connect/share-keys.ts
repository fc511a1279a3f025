import type { Keyring } from "../platform/crypto/index.ts";
import type { FormField, FormValues } from "../providers/index.ts";
import { parseTypedAddress } from "./attempt-account.ts";

/** What the shares of a sign-in count by: keyed digests of the submitter's network and of the typed address. */
export interface ShareKeys {
  networkKey: string;
  originKey: string;
}

export function makeShareKeys(
  keyring: Keyring,
  fields: readonly FormField[],
  formValues: FormValues,
  network: string,
): ShareKeys {
  const address = fields.find(({ isAddress }) => isAddress);
  const host = address && parseTypedAddress(formValues[address.name] ?? "")?.hostname;
  return {
    networkKey: network === "" ? "" : keyring.pseudonym(`network ${network}`),
    originKey: host ? keyring.pseudonym(`host ${host}`) : "",
  };
}

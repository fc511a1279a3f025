import { countUnbound, type BoundRows } from "../platform/bound-rows.ts";
import type { Keyring } from "../platform/crypto/index.ts";
import type { CodeTerms } from "./store.ts";

type BoundTerms = Omit<CodeTerms, "termsMac">;

/** The MAC over what an exchange of the code has to match. */
export function bindCode(keyring: Keyring, digest: Buffer, terms: BoundTerms): string {
  return keyring.sign("token", "code\0", digest, formatTerms(terms));
}

/** False when somebody without the service's keys wrote the code. */
export function isCodeBound(
  keyring: Keyring,
  digest: Buffer,
  { termsMac, ...terms }: BoundTerms & { termsMac: string },
): boolean {
  return keyring.isSigned(termsMac, "token", "code\0", digest, formatTerms(terms));
}

function formatTerms(terms: BoundTerms): string {
  const { clientId, tokenId, redirectUri, codeChallenge } = terms;
  return JSON.stringify([clientId, tokenId, redirectUri, codeChallenge]);
}

/** Codes of a version that bound no terms are exchanged within five minutes, or never. */
export const codeBindings: BoundRows = {
  table: "authorization_codes",
  bindUnchanged: async () => undefined,
  countUnbound: (db) =>
    countUnbound(
      db,
      "from authorization_codes where expires_at > service_now() and terms_mac is null and redeemed_at is null",
    ),
};

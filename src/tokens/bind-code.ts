import { countUnbound, type BoundRows } from "../platform/bound-rows.ts";
import type { Keyring } from "../platform/crypto/index.ts";
import type { AuthorizationCode } from "./store.ts";

type CodeTerms = Pick<AuthorizationCode, "clientId" | "tokenId" | "redirectUri" | "codeChallenge">;

/** The MAC over what an exchange of the code has to match. */
export function bindCode(keyring: Keyring, digest: Buffer, terms: CodeTerms): string {
  return keyring.sign("token", "code\0", digest, formatTerms(terms));
}

/** False when somebody without the service's keys wrote the code. */
export function isCodeBound(
  keyring: Keyring,
  digest: Buffer,
  { termsMac, ...terms }: CodeTerms & { termsMac: string },
): boolean {
  return keyring.isSigned(termsMac, "token", "code\0", digest, formatTerms(terms));
}

function formatTerms(terms: CodeTerms): string {
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

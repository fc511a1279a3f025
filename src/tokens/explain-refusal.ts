import type { CredentialForm } from "../platform/crypto/index.ts";

/** What an application sends most often in place of an access token. */
const mistakes: readonly [form: RegExp, what: string][] = [
  [/^rc_ac_/, "an authorization code, which has to be exchanged for an access token first"],
  [/^rc_cs_/, "a client secret, and no access token"],
  [/^rc_(?:ln|bs)_/, "a part of a sign-in link, and no access token"],
  [/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, "the id of a token, and not the access token"],
];

/**
 * Tells what is wrong with a credential that no look-up finds, without repeating it. Whoever reads the message has
 * to see that a new sign-in does not help.
 */
export function explainUnknown(credential: string, form: CredentialForm): string {
  if (form !== "malformed")
    return "There is no such access token. Look for a mix-up of tokens; a new sign-in does not mend it.";
  if (credential === "") return "The request has no access token behind the word Bearer.";
  const mistake = mistakes.find(([pattern]) => pattern.test(credential));
  return mistake
    ? `What was sent is ${mistake[1]}.`
    : "The access token is mistyped or cut off: it is not of the form rc_at_… with its checksum. " +
        "Look for the typo; a new sign-in does not mend it.";
}

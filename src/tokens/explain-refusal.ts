import type { CredentialForm } from "../platform/crypto/index.ts";

type Mistakes = readonly [form: RegExp, what: string][];

/** What an application sends most often in place of an access token. */
const mistakes: Mistakes = [
  [/^rc_ac_/, "an authorization code, which has to be exchanged for an access token first"],
  [/^rc_cs_/, "a client secret, and no access token"],
  [/^rc_(?:ln|bs)_/, "a part of a sign-in link, and no access token"],
  [/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, "the id of a token, and not the access token"],
];

/** What it sends in place of a code. */
const codeMistakes: Mistakes = [
  [/^rc_at_/, "an access token, and no authorization code"],
  [/^rc_cs_/, "a client secret, and no authorization code"],
  [/^rc_(?:ln|bs)_/, "a part of a sign-in link, and no authorization code"],
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

/** The same of a code that is not the client's. */
export function explainUnknownCode(code: string, form: CredentialForm): string {
  if (form === "valid") return "The authorization code is not known.";
  if (form === "other-environment") return "The authorization code is of another environment.";
  if (code.trim().startsWith("rc_ac_"))
    return "The authorization code is mistyped or cut off: its checksum is wrong. Take it whole from the redirect.";
  const mistake = codeMistakes.find(([pattern]) => pattern.test(code));
  return mistake
    ? `What was sent as the code is ${mistake[1]}.`
    : "What was sent as the code is none: an authorization code begins with rc_ac_.";
}

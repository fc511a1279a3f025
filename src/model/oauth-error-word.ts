import type { z } from "zod";
import { namedEnum } from "./field.ts";

/** Why an exchange is refused, in the words of OAuth 2.1. */
export const oauthErrorWord = namedEnum("OAuthErrorWord", "Why an exchange is refused.", {
  invalid_request: "a parameter is missing, repeated or not valid",
  invalid_client: "unknown client or wrong secret",
  invalid_grant:
    "the code is not known, has expired or was used, or `redirect_uri` or `code_verifier` is another one",
  unsupported_grant_type: "`grant_type` is not `authorization_code`",
});

export type OAuthErrorWord = z.output<typeof oauthErrorWord>;

/** The text of `error_description`: RFC 6749, section 5.2, has no quotation marks, backslashes and other letters in it. */
export function toErrorDescription(text: string): string {
  return text.replaceAll('"', "'").replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "?");
}

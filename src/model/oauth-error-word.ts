/** Why an exchange is refused, in the words of OAuth 2.1. */
export const oauthErrorWords = [
  "invalid_request",
  "invalid_client",
  "invalid_grant",
  "unsupported_grant_type",
] as const;

export type OAuthErrorWord = (typeof oauthErrorWords)[number];

/** The codes of a 401. The specification also has `no_valid_accounts`, which is reserved and never sent. */
export const authErrorCodes = [
  "incorrect_username_or_password",
  "incorrect_mfa_or_otp",
  "reauthentication_required",
  "additional_account_setup_required",
  "captcha_challenge",
  "insufficient_permission",
] as const;

/** Why a credential was refused, by Rollcall or by the provider. */
export type AuthErrorCode = (typeof authErrorCodes)[number];

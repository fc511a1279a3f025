import { namedEnum } from "./field.ts";

const sentCodes = {
  incorrect_username_or_password:
    "the provider refuses the end user's credentials; with a `WWW-Authenticate` header, the client's own " +
    "credentials are missing or wrong",
  incorrect_mfa_or_otp: "the provider refused the second factor",
  reauthentication_required:
    "the session at the provider has ended; with a `WWW-Authenticate` header, the access token is missing " +
    "or not known",
  additional_account_setup_required:
    "the provider wants something set up in the account first, such as a new password",
  captcha_challenge: "the provider asks for a captcha that cannot be solved at the moment",
  insufficient_permission: "the end user's account lacks the rights to read this data",
} as const;

/** The codes of a 401, with the one of the specification that is reserved and never sent. */
export const authErrorCode = namedEnum("AuthErrorCode", "Why a credential was refused.", {
  ...sentCodes,
  no_valid_accounts: "reserved; never sent",
});

export const sentAuthErrorCode = namedEnum(
  "SentAuthErrorCode",
  "Why a credential was refused: the codes that are sent.",
  sentCodes,
);

export const authErrorCodes = sentAuthErrorCode.options;

/** Why a credential was refused, by Rollcall or by the provider. */
export type AuthErrorCode = (typeof authErrorCodes)[number];

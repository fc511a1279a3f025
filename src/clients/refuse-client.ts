import { AuthenticationFailed } from "../model/index.ts";

export const refusalCode = "incorrect_username_or_password";
export const refusalMessage =
  "The client credentials are missing or wrong: send the client's id and secret as Basic.";

/** A missing credential, an unknown client, one that has ended and a wrong secret get the same refusal. */
export function refuseClient(): AuthenticationFailed {
  return new AuthenticationFailed(refusalCode, "basic", refusalMessage);
}

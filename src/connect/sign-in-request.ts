import type { SignIn } from "../connections/index.ts";
import type { ClientId, Mode, Scope } from "../model/index.ts";
import type { Session, Settings } from "../providers/index.ts";
import type { AccountOfConnection } from "./account-of-sign-in.ts";
import type { Challenge } from "./challenge.ts";

/** What an end user signs in for. */
export interface SignInRequest {
  /** Undefined when no application asks for it. */
  clientId?: ClientId | undefined;
  provider: string;
  mode: Mode;
  scopes: readonly Scope[];
  previousSession?: Session;
  /** In a re-authentication, what was chosen before. */
  previousSettings?: Settings;
  /** In a re-authentication, the account that has to be signed in to again. */
  previousAccount?: AccountOfConnection;
}

export type SignInStep =
  { kind: "signed-in"; signIn: SignIn } | { kind: "challenge"; challenge: Challenge };

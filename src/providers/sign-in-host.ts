import type { Mode, Resource } from "../model/index.ts";
import type { FormValues, Session, Settings, SignInResult } from "./contract.ts";
import type { OAuth2Authorization } from "./oauth2-sign-in.ts";
import type { SignedIn } from "./provider-host.ts";

export interface SignInCall {
  /** For whom it is: a client may have ways out of its own. */
  clientId?: string | undefined;
  provider: string;
  mode: Mode;
  resources: readonly Resource[];
  previousSession?: Session;
  signal: AbortSignal;
}

/** What is done with a session outside of a read. */
type SessionCall = Pick<SignInCall, "clientId" | "provider" | "mode" | "signal"> & {
  session: Session;
};

/**
 * Signs in at providers, wherever the adapters run. Throws one of the contract's errors. Any other error says
 * nothing about the provider.
 */
export interface SignInHost {
  login(
    call: SignInCall & { formValues: FormValues; authorization?: OAuth2Authorization },
  ): Promise<SignInResult>;
  resume(call: SignInCall & { state: Session; answer: string }): Promise<SignInResult>;
  /** Checks a new session: that it works, what it cannot read, and who signed in. */
  inspect(call: SignInCall & { session: Session; settings?: Settings }): Promise<SignedIn>;
  /** Ends a session at the provider. Does nothing for a provider whose adapter cannot. */
  logOut(call: SessionCall & { isAccountInUse: boolean }): Promise<void>;
  /** A new session for one that has ended or is about to. */
  refresh(call: SessionCall): Promise<Session>;
}

import type { Identity, Mode, Resource } from "../model/index.ts";
import type {
  CheckResult,
  FormValues,
  FoundSystem,
  Session,
  Settings,
  SignInResult,
} from "./contract.ts";
import type { OAuth2Authorization } from "./oauth2-sign-in.ts";
import type { ApprovalPage, FormCheck } from "./sign-in-form.ts";

export interface SignInCall {
  /** The client that it is for, which may have ways out of its own. */
  clientId?: string | undefined;
  provider: string;
  mode: Mode;
  resources: readonly Resource[];
  previousSession?: Session;
  signal: AbortSignal;
}

export interface SignedIn extends CheckResult {
  session: Session;
  identity: Identity;
  /** The address that the session was checked at; null when the adapter asked none. */
  origin: string | null;
  /** The account of the session, if the adapter names it. */
  accountOfSession?: readonly string[];
}

/** What is done with a session outside of a read. */
type SessionCall = Pick<SignInCall, "clientId" | "provider" | "mode" | "signal"> & {
  session: Session;
};

/** A question about what was typed into a form. Nothing is asked of the provider. */
type FormCall = Pick<SignInCall, "provider" | "mode" | "signal"> & { formValues: FormValues };

/**
 * Signs in at providers, wherever the adapters run. Throws one of the contract's errors. Any other error says
 * nothing about the provider.
 */
export interface SignInHost {
  checkForm(call: FormCall): Promise<FormCheck>;
  /** The page on which the person approves, for a mode that is signed in to elsewhere. */
  findApprovalPage(call: FormCall & { resources: readonly Resource[] }): Promise<ApprovalPage>;
  /**
   * Looks whether the system is at the address that was typed, which is all that it gets of the form. Null for an
   * adapter that cannot tell.
   */
  probe(
    call: Pick<SignInCall, "clientId" | "provider" | "mode" | "signal"> & { typed: string },
  ): Promise<FoundSystem | null>;
  login(
    call: SignInCall & { formValues: FormValues; authorization?: OAuth2Authorization },
  ): Promise<SignInResult>;
  /** `isChoice` says that the answer is an option of the provider's own, and no secret. */
  resume(
    call: SignInCall & { state: Session; answer: string; isChoice: boolean },
  ): Promise<SignInResult>;
  /** Checks a new session: that it works, what it cannot read, and who signed in. */
  inspect(call: SignInCall & { session: Session; settings?: Settings }): Promise<SignedIn>;
  /** Ends a session at the provider. Does nothing for a provider whose adapter cannot. */
  logOut(call: SessionCall & { isAccountInUse: boolean }): Promise<void>;
  /** A new session for one that has ended or is about to. */
  refresh(call: SessionCall): Promise<Session>;
}

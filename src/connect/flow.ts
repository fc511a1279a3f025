import type { AuthErrorCode, ClientId, Mode, Scope, TokenId } from "../model/index.ts";
import type { Label } from "../connections/index.ts";
import type { Settings } from "../providers/index.ts";
import type { Sealed } from "../platform/crypto/index.ts";

/**
 * Where the end user is: choosing a provider, filling in its form, waiting for the provider, answering its
 * challenge, approving the sign-in elsewhere, or done. `ready` means signed in, while the browser is not yet
 * sent back.
 */
export type Phase =
  | "choosing"
  | "form"
  | "running"
  | "challenged"
  | "waiting"
  | "ready"
  | "finished"
  | "declined"
  | "failed";

/** Why the last attempt failed. The page describes it in words. */
export type Refusal =
  | { kind: "refused"; code: AuthErrorCode }
  /** By the form or the adapter. Its explanation may quote what was typed, and is sealed with it. */
  | { kind: "field"; field: string }
  /** Something else than an option of the challenge was chosen. It was not tried. */
  | { kind: "choice" }
  /** What the end user had to approve elsewhere was not approved. */
  | { kind: "unapproved" }
  /** In a re-authentication: the account is not the one that the connection was made with. */
  | { kind: "other-account" }
  /** Too many attempts at the account. It was not tried. */
  | { kind: "throttled" }
  | { kind: "unavailable" }
  | { kind: "unsupported" }
  | { kind: "broken" }
  /** The attempt was cut off on our side. Its outcome is not known. */
  | { kind: "interrupted" };

export const flowLifetimeSeconds = 30 * 60;

/**
 * What a flow was opened for, with its browser and its provider. It is sealed under the flow's key, so nobody who
 * writes to the database changes it.
 */
export interface FlowTerms {
  /** Whether it makes or renews a connection, or shows the end user who has access to the account. */
  purpose: "connection" | "accesses";
  /** Empty, like the redirect address, in a flow that makes no connection. */
  clientId: ClientId;
  /** In a re-authentication, the token that works again afterwards. */
  tokenId: TokenId | null;
  /** Of the one-time link. Null for a flow that a browser began. */
  linkDigest: Buffer | null;
  /** Null until the first browser has claimed the one-time link. */
  browserDigest: Buffer | null;
  mode: Mode;
  scopes: Scope[];
  redirectUri: string;
  codeChallenge: string | null;
  tags: string[];
  isSandbox: boolean;
  provider: string | null;
  isProviderFixed: boolean;
  /** In a re-authentication, whether another account may take the place of the one before. */
  mayChangeAccount: boolean;
  /** Whether the values of the flow open for its browser and its provider alone. */
  isSealedToBrowser: boolean;
  /** What the client's server calls the connection. A link that a browser brings has none. */
  label: Label | null;
  /** Those that the client's server has chosen, so that its end user is not asked for them. */
  settings: Settings | null;
  /** Whether its end user may have a colleague sign in. In a flow of a client's connect session alone. */
  allowsHandover: boolean;
}

/** One end user's way through the hosted sign-in. */
export interface Flow extends FlowTerms {
  id: string;
  locale: string | null;
  phase: Phase;
  /** Counts changes. A form that is sent twice, or from an old page, names an earlier step. */
  step: number;
  /** Attempts that the provider refused. */
  refusedAttempts: number;
  refusal: Refusal | null;
  /** While a worker tries what was typed. */
  isLeased: boolean;
  /** It ended within the last minute. */
  hasJustEnded: boolean;
  isExpired: boolean;
  /** See flow-secrets.ts. */
  sealed: {
    state: Buffer | null;
    submission: Buffer | null;
    prefill: Buffer | null;
    challenge: Buffer | null;
    signIn: Buffer | null;
    redirect: Buffer | null;
    account: Buffer | null;
    /** See handover.ts. */
    handover: Buffer | null;
  };
  /** Null for a flow of an earlier version. */
  sealedTerms: Buffer | null;
  wrappedKey: Sealed;
}

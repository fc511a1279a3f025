import type { AuthErrorCode } from "../model/index.ts";
import type { Sealed } from "../platform/crypto/index.ts";
import type { FlowTerms } from "./flow-terms.ts";

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

/** What was made is no less made when the sign-in has expired. The list of accesses is not shown any longer. */
export function hasConnected({ phase, purpose }: Pick<Flow, "phase" | "purpose">): boolean {
  return phase === "finished" && purpose === "connection";
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

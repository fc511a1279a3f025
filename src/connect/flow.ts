import type { AuthErrorCode, Mode, Scope } from "../model/index.ts";
import type { DataKey, Sealed } from "../platform/crypto/index.ts";

/**
 * Where an end user stands: choosing a provider, filling in its form, waiting for the provider, answering its challenge, or done.
 * `ready` means signed in, and the browser not yet sent back.
 */
export type Phase =
  "choosing" | "form" | "running" | "challenged" | "ready" | "finished" | "declined" | "failed";

/** Why the last try came to nothing; the page says it in words. */
export type Refusal =
  | { kind: "refused"; code: AuthErrorCode }
  /** The form itself; what is said of the field may quote what was typed, and is sealed with it. */
  | { kind: "field"; field: string }
  | { kind: "unavailable" }
  | { kind: "unsupported" }
  | { kind: "broken" }
  /** The try was cut off on our side; nothing is known of its outcome. */
  | { kind: "interrupted" };

/** One walk through the hosted sign-in. */
export interface Flow {
  id: string;
  clientId: string;
  /** The token that works again afterwards, when this is a re-authentication. */
  tokenId: string | null;
  browserDigest: Buffer | null;
  mode: Mode;
  scopes: Scope[];
  redirectUri: string;
  codeChallenge: string | null;
  tags: string[];
  isSandbox: boolean;
  provider: string | null;
  isProviderFixed: boolean;
  locale: string | null;
  phase: Phase;
  /** Counts what happened, so that a form that was sent twice, or from an old page, changes nothing. */
  step: number;
  /** Sign-ins that the provider refused. */
  tries: number;
  refusal: Refusal | null;
  claimedAt: Date | null;
  finishedAt: Date | null;
  expiresAt: Date;
  sealed: {
    state: Buffer | null;
    prefill: Buffer | null;
    challenge: Buffer | null;
    signIn: Buffer | null;
    redirect: Buffer | null;
    answers: Buffer | null;
  };
  wrappedKey: Sealed;
}

/** What stays of a form that was sent: what is shown again, and the network that it came from, by which guessing is slowed. */
export interface Prefill {
  fields: Readonly<Record<string, string>>;
  network: string;
  /** What the adapter or the form says of the field that was refused. */
  explanation?: string;
}

/** What a flow keeps sealed, by name; each opens only as what it was sealed as. */
export type FlowSecret = keyof Flow["sealed"];

export interface FlowKeys {
  openKey(flow: Pick<Flow, "id" | "wrappedKey">): DataKey;
}

export function sealInFlow(key: DataKey, id: string, what: FlowSecret, value: unknown): Buffer {
  return key.seal(Buffer.from(JSON.stringify(value)), ["flow", id, what]);
}

export function openInFlow<Value>(key: DataKey, flow: Flow, what: FlowSecret): Value | undefined {
  const sealed = flow.sealed[what];
  return sealed
    ? (JSON.parse(key.open(sealed, ["flow", flow.id, what]).toString()) as Value)
    : undefined;
}

export function flowKeyContext(id: string): string[] {
  return ["flow-key", id];
}

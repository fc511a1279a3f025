import { randomBytes } from "node:crypto";
import { z } from "zod";
import { isSameDigest } from "../platform/crypto/index.ts";
import {
  type ApprovalPage,
  type FormValues,
  type OAuth2Application,
  providerPackages,
} from "../providers/index.ts";

/** The end user is on the provider's own page, which sends the browser back with `state`. */
export const pendingAuthorization = z.object({
  kind: z.literal("authorize"),
  /** The address of that page, with what it is asked. */
  address: z.string(),
  /** The part of `state` that only this browser and the provider know. */
  nonce: z.string(),
  codeVerifier: z.string(),
  redirectUri: z.string(),
  formValues: z.record(z.string(), z.string()),
});

export type PendingAuthorization = z.output<typeof pendingAuthorization>;

/** The one address to which providers send browsers back. The operator registers it with each application. */
export const callbackPath = "/connect/callback";

const statePattern = /^([0-9a-f-]{36})\.([\w-]{43})$/;

interface AuthorizationRequest {
  flowId: string;
  formValues: FormValues;
  issuer: string;
}

/** Throws ProviderBug when the adapter names no page. */
export function makePendingAuthorization(
  page: ApprovalPage,
  { clientId }: Pick<OAuth2Application, "clientId">,
  { flowId, formValues, issuer }: AuthorizationRequest,
): PendingAuthorization {
  const nonce = randomBytes(32).toString("base64url");
  const redirectUri = `${issuer}${callbackPath}`;
  const state = `${flowId}.${nonce}`;
  const made = providerPackages.makeApprovalAddress(page, { clientId, redirectUri, state });
  return { kind: "authorize", ...made, nonce, redirectUri, formValues };
}

/** Undefined for a `state` that is not ours. */
export function parseState(state: string): { flowId: string; nonce: string } | undefined {
  const [, flowId, nonce] = statePattern.exec(state) ?? [];
  return flowId === undefined || nonce === undefined ? undefined : { flowId, nonce };
}

export function isNonceOf({ nonce }: PendingAuthorization, given: string): boolean {
  return isSameDigest(Buffer.from(nonce), Buffer.from(given));
}

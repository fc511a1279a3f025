import { toErrorDescription } from "../model/index.ts";

export type RedirectError = "invalid_request" | "invalid_scope" | "access_denied" | "server_error";

export interface RedirectTarget {
  redirectUri: string;
  /** As in the link, still encoded, so that it goes back byte for byte. Undefined when none was sent. */
  rawState: string | undefined;
  issuer: string;
}

/** Names the code twice: as OAuth does, and as the specification does. */
export function redirectWithCode(target: RedirectTarget, code: string): string {
  return extend(target, [
    ["code", code],
    ["authorization_code", code],
  ]);
}

export function redirectWithError(
  target: RedirectTarget,
  error: RedirectError,
  description: string,
): string {
  return extend(target, [
    ["error", error],
    ["error_description", toErrorDescription(description)],
  ]);
}

/** A re-authentication has no code to hand over. */
export function redirectWithoutCode(target: RedirectTarget): string {
  return extend(target, []);
}

/** Leaves the registered address as it is, with its own query. */
function extend(
  { redirectUri, rawState, issuer }: RedirectTarget,
  parameters: readonly (readonly [string, string])[],
): string {
  const pairs = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  if (rawState !== undefined) pairs.push(`state=${rawState}`);
  pairs.push(`iss=${encodeURIComponent(issuer)}`);
  const separator = redirectUri.includes("?") ? (/[?&]$/.test(redirectUri) ? "" : "&") : "?";
  return `${redirectUri}${separator}${pairs.join("&")}`;
}

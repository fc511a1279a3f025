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

/**
 * True when the address is one of the registered ones, byte for byte. A registered http address on loopback
 * may be used with another port (RFC 8252, 7.3), because a native application cannot choose its port.
 */
export function isRegisteredRedirect(registered: readonly string[], given: string): boolean {
  if (registered.includes(given)) return true;
  const wanted = splitLoopback(given);
  return (
    wanted !== undefined && registered.some((candidate) => splitLoopback(candidate) === wanted)
  );
}

/** The address without its port, when it is http on loopback and spelled plainly. */
function splitLoopback(address: string): string | undefined {
  const match =
    /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::([1-9]\d{0,4}))?(\/[\x21-\x7e]*)?$/.exec(
      address,
    );
  if (!match || (match[2] !== undefined && Number(match[2]) > 65_535)) return undefined;
  return `${match[1] ?? ""}${match[3] ?? ""}`;
}

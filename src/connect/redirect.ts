export type RedirectError =
  | "invalid_request"
  | "invalid_scope"
  | "access_denied"
  | "server_error"
  | "temporarily_unavailable";

interface Target {
  redirectUri: string;
  /** As it stood in the link, still encoded, so that it comes back byte for byte; undefined when none was sent. */
  rawState: string | undefined;
  issuer: string;
}

/** The code, under both of its names. */
export function redirectWithCode(target: Target, code: string): string {
  return extend(target, [
    ["code", code],
    ["authorization_code", code],
  ]);
}

export function redirectWithError(
  target: Target,
  error: RedirectError,
  description: string,
): string {
  return extend(target, [
    ["error", error],
    ["error_description", description],
  ]);
}

/** After a re-authentication there is nothing to hand over. */
export function redirectWithoutCode(target: Target): string {
  return extend(target, []);
}

/** The registered address stays as it is, its own query included. */
function extend(
  { redirectUri, rawState, issuer }: Target,
  parameters: readonly (readonly [string, string])[],
): string {
  const pairs = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  if (rawState !== undefined) pairs.push(`state=${rawState}`);
  pairs.push(`iss=${encodeURIComponent(issuer)}`);
  const separator = redirectUri.includes("?") ? (/[?&]$/.test(redirectUri) ? "" : "&") : "?";
  return `${redirectUri}${separator}${pairs.join("&")}`;
}

import { apiVersion, type Mode, type Scope } from "./api.ts";
import { RollcallError, type ErrorCode } from "./errors.ts";

/** The last part of a scope, such as `employees`. */
export type ScopeName = Scope extends infer Each
  ? Each extends `/${string}/xhr/${infer Name}`
    ? Name
    : never
  : never;

/** A sign-in that has begun. Keep it in the browser's session on your server, and send the browser to `url`. */
export interface SignIn {
  url: string;
  state: string;
  /** Stays on your server. Only its digest is in the link. */
  verifier: string;
  redirect_uri: string;
}

const callbackErrors: readonly ErrorCode[] = [
  "invalid_request",
  "invalid_scope",
  "access_denied",
  "server_error",
  "temporarily_unavailable",
];

export function formatScopes(names: readonly ScopeName[], mode: Mode = "xhr"): string {
  return names.map((name) => `/${apiVersion}/${mode}/${name}`).join(" ");
}

/** 256 bits that nobody can foresee. */
export function makeRandom(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
}

/** The challenge of PKCE for a verifier. */
export async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  return toBase64Url(new Uint8Array(digest));
}

/** The code of a callback, and none after signing in again. Refuses one that this browser has not asked for. */
export function readCallback(
  callback: string | URL | URLSearchParams,
  { state }: Pick<SignIn, "state">,
): string | undefined {
  const query = callback instanceof URLSearchParams ? callback : queryOf(String(callback));
  if (state === "" || query.get("state") !== state)
    throw new RollcallError("wrong_state", { message: "the callback has another state" });
  // The form of a redirect page has all fields, and leaves those empty that did not come.
  const error = query.get("error");
  if (error)
    throw new RollcallError(callbackErrors.find((code) => code === error) ?? "server_error", {
      message: `the sign-in ended: ${query.get("error_description") || error}`,
    });
  return query.get("code") || undefined;
}

/** Of a whole address, a path with its query, or the query alone. */
function queryOf(text: string): URLSearchParams {
  return new URLSearchParams(text.slice(text.indexOf("?") + 1));
}

function toBase64Url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

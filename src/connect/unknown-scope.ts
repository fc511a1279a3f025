import { isScope, scopes, type Scope } from "../model/index.ts";
import { findCredential } from "../platform/crypto/index.ts";

export const formOfScopes =
  "a scope is the path of an endpoint, such as /2023-03-01/xhr/employees, and several are separated by spaces";

/** Names the value when it is short, and cannot be a credential. */
export function describeUnknownScope(value: string): string {
  const isShown = /^[\w./:{}-]{1,80}$/.test(value) && !findCredential(value);
  const meant = findMeant(value);
  const hint = meant ? `did you mean ${meant}?` : formOfScopes;
  return `${isShown ? `there is no scope ${value}` : "scope names a scope that does not exist"}; ${hint}`;
}

/** A path with another way to write its parameter, or without what stands before it. */
function findMeant(value: string): Scope | undefined {
  const parts = value
    .toLowerCase()
    .replaceAll(/\{(\w+)\}/g, ":$1")
    .split("/");
  const path = parts.filter((part) => part !== "").join("/");
  if (path === "") return undefined;
  const whole = `/${path}`;
  return isScope(whole) ? whole : scopes.find((scope) => isXhr(scope) && scope.endsWith(whole));
}

function isXhr(scope: Scope): boolean {
  return scope.includes("/xhr/");
}

import { InvalidRequest, modeOfScopes, type Mode, type Scope } from "../model/index.ts";

/** Throws InvalidRequest unless all scopes are of this mode, and there is at least one. */
export function checkScopes(scopes: readonly Scope[], mode: Mode): void {
  if (scopes.length === 0) throw new InvalidRequest("scope: is required");
  if (modeOfScopes(scopes) !== mode)
    throw new InvalidRequest(`scope: all scopes are of mode ${mode}`);
}

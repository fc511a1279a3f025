import { resourcesOfScopes, type Scope } from "../model/index.ts";
import type { FormField } from "../providers/index.ts";
import type { FlowTerms } from "./flow-terms.ts";

/** The fields of a provider's form that an end user is asked for. */
export function listAskedFields(
  fields: readonly FormField[],
  { purpose, scopes, settings }: Pick<FlowTerms, "purpose" | "scopes" | "settings">,
): FormField[] {
  // Whoever looks at the accesses reads nothing, so only what the sign-in itself needs is asked for.
  if (purpose === "accesses") return fields.filter((field) => !isFolded(field));
  return fields.filter(
    (field) =>
      isNeeded(field, scopes) && !(field.isSetting && settings?.[field.name] !== undefined),
  );
}

/** The settings of a connection that its end user may change. */
export function listSettings(fields: readonly FormField[], scopes: readonly Scope[]): FormField[] {
  return fields.filter((field) => field.isSetting && isNeeded(field, scopes));
}

/** False for a setting that counts for resources which nobody asks for. */
export function isNeeded({ resources }: FormField, scopes: readonly Scope[]): boolean {
  if (!resources) return true;
  const wanted = resourcesOfScopes(scopes);
  return resources.some((resource) => wanted.includes(resource));
}

/** A setting that can stay as it is. */
export function isFolded({ isSetting = false, isRequired }: FormField): boolean {
  return isSetting && !isRequired;
}

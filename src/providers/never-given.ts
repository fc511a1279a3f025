import type { Resource } from "../model/index.ts";
import type { DescribedField } from "./described-field.ts";
import { sourceShapes } from "./source-fields.ts";

/** The host makes it. */
const madeByHost = "display_full_name";

/** The fields that no table of an adapter fills: always null. Nothing is known of records that no table makes. */
export function listNeverGiven(resource: Resource, fields: readonly DescribedField[]): string[] {
  if (fields.length === 0) return [];
  const given = new Set(
    fields
      .filter(({ isNull }) => isNull !== "always")
      .map(({ field }) => field.replace(/[.[].*/, "")),
  );
  return Object.keys(sourceShapes[resource]).filter(
    (name) => !given.has(name) && name !== madeByHost,
  );
}

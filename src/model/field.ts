import { z } from "zod";

/** A field that is always present in a reply. It is null when the provider leaves it out. */
export function orNull<Schema extends z.ZodType>(
  schema: Schema,
): z.ZodDefault<z.ZodNullable<Schema>> {
  return schema.nullable().default(null as never);
}

export const text = z.string();
export const date = z.iso.date().meta({ description: "YYYY-MM-DD", examples: ["2026-03-01"] });
/** RFC 3339 in UTC. */
export const time = z.iso
  .datetime()
  .meta({ description: "RFC 3339, in UTC", examples: ["2026-03-02T09:00:00Z"] });
/** Lower-case ISO 4217 code. */
export const currency = z
  .string()
  .regex(/^[a-z]{3}$/)
  .meta({ description: "Lower-case ISO 4217 code", examples: ["eur"] });

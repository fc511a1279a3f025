import { z } from "zod";

/** A field that is always present in a reply. It is null when the provider leaves it out. */
export function orNull<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
): z.ZodDefault<z.ZodNullable<Schema>> {
  return schema
    .nullable()
    .default(null as never)
    .describe(`${description}. Null when unknown.`);
}

/** A value of an enumeration, and what it means. */
type Meanings = Readonly<Record<string, string>>;

/** An enumeration with a name of its own in the description of the API. */
export function namedEnum<const Values extends Meanings>(
  id: string,
  description: string,
  meanings: Values,
): z.ZodEnum<{ [Value in keyof Values & string]: Value }> {
  const values = Object.fromEntries(Object.keys(meanings).map((value) => [value, value]));
  return z
    .enum(values as { [Value in keyof Values & string]: Value })
    .meta({ id, description: `${description}\n\n${listMeanings(meanings)}` });
}

function listMeanings(meanings: Meanings): string {
  return Object.entries(meanings)
    .map(([value, meaning]) => `- \`${value}\`: ${meaning}`)
    .join("\n");
}

export const text = z.string();
/** YYYY-MM-DD */
export const date = z.iso.date().meta({ examples: ["2026-03-01"] });
/** RFC 3339 in UTC. */
export const time = z.iso.datetime().meta({ examples: ["2026-03-02T09:00:00Z"] });
/** Lower-case ISO 4217 code. */
export const currency = z
  .string()
  .regex(/^[a-z]{3}$/)
  .meta({ examples: ["eur"] });

import type { z } from "zod";
import { UsageFailure } from "./command-failure.ts";

/** The value of an option as a schema has it. Throws UsageFailure, which names the option. */
export function checkOption<Schema extends z.ZodType>(
  option: string,
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new UsageFailure(
    `--${option}: ${parsed.error.issues.map(({ message }) => message).join("; ")}`,
  );
}

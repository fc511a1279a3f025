import type { z } from "zod";

/** The path of a field, such as `employments.0.pay_rate`. */
export type OnNulled = (path: string) => void;

/**
 * Checks a record against the public model. A nullable field that breaks the model becomes null and is reported
 * to `onNulled`. Undefined when a required field is missing or wrong.
 */
export function checkRecord<Schema extends z.ZodType>(
  schema: Schema,
  record: Record<string, unknown>,
  onNulled: OnNulled,
): z.output<Schema> | undefined {
  let candidate = record;
  // Each repair removes at least one fault and makes no other, so the loop ends.
  for (;;) {
    const result = schema.safeParse(candidate);
    if (result.success) return result.data;
    const issue = result.error.issues[0];
    const repaired = issue && nullNearest(schema, candidate, issue);
    if (!repaired) return undefined;
    onNulled(repaired.path.join("."));
    candidate = repaired.record;
  }
}

/** The paths of the required fields of a record that are missing or wrong. */
export function listLacking(schema: z.ZodType, record: Record<string, unknown>): string[] {
  const issues = schema.safeParse(record).error?.issues ?? [];
  return issues
    .filter((issue) => !nullNearest(schema, record, issue))
    .map(({ path }) => path.join("."));
}

/** Sets the innermost field around the issue to null that removes the issue. */
function nullNearest(
  schema: z.ZodType,
  record: Record<string, unknown>,
  { path }: z.core.$ZodIssue,
): { record: Record<string, unknown>; path: PropertyKey[] } | undefined {
  for (let length = path.length; length > 0; length -= 1) {
    const shorter = path.slice(0, length);
    const repaired = setNull(record, shorter) as Record<string, unknown>;
    const result = schema.safeParse(repaired);
    const stillThere = result.error?.issues.some(
      (other) => isPrefix(shorter, other.path) || isPrefix(other.path, shorter),
    );
    if (!stillThere) return { record: repaired, path: shorter };
  }
  return undefined;
}

function setNull(value: unknown, path: readonly PropertyKey[]): unknown {
  const [head, ...rest] = path;
  if (head === undefined) return null;
  if (Array.isArray(value))
    return value.map((item: unknown, index) => (index === head ? setNull(item, rest) : item));
  return {
    ...(value as Record<PropertyKey, unknown>),
    [head]: setNull((value as Record<PropertyKey, unknown> | null)?.[head], rest),
  };
}

function isPrefix(prefix: readonly PropertyKey[], path: readonly PropertyKey[]): boolean {
  return prefix.every((part, index) => path[index] === part);
}

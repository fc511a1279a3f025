import { expectThat } from "./expect-failure.ts";
import type { ReadRecord } from "./trial.ts";

interface Reads {
  usual: readonly ReadRecord[];
  found: readonly ReadRecord[];
}

/** Throws when records have lost a value by what is said to have happened, and nothing names the field. */
export function expectLossTold(what: string, reads: Reads, limited: readonly string[]): void {
  const lost = findLostFields(reads, limited);
  expectThat(
    lost.length === 0,
    `${what}, and ${lost.join(", ")} lost values without a word, as if somebody had changed them: ` +
      "name such fields with `context.limited`, or as `limited` of `check`",
  );
}

/** The fields that have less in a read than in the usual one, and that nobody named as limited. */
function findLostFields({ usual, found }: Reads, limited: readonly string[]): string[] {
  const known = new Map(found.map((record) => [keyOf(record), record]));
  const told = new Set(limited.map(topOf));
  const lost = usual.flatMap((record) => {
    const now = known.get(keyOf(record));
    return now ? Object.keys(record).filter((name) => hasLess(record[name], now[name])) : [];
  });
  return [...new Set(lost)].filter((name) => !told.has(name));
}

/** Tells a record from the others of its resource: a balance of time off has no id of its own. */
export function keyOf({ id, employee_id: employee, policy_id: policy }: ReadRecord): string {
  return JSON.stringify(id ?? [employee, policy]);
}

/** As the public record has them, from its top. */
function topOf(field: string): string {
  return field.split(/[.[]/, 1)[0] ?? field;
}

/** What has another value has not less. */
function hasLess(before: unknown, now: unknown): boolean {
  const left = countFilled(now);
  return [...countFilled(before)].some(([path, count]) => (left.get(path) ?? 0) < count);
}

/** How often each place within a value is filled, in whichever item of a list. */
function countFilled(value: unknown): Map<string, number> {
  const counts = new Map<string, number>();
  for (const path of filledPaths(value, "")) counts.set(path, (counts.get(path) ?? 0) + 1);
  return counts;
}

function filledPaths(value: unknown, path: string): string[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== "object") return [path];
  const inner = Array.isArray(value)
    ? value.map((item: unknown): [string, unknown] => ["", item])
    : Object.entries(value);
  return inner.flatMap(([name, one]) => filledPaths(one, `${path}.${name}`));
}

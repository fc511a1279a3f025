import { isDeepStrictEqual } from "node:util";
import type { Resource } from "../model/index.ts";
import { isRecord } from "../platform/is-record.ts";
import type { ReadRecord } from "./trial.ts";

/** A field that is not what the fake says. */
export interface Difference {
  /** Without the places in lists, such as `earnings.amount`. */
  path: string;
  wrong: string;
}

/** What tells one record from the others, where the fake names it. */
const ids = ["remote_id", "employee_remote_id", "payrun_remote_id", "policy_remote_id"];
/** Ours, or made of other fields that are looked at. */
const derived = new Set(
  "id employee_id payrun_id policy_id employment_history compensation_history custom_fields".split(
    " ",
  ),
);

/** Each difference between a record that the fake names and what was read of it. */
export function findDifferences(
  resource: Resource,
  expected: ReadRecord,
  records: readonly ReadRecord[],
): Difference[] {
  const own = ids.find((id) => expected[id] !== undefined);
  const named = own === "remote_id" ? [own] : ids.filter((id) => expected[id] !== undefined);
  const found = records
    .filter((record) => named.every((id) => record[id] === expected[id]))
    .map((record) => compare(expected, record, ""))
    .toSorted((a, b) => a.length - b.length)[0];
  const name = `${resource} ${named.map((id) => String(expected[id])).join(" ")}`;
  if (!found) return [{ path: "remote_id", wrong: `${name} is not there` }];
  return found.map(({ path, wrong }) => ({ path, wrong: `${path} of ${name} ${wrong}` }));
}

function compare(expected: unknown, given: unknown, path: string): Difference[] {
  if (Array.isArray(expected)) return compareLists(expected as unknown[], given, path);
  if (isRecord(expected) && isRecord(given))
    return Object.entries(expected).flatMap(([name, value]) =>
      compare(value, given[name], path === "" ? name : `${path}.${name}`),
    );
  if (isDeepStrictEqual(expected, given) || isSameInstant(expected, given)) return [];
  return [{ path, wrong: `has to be ${show(expected)}, and it is ${show(given)}` }];
}

/** In any order: each item beside the one that is most like it, and first the items that say the most. */
function compareLists(expected: readonly unknown[], given: unknown, path: string): Difference[] {
  const items = Array.isArray(given) ? (given as unknown[]) : [];
  if (items.length !== expected.length)
    return [{ path, wrong: `has to have ${expected.length} items, and it has ${items.length}` }];
  const left = [...items];
  const saying = expected.toSorted((a, b) => listLeaves(b).length - listLeaves(a).length);
  return saying.flatMap((item) => {
    const ranked = left
      .map((other) => ({ other, differences: compare(item, other, path) }))
      .toSorted((a, b) => a.differences.length - b.differences.length);
    const [best] = ranked;
    if (!best) return [];
    left.splice(left.indexOf(best.other), 1);
    return best.differences;
  });
}

function listLeaves(value: unknown): unknown[] {
  return isRecord(value) || Array.isArray(value)
    ? Object.values(value).flatMap(listLeaves)
    : [value];
}

function isTime(value: unknown): value is string {
  return typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value);
}

/** However its fractions of a second are written. */
function isSameInstant(expected: unknown, given: unknown): boolean {
  return isTime(expected) && isTime(given) && Date.parse(expected) === Date.parse(given);
}

/** The paths of all that has a value, but for what is ours. */
export function listFilled(record: ReadRecord): string[] {
  return [...new Set(pathsOf(record, ""))];
}

function pathsOf(value: unknown, path: string): string[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((item) => pathsOf(item, path));
  if (!isRecord(value)) return [path];
  return Object.entries(value).flatMap(([name, inner]) =>
    derived.has(name) ? [] : pathsOf(inner, path === "" ? name : `${path}.${name}`),
  );
}

export function show(value: unknown): string {
  return value === undefined ? "absent" : JSON.stringify(value);
}

export function byRemoteId(records: readonly ReadRecord[]): Map<string, ReadRecord> {
  return new Map(records.map((record) => [String(record["remote_id"]), record]));
}

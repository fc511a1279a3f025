import type { Resource } from "../../../src/model/index.ts";
import type { ExpectedRecords } from "../../../src/providers/conformance.ts";

/** What is expected of some records, and of others in every field. */
export function withComplete(
  expected: ExpectedRecords,
  complete: ExpectedRecords,
): ExpectedRecords {
  const resources = [...new Set([...Object.keys(expected), ...Object.keys(complete)])];
  return Object.fromEntries(
    (resources as Resource[]).map((resource) => [
      resource,
      [...(expected[resource] ?? []), ...(complete[resource] ?? [])],
    ]),
  );
}

import { expect, test } from "vitest";
import { toRegion } from "../../../src/providers/kit/to-region.ts";

test.each([
  ["US", "California", "CA"],
  ["US", "new york", "NY"],
  ["US", "Washington, D.C.", "DC"],
  ["US", "Washington", "WA"],
  ["US", "tx", "TX"],
  ["CA", "Québec", "QC"],
  ["CA", "Newfoundland and Labrador", "NL"],
  ["US", "Ontario", null],
  ["US", "Somewhere", null],
  ["ES", "Madrid", "Madrid"],
  [null, "Utah", "Utah"],
  ["US", null, null],
])("a region in %s that is written %j is %j", (country, written, region) => {
  expect(toRegion(country, written)).toBe(region);
});

import { expect, test } from "vitest";
import { toRegion } from "../../../src/providers/kit/to-region.ts";

test.each([
  ["US", "California", "CA"],
  ["US", "new york", "NY"],
  ["US", "Washington, D.C.", "DC"],
  ["US", "Washington", "WA"],
  ["US", "tx", "TX"],
  ["US", "US-CA", "CA"],
  ["US", "California (CA)", "CA"],
  ["US", "D.C.", "DC"],
  ["US", "Guam", "GU"],
  ["US", "U.S. Virgin Islands", "VI"],
  ["US", "American Samoa", "AS"],
  ["US", "Northern Mariana Islands", "MP"],
  ["CA", "CA-QC", "QC"],
  ["CA", "Québec", "QC"],
  ["CA", "Yukon Territory", "YT"],
  ["CA", "Newfoundland", "NL"],
  ["CA", "Newfoundland and Labrador", "NL"],
  ["US", "Ontario", null],
  ["US", "Somewhere", null],
  ["ES", "Madrid", "Madrid"],
  [null, "Utah", "Utah"],
  ["US", null, null],
])("a region in %s that is written %j is %j", (country, written, region) => {
  expect(toRegion(country, written)).toBe(region);
});

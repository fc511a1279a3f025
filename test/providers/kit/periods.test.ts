import { describe, expect, test } from "vitest";
import { nationality } from "../../../src/providers/kit/readers.ts";
import { findStarts, type Period } from "../../../src/providers/kit/periods.ts";

const today = "2026-03-02";

describe("the first days of somebody", () => {
  test.each<[string, Period[], number, string | null, string | null]>([
    ["without a period", [], 0, null, null],
    ["who is there since", [{ start: "2020-01-01", end: null }], 0, "2020-01-01", "2020-01-01"],
    [
      "whose contract follows another",
      [
        { start: "2021-01-01", end: null },
        { start: "2020-01-01", end: "2020-12-31" },
      ],
      0,
      "2020-01-01",
      "2020-01-01",
    ],
    [
      "whose contracts overlap, a short one in a long one",
      [
        { start: "2020-01-01", end: "2026-12-31" },
        { start: "2020-02-01", end: "2020-03-01" },
        { start: "2027-01-01", end: null },
      ],
      0,
      "2020-01-01",
      "2020-01-01",
    ],
    [
      "who came back",
      [
        { start: "2018-01-01", end: "2019-06-30" },
        { start: "2020-01-01", end: "2020-12-31" },
        { start: "2021-01-01", end: null },
      ],
      0,
      "2020-01-01",
      "2018-01-01",
    ],
    [
      "who will come back",
      [
        { start: "2018-01-01", end: "2019-06-30" },
        { start: "2026-04-01", end: null },
        { start: "2030-01-01", end: null },
      ],
      0,
      "2026-04-01",
      "2018-01-01",
    ],
    [
      "who left twice",
      [
        { start: "2018-01-01", end: "2019-06-30" },
        { start: "2020-01-01", end: "2020-12-31" },
      ],
      0,
      "2020-01-01",
      "2018-01-01",
    ],
    [
      "between whose contracts was a weekend, which counts",
      [
        { start: "2023-01-02", end: "2023-06-30" },
        { start: "2023-07-03", end: null },
      ],
      0,
      "2023-07-03",
      "2023-01-02",
    ],
    [
      "between whose contracts was a weekend, which does not count",
      [
        { start: "2023-01-02", end: "2023-06-30" },
        { start: "2023-07-03", end: null },
      ],
      2,
      "2023-01-02",
      "2023-01-02",
    ],
    [
      "whose last day is today",
      [{ start: "2020-01-01", end: today }],
      0,
      "2020-01-01",
      "2020-01-01",
    ],
  ])("%s", (_, periods, daysBetween, start, first) => {
    expect(findStarts(periods, today, daysBetween)).toEqual({ start, first });
  });
});

describe("a nationality", () => {
  test.each([
    ["BE", "BE"],
    [" tv ", "TV"],
    ["XK", null],
    ["EU", null],
    ["UK", null],
    ["Belgium", null],
    [12, null],
  ])("%j is %j", (value, expected) => {
    expect(nationality.read(value)).toBe(expected);
  });
});

import { describe, expect, test } from "vitest";
import { toMinorUnits } from "../../../src/providers/kit/money.ts";

describe("an amount becomes minor units", () => {
  test.each<[amount: number | string, minorUnits: number]>([
    [0, 0],
    [-0, 0],
    [1, 100],
    [1234.5, 123_450],
    [8.2, 820],
    // Multiplied as floats, these are 1998.9999999999998 and 115.99999999999999.
    [19.99, 1999],
    [1.16, 116],
    [-19.99, -1999],
    [0.1 + 0.2, 30],
    [1e-7, 0],
    [-1e-7, 0],
    ["90071992547409.91", Number.MAX_SAFE_INTEGER],
    ["0.00", 0],
    ["-0.00", 0],
    ["12", 1200],
    ["+12.3", 1230],
    ["-1234.56", -123_456],
    ["007.10", 710],
    [" 12.34 ", 1234],
  ])("%s is %i", (amount, minorUnits) => {
    expect(toMinorUnits(amount, "gbp")).toBe(minorUnits);
  });
});

describe("digits after the second one are rounded half away from zero", () => {
  test.each<[amount: number | string, minorUnits: number]>([
    [1.004, 100],
    [1.005, 101],
    [-1.005, -101],
    [2.675, 268],
    [0.004, 0],
    ["-0.004", 0],
    ["0.0049999999999999999999", 0],
    ["-0.005", -1],
    ["9.999", 1000],
  ])("%s is %i", (amount, minorUnits) => {
    expect(toMinorUnits(amount, "gbp")).toBe(minorUnits);
  });
});

describe("what is no decimal is refused without repeating it", () => {
  test.each<[amount: number | string]>([
    [""],
    [" "],
    ["."],
    ["12."],
    [".5"],
    ["1,234.50"],
    ["1.234,50"],
    ["£12.00"],
    ["12.00 GBP"],
    ["1e3"],
    ["0x10"],
    ["--1"],
    ["1 000"],
    ["NaN"],
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    [1e21],
  ])("%s", (amount) => {
    expect(() => toMinorUnits(amount, "gbp")).toThrow("an amount of money is no decimal number");
  });

  test.each<[amount: number | string]>([["90071992547409.92"], [-1e20]])(
    "%s cannot be counted exactly",
    (amount) => {
      expect(() => toMinorUnits(amount, "gbp")).toThrow("an amount of money is too large");
    },
  );
});

describe("the decimals are those of the currency", () => {
  test.each<[currency: string | null, amount: number | string, minorUnits: number]>([
    ["JPY", 350_000, 350_000],
    ["jpy", "350000.4", 350_000],
    ["krw", 1.5, 2],
    ["isk", -1.5, -2],
    ["clp", "0.4", 0],
    ["vnd", 5_000_000, 5_000_000],
    ["KWD", 1.5, 1500],
    ["kwd", "0.0005", 1],
    ["bhd", 0.001, 1],
    ["jod", "12.3456", 12_346],
    ["tnd", 7, 7000],
    ["eur", 1.5, 150],
    ["xxx", 1.5, 150],
    [null, 1.5, 150],
  ])("of %s, %s is %i", (currency, amount, minorUnits) => {
    expect(toMinorUnits(amount, currency)).toBe(minorUnits);
  });
});

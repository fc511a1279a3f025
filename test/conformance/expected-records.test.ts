import { expect, test } from "vitest";
import { findDifferences } from "../../src/conformance/expected-records.ts";

const bonuses = (...amounts: number[]) => amounts.map((amount) => ({ name: "Bonus", amount }));
const slip = (earnings: object[]) => ({ remote_id: "1", earnings });
const wrongOf = (expected: object[], given: object[]) =>
  findDifferences("payslips", slip(expected), [slip(given)]).map(({ wrong }) => wrong);

test.each([
  ["before", [{ name: "Bonus" }, { name: "Bonus", amount: 500 }]],
  ["behind", [{ name: "Bonus", amount: 500 }, { name: "Bonus" }]],
])("an item that says less may stand %s one that says more", (_where, expected) => {
  expect(wrongOf(expected, bonuses(500, 700))).toEqual([]);
  expect(wrongOf(expected, bonuses(700, 500))).toEqual([]);
  expect(wrongOf(expected, bonuses(600, 700))).toEqual([
    "earnings.amount of payslips 1 has to be 500, and it is 600",
  ]);
});

import { expect, test } from "vitest";
import { chooseOfEachKind } from "../../src/conformance/choose-some.ts";

test("of requests or cursors, the first and the last of each kind are tried, however many there are between", () => {
  const people = Array.from({ length: 50 }, () => "GET people *");
  expect(chooseOfEachKind(["GET people", ...people, "GET rights"], 6)).toEqual([0, 1, 50, 51]);
});

test("of more kinds than are to be tried, the first, the last and some between them are", () => {
  const kinds = Array.from({ length: 11 }, (_value, index) => `GET list ${index}`);
  expect(chooseOfEachKind(kinds, 6)).toEqual([0, 2, 4, 6, 8, 10]);
  expect(chooseOfEachKind([], 6)).toEqual([]);
});

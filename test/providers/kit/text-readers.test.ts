import { expect, test } from "vitest";
import { stripIban } from "../../../src/providers/kit/text-readers.ts";

test.each([
  ["DE89 3704 0044 0532 0130 00", "DE89370400440532013000"],
  ["DE89\u{a0}3704\u{202f}0044 0532\t0130 00", "DE89370400440532013000"],
  ["DE89-3704-0044-0532-0130-00", "DE89370400440532013000"],
  [null, null],
])("an IBAN that is typed as %j is %j", (typed, iban) => {
  expect(stripIban(typed)).toBe(iban);
});

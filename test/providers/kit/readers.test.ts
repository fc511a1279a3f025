import { describe, expect, test } from "vitest";
import {
  country,
  day,
  dayWritten,
  flag,
  given,
  instant,
  list,
  number,
  oneOf,
  readValue,
  text,
  unreadable,
  webAddress,
  wordIn,
  type Reader,
} from "../../../src/providers/kit/readers.ts";
import { countries } from "../../../src/model/index.ts";

const status = oneOf({ "On Leave": "leave", ACTIVE: "active", gone: null });
const frequency = oneOf({ Monthly: "monthly" }, { otherwise: "other" });

const policy = wordIn({ "jury duty": "jury", sick: "sick", holiday: "holiday" });
const origin = wordIn({ white: "white" }, { otherwise: "other" });

describe("a reader", () => {
  test.each<[name: string, reader: Reader<unknown>, value: unknown, expected: unknown]>([
    ["text", text, " Ann ", "Ann"],
    ["text", text, 42, "42"],
    ["text", text, "  ", null],
    ["text", text, { label: "Ann" }, unreadable],
    ["number", number, 7.5, 7.5],
    ["number", number, "7.50", 7.5],
    ["number", number, "-1,234.5", -1234.5],
    ["number", number, "12,34", unreadable],
    ["number", number, "1.234,5", unreadable],
    ["number", number, Number.NaN, unreadable],
    ["number", number, "9".repeat(400), unreadable],
    ["flag", flag, false, false],
    ["flag", flag, "Yes", true],
    ["flag", flag, 0, false],
    ["flag", flag, "perhaps", unreadable],
    ["day", day, "2024-02-29T23:00:00Z", "2024-02-29"],
    ["day", day, "2023-02-29", unreadable],
    ["day", day, "0000-00-00", null],
    ["day", day, "02/03/2026", unreadable],
    ["day", dayWritten("DD/MM/YYYY"), "02/03/2026", "2026-03-02"],
    ["day", dayWritten("DD/MM/YYYY"), "31/04/2026", unreadable],
    ["day", dayWritten("MM.DD.YYYY"), "02.03.2026", "2026-02-03"],
    ["day", dayWritten("MM.DD.YYYY"), "02x03x2026", unreadable],
    ["moment", instant("Europe/Berlin"), "2026-07-01 09:30", "2026-07-01T07:30:00Z"],
    ["moment", instant("Europe/Berlin"), "2026-01-01T09:30:00+05:00", "2026-01-01T04:30:00Z"],
    ["moment", instant("Europe/Berlin"), "noon", unreadable],
    ["moment", instant("Europe/Berlin"), 1_767_225_600, unreadable],
    ["word", status, "on-leave", "leave"],
    ["word", status, "active", "active"],
    ["word", status, "Gone", null],
    ["word", status, "new", unreadable],
    ["word", frequency, "MONTHLY", "monthly"],
    ["word", frequency, "fortnightly", "other"],
    ["word", frequency, "", null],
    ["word in a text", policy, "Unpaid (Sickness)", "sick"],
    ["word in a text", policy, "Floating-holiday, JURY  duty", "jury"],
    ["word in a text", policy, "Seasick", null],
    ["word in a text", origin, "White", "white"],
    ["word in a text", origin, "Off-white", "white"],
    ["word in a text", origin, "Blue", "other"],
    ["word in a text", origin, " ", null],
    ["list", list(text), ["a", " b "], ["a", "b"]],
    ["list", list(text), ["a", null], ["a"]],
    ["list", list(text), ["a", {}], unreadable],
    ["list", list(text), "a", unreadable],
    ["country", country, "de", "DE"],
    ["country", country, "DEU", "DE"],
    ["country", country, "Deutschland", "DE"],
    ["country", country, "États-Unis", "US"],
    ["country", country, "United Kingdom", "GB"],
    ["country", country, "Northern Ireland", "GB"],
    ["country", country, "Wakanda", null],
    ["web address", webAddress, "acme.example", "https://acme.example/"],
    ["web address", webAddress, "http://acme.example/a", "http://acme.example/a"],
    ["web address", webAddress, "ftp://acme.example", unreadable],
    ["given", given<number[]>(), [1], [1]],
    ["given", given<number[]>(), null, null],
  ])("of a %s reads %j: %j", (_name, reader, value, expected) => {
    expect(readValue(reader, value)).toEqual(expected);
  });

  test.each(countries)(
    "of a country knows the English name and the three letters of %s",
    (code) => {
      const name = new Intl.DisplayNames(["en"], { type: "region" }).of(code);
      expect(readValue(country, name)).toBe(code);
    },
  );
});

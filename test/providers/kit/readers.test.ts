import { describe, expect, test } from "vitest";
import {
  country,
  day,
  dayWritten,
  flag,
  given,
  instant,
  list,
  money,
  nationality,
  number,
  numberWritten,
  oneOf,
  readValue,
  records,
  strict,
  text,
  unreadable,
  webAddress,
  wordIn,
  type Reader,
} from "../../../src/providers/kit/readers.ts";
import { countries } from "../../../src/model/index.ts";
import { ProviderBug } from "../../../src/providers/errors.ts";

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
    ["number", number, "+1 234.5", 1234.5],
    ["number", number, "12,34", unreadable],
    ["number", number, "", null],
    ["number", number, "-", unreadable],
    ["number", number, true, unreadable],
    ["number with a comma", numberWritten(","), "1.234,5", 1234.5],
    ["number with a comma", numberWritten(","), "-1234567,89", -1234567.89],
    ["number with a comma", numberWritten(","), "1.234", 1234],
    ["number with a comma", numberWritten(","), "1\u202f234,50", 1234.5],
    ["number with a comma", numberWritten(","), "1’234,50-", -1234.5],
    ["number with a comma", numberWritten(","), "1,234.5", unreadable],
    ["number with a comma", numberWritten(","), "12.34", unreadable],
    ["number with a comma", numberWritten(","), "--1", unreadable],
    ["number with a comma", numberWritten(","), 12.34, 12.34],
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
    ["day", day, "2026-03-02 09:00", "2026-03-02"],
    ["day", day, "2026-03-02+01:00", "2026-03-02"],
    ["day", day, "2026-03-021", unreadable],
    ["day", dayWritten("DD/MM/YYYY"), "02/03/20261", unreadable],
    ["day", dayWritten("YYYYMMDD"), "20260302093000", "2026-03-02"],
    ["day", day, "02/03/2026", unreadable],
    ["day", dayWritten("DD/MM/YYYY"), "02/03/2026", "2026-03-02"],
    ["day", dayWritten("DD/MM/YYYY"), "31/04/2026", unreadable],
    ["day", dayWritten("MM.DD.YYYY"), "02.03.2026", "2026-02-03"],
    ["day", dayWritten("MM.DD.YYYY"), "02x03x2026", unreadable],
    ["moment", instant("Europe/Berlin"), "2026-07-01 09:30", "2026-07-01T07:30:00Z"],
    ["moment", instant("Europe/Berlin"), "2026-01-01T09:30:00+05:00", "2026-01-01T04:30:00Z"],
    [
      "moment",
      instant("Europe/Madrid", "DD/MM/YYYY HH:mm"),
      "01/11/2026 09:05",
      "2026-11-01T08:05:00Z",
    ],
    [
      "moment",
      instant("Europe/Madrid", "HH.mm.ss DD-MM-YYYY"),
      "23.59.58 01-07-2026",
      "2026-07-01T21:59:58Z",
    ],
    ["moment", instant("UTC", "YYYYMMDDHHmm"), "202603020930", "2026-03-02T09:30:00Z"],
    ["moment", instant("Europe/Madrid", "DD/MM/YYYY HH:mm"), "31/04/2026 09:00", unreadable],
    ["moment", instant("Europe/Madrid", "DD/MM/YYYY HH:mm"), "01/04/2026 24:00", unreadable],
    ["moment", instant("Europe/Madrid", "DD/MM/YYYY HH:mm"), "01/04/2026 09:00:00", unreadable],
    ["moment", instant("Europe/Madrid", "DD/MM/YYYY HH:mm"), "01-04-2026 09:00", unreadable],
    ["moment", instant("Europe/Berlin"), "noon", unreadable],
    ["moment", instant("Europe/Berlin"), "2026-03-02 09:00:00+00", "2026-03-02T09:00:00Z"],
    ["moment", instant("Europe/Berlin"), "2026-03-02 09:00:00 UTC", "2026-03-02T09:00:00Z"],
    ["moment", instant("Europe/Berlin"), "2026-03-02t09:00:00z", "2026-03-02T09:00:00Z"],
    ["moment", instant("Europe/Berlin"), "2026-03-02 09:00 gmt", "2026-03-02T09:00:00Z"],
    [
      "moment",
      instant("Europe/Berlin"),
      "2026-03-02T09:00:00.1234567-0530",
      "2026-03-02T14:30:00Z",
    ],
    ["moment", instant("Europe/Berlin"), "2026-03-02T09:00:00 +05:30", "2026-03-02T03:30:00Z"],
    ["moment", instant("Europe/Berlin"), "2026-03-02T24:00", "2026-03-02T23:00:00Z"],
    ["moment", instant("Europe/Berlin"), "2026-03-02 09:00 PM", unreadable],
    ["moment", instant("Europe/Berlin"), "2026-07-02T09:00:00 CET", unreadable],
    ["moment", instant("Europe/Berlin"), "2026-03-02T09:00:00+25:00", unreadable],
    ["moment", instant("Europe/Berlin"), "2026-03-02T09:00:00 +01:00:00", unreadable],
    ["moment", instant("Europe/Berlin"), "2026-03-02T09:00:00[Europe/Madrid]", unreadable],
    ["moment", instant("Europe/Berlin"), "at 2026-03-02T09:00:00", unreadable],
    ["moment", instant("Europe/Berlin"), "2026-02-30T09:00:00", unreadable],
    ["moment", instant("Europe/Berlin"), "2026-02-30T09:00:00Z", unreadable],
    ["moment", instant("Europe/Berlin"), "2026-02-28 24:30", unreadable],
    ["moment", instant("Europe/Berlin"), 1_767_225_600, unreadable],
    ["word", status, "on-leave", "leave"],
    ["word", status, "active", "active"],
    ["word", status, "Gone", null],
    ["word", status, "new", unreadable],
    ["word", frequency, "MONTHLY", "monthly"],
    ["word", frequency, "fortnightly", "other"],
    ["word", frequency, "", null],
    ["word", frequency, { "@nil": "true" }, unreadable],
    ["word", frequency, ["monthly"], unreadable],
    ["word", oneOf({ 1: "approved", "-1": "rejected", 0: "pending" }), 1, "approved"],
    ["word", oneOf({ 1: "approved", "-1": "rejected", 0: "pending" }), -1, "rejected"],
    ["word", oneOf({ 1: "approved", "-1": "rejected", 0: "pending" }), " -1 ", "rejected"],
    ["word", oneOf({ "-per-hour": "hour" }), "per hour", "hour"],
    ["word", oneOf({ España: "es" }), "España".normalize("NFD"), "es"],
    ["word in a text", wordIn({ año: "year" }), "por año".normalize("NFD"), "year"],
    ["word in a text", origin, { "@nil": "true" }, unreadable],
    ["country", country, "España".normalize("NFD"), "ES"],
    ["country", country, ["de"], unreadable],
    ["nationality", nationality, ["de"], unreadable],
    ["nationality", nationality, " de", "DE"],
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
    ["money", money("gbp"), 480.77, 48_077],
    ["money", money("gbp"), "-0.29", -29],
    ["money", money("jpy"), 480, 480],
    ["money", money("gbp"), "1,234.50", unreadable],
    ["money", money("gbp", "."), "1,234.50", 123_450],
    ["money", money("eur", ","), "1.234,56", 123_456],
    ["money", money("eur", ","), "-0,005", -1],
    ["money", money("eur", ","), "1234.56", unreadable],
    ["money", money("eur", ","), 12.34, 1234],
    ["money", money("eur"), "1,23", unreadable],
    ["money", money("gbp"), [480], unreadable],
    ["money", money("gbp"), 1e300, unreadable],
    ["records", records, [{ a: 1 }], [{ a: 1 }]],
    ["records", records, [{ a: 1 }, null], unreadable],
    ["records", records, ["a"], unreadable],
    ["records", records, {}, unreadable],
    ["strict value", strict(number), 7, 7],
    ["strict value", strict(number), null, null],
    ["country", country, "de", "DE"],
    ["country", country, "DEU", "DE"],
    ["country", country, "Deutschland", "DE"],
    ["country", country, "Wielka Brytania", "GB"],
    ["country", country, "États-Unis", "US"],
    ["country", country, "United Kingdom", "GB"],
    ["country", country, "Northern Ireland", "GB"],
    ["country", country, "Republic of Ireland", "IE"],
    ["country", country, "Wakanda", null],
    ["web address", webAddress, "acme.example", "https://acme.example/"],
    ["web address", webAddress, "http://acme.example/a", "http://acme.example/a"],
    ["web address", webAddress, "ftp://acme.example", unreadable],
    ["given", given<number[]>(), [1], [1]],
    ["given", given<number[]>(), null, null],
  ])("of a %s reads %j: %j", (_name, reader, value, expected) => {
    expect(readValue(reader, value)).toEqual(expected);
  });

  test.each([
    [() => dayWritten("DD/MM/YY"), "the pattern DD/MM/YY has no YYYY"],
    [() => instant("UTC", "DD/MM/YYYY hh:mm"), "the pattern DD/MM/YYYY hh:mm has no HH"],
  ])("is not declared with a pattern that lacks a part", (declare, message) => {
    expect(declare).toThrow(new TypeError(message));
  });

  test("of words is not declared with two values for one spelling", () => {
    expect(() => oneOf({ "on-leave": "leave", "On Leave": "away" })).toThrow(
      new TypeError("oneOf has two values for On Leave, which is told by its letters and digits"),
    );
    expect(() => oneOf({ "on-leave": "leave", "On Leave": "leave" })).not.toThrow();
  });

  test("that is strict breaks the read, and says nothing of the value", () => {
    expect(() => readValue(strict(money("gbp")), "Ann")).toThrow(
      new ProviderBug("a value cannot be read as money, gbp"),
    );
  });

  test.each(countries)(
    "of a country knows the English name and the three letters of %s",
    (code) => {
      const name = new Intl.DisplayNames(["en"], { type: "region" }).of(code);
      expect(readValue(country, name)).toBe(code);
    },
  );
});

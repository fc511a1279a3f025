// What the company has set up for its payroll: the calendars by which people are paid, and the rates of their pay.
import { defineReader } from "../contract.ts";
import { always, defineFields } from "../kit/fields.ts";
import { text } from "../kit/readers.ts";
import { defineSource, type Parts } from "../kit/source.ts";
import { api, listOf, lookUp } from "./xero-client.ts";

const calendar = defineSource({ payrollCalendarID: text, name: text });

const groupFields = defineFields("groups", calendar, {
  remote_id: "payrollCalendarID",
  name: "name",
  type: always("pay_group"),
});

/** People who are paid on the same days. Xero tells no other group with its members. */
export const groups = defineReader<"groups", unknown>({
  async *fetch(context) {
    yield await api.inRead(context).all(listOf("/PayRunCalendars", "payRunCalendars"));
  },
  table: groupFields,
});

export const calendarsById = lookUp("/PayRunCalendars", "payRunCalendars", "payrollCalendarID");
export const ratesById = lookUp("/EarningsRates", "earningsRates", "earningsRateID");

/** What is read of an earnings rate. */
export const rateShape = { name: text, typeOfUnits: text, rateType: text };

const hourWords = new Set(["hour", "hours", "hr", "hrs"]);

/** The company types the unit itself. A multiple of the ordinary rate, such as overtime, is always in hours. */
export function isInHours(
  rate: Pick<Parts<typeof rateShape>, "typeOfUnits" | "rateType"> | null,
): boolean {
  if (!rate) return false;
  const { typeOfUnits, rateType } = rate;
  if (typeOfUnits === null) return rateType === "MultipleOfOrdinaryEarningsRate";
  return hourWords.has(typeOfUnits.toLowerCase());
}

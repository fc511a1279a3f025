// What the company has set up for its payroll: the calendars by which people are paid, and the rates of their pay.
import { defineReader, type ReadContext } from "../contract.ts";
import { always, defineFields } from "../kit/fields.ts";
import { text } from "../kit/readers.ts";
import { defineSource, type Parts } from "../kit/source.ts";
import { australianCalendars, payItemsOf } from "./australian-client.ts";
import { countryOf } from "./country.ts";
import { lookUp } from "./xero-client.ts";

const calendar = defineSource({ payrollCalendarID: text, name: text });

const groupFields = defineFields("groups", calendar, {
  remote_id: "payrollCalendarID",
  name: "name",
  type: always("pay_group"),
});

/** People who are paid on the same days. Xero tells no other group with its members. */
export const groups = defineReader<"groups", unknown>({
  async *fetch(context) {
    yield [...(await calendarsById(context)).values()];
  },
  table: groupFields,
});

const calendars = lookUp("/PayRunCalendars", "payRunCalendars", "payrollCalendarID");
const rates = lookUp("/EarningsRates", "earningsRates", "earningsRateID");

export async function calendarsById(context: ReadContext): Promise<ReadonlyMap<string, object>> {
  const isAustralian = (await countryOf(context)) === "AU";
  return isAustralian ? await australianCalendars(context) : await calendars(context);
}

export async function ratesById(context: ReadContext): Promise<ReadonlyMap<string, object>> {
  const isAustralian = (await countryOf(context)) === "AU";
  return isAustralian ? await payItemsOf(context, "earningsRates") : await rates(context);
}

/** What is read of an earnings rate. */
export const rateShape = { name: text, typeOfUnits: text, rateType: text };

const hourWords = new Set(["hour", "hours", "hr", "hrs"]);
/** Of the ordinary rate; Australia has the second word. */
const multiples = new Set(["MultipleOfOrdinaryEarningsRate", "MULTIPLE"]);

/** The company types the unit itself. A multiple of the ordinary rate, such as overtime, is always in hours. */
export function isInHours(
  rate: Pick<Parts<typeof rateShape>, "typeOfUnits" | "rateType"> | null,
): boolean {
  if (!rate) return false;
  const { typeOfUnits, rateType } = rate;
  if (typeOfUnits === null) return multiples.has(rateType ?? "");
  return hourWords.has(typeOfUnits.toLowerCase());
}

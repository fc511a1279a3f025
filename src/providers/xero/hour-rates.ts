import type { ReadContext } from "../contract.ts";
import { toText, type XeroRecord } from "./field-values.ts";
import { readAll } from "./paged-lists.ts";

const hourWords = new Set(["hour", "hours", "hr", "hrs"]);

export async function readEarningsRates(context: ReadContext): Promise<XeroRecord[]> {
  return await readAll(context, { path: "/EarningsRates", field: "earningsRates" });
}

/** The company types the unit itself. A multiple of the ordinary rate, such as overtime, is always in hours. */
export function isInHours(rate: XeroRecord | undefined): boolean {
  if (!rate) return false;
  const unit = toText(rate, "typeOfUnits");
  if (unit === null) return toText(rate, "rateType") === "MultipleOfOrdinaryEarningsRate";
  return hourWords.has(unit.toLowerCase());
}

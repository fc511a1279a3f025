import { ProviderBug } from "./errors.ts";

const decimal = /^([+-]?)(\d+)(?:\.(\d+))?$/;
/** A number below this is written with an exponent. It is less than half a minor unit. */
const leastPlainNumber = 1e-6;

/**
 * The amount in hundredths of its unit, such as pence of pounds, from its decimal digits. Digits after the second one
 * are rounded half away from zero, so that a reversal undoes its payment exactly. Throws ProviderBug for what is no
 * plain decimal, such as `1,234.50` or the empty text, and for what a number cannot count exactly.
 */
export function toMinorUnits(amount: number | string): number {
  const match = decimal.exec(toDigits(amount));
  if (!match) throw new ProviderBug("an amount of money is no decimal number");
  const [, sign, whole = "", fraction = ""] = match;
  const minorUnits = BigInt(whole + fraction.slice(0, 2).padEnd(2, "0"));
  const isRoundedUp = (fraction[2] ?? "0") >= "5";
  const rounded = Number(isRoundedUp ? minorUnits + 1n : minorUnits);
  if (!Number.isSafeInteger(rounded)) throw new ProviderBug("an amount of money is too large");
  return sign === "-" && rounded !== 0 ? -rounded : rounded;
}

/** Of a number, the shortest digits that name it, which are those that JSON had. */
function toDigits(amount: number | string): string {
  if (typeof amount === "string") return amount.trim();
  return Math.abs(amount) < leastPlainNumber ? "0" : String(amount);
}

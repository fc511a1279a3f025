import { ProviderBug } from "../errors.ts";

const decimal = /^([+-]?)(\d+)(?:\.(\d+))?$/;
/** A number below this is written with an exponent. It is less than half of any minor unit. */
const leastPlainNumber = 1e-6;

const usualDecimals = 2;
/** Of ISO 4217, the currencies with another number of decimals. */
const decimalsOf: ReadonlyMap<string, number> = new Map(
  Object.entries({
    0: "bif clp djf gnf isk jpy kmf krw pyg rwf ugx uyi vnd vuv xaf xof xpf",
    3: "bhd iqd jod kwd lyd omr tnd",
    4: "clf uyw",
  }).flatMap(([decimals, codes]) => codes.split(" ").map((code) => [code, Number(decimals)])),
);

/**
 * The amount in minor units of the currency, such as pence of pounds, or yen, from its decimal digits. `currency` is
 * its code of ISO 4217; one that is not known counts in hundredths. Further digits are rounded half away from zero, so
 * that a reversal undoes its payment exactly. Throws ProviderBug for what is no plain decimal, such as `1,234.50` or
 * the empty text, and for what a number cannot count exactly.
 */
export function toMinorUnits(amount: number | string, currency: string | null): number {
  const decimals = decimalsOf.get(currency?.toLowerCase() ?? "") ?? usualDecimals;
  const match = decimal.exec(toDigits(amount));
  if (!match) throw new ProviderBug("an amount of money is no decimal number");
  const [, sign, whole = "", fraction = ""] = match;
  const minorUnits = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, "0"));
  const isRoundedUp = (fraction[decimals] ?? "0") >= "5";
  const rounded = Number(isRoundedUp ? minorUnits + 1n : minorUnits);
  if (!Number.isSafeInteger(rounded)) throw new ProviderBug("an amount of money is too large");
  return sign === "-" && rounded !== 0 ? -rounded : rounded;
}

/** Ten thousandths, as `exactMoney` reads them, in minor units of the currency. */
export function fromExact(tenThousandths: number, currency: string | null): number {
  return toMinorUnits(tenThousandths / 10_000, currency);
}

/** Rounds each exact amount so that the sum up to it is right: what one loses, the next one has. */
export function carried(currency: string | null): (tenThousandths: number) => number {
  let before = 0;
  return (value) => {
    const after = before + value;
    const amount = fromExact(after, currency) - fromExact(before, currency);
    before = after;
    return amount;
  };
}

/** Of a number, the shortest digits that name it, which are those that JSON had. */
function toDigits(amount: number | string): string {
  if (typeof amount === "string") return amount.trim();
  return Math.abs(amount) < leastPlainNumber ? "0" : String(amount);
}

import type { FieldOff, Locale } from "../../model/index.ts";

/** What is read of employees, in the words of one language. */
type EmployeeData = Readonly<Record<(typeof kinds)[number][number], string>>;

/** In this order on a page. */
const kinds = [
  ["contact", "job", "pay", "bank_account", "tax_id"],
  ["date_of_birth", "nationality", "gender", "ethnicity", "marital_status"],
  ["relatives", "emergency"],
] as const;

/** One phrase, without what a client has switched off. */
export function tellEmployeeData(
  locale: Locale,
  words: EmployeeData,
  off: readonly FieldOff[] = [],
): string {
  const left: ReadonlySet<string> = new Set([
    ...off,
    ...(off.includes("relatives") ? ["emergency"] : []),
  ]);
  // The English of the pages has no comma before its "and".
  const list = new Intl.ListFormat(locale === "en" ? "en-GB" : locale, { type: "conjunction" });
  return kinds
    .map((some) => some.filter((kind) => !left.has(kind)).map((kind) => words[kind]))
    .filter((some) => some.length > 0)
    .map((some) => list.format(some))
    .join(locale === "fr" ? "\u00a0; " : "; ");
}

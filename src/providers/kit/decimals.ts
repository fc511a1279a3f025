/** What stands before the decimals. */
export type DecimalMark = "." | ",";

/** Between thousands, beside the mark that is not the one of decimals: spaces and apostrophes. */
const spaces = /[ \u{a0}\u{202f}'’]/gu;
const plain = /^\d+(?:\.\d+)?$/;
const grouped = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;

/**
 * The digits of a decimal that is written with this mark, with a point in its place: `-1234.5` of `-1.234,5`, `-1 234,5`
 * or `1.234,5-`. Null for what is no decimal, such as one whose marks of thousands are not three digits apart.
 */
export function toPlainDecimal(written: string, mark: DecimalMark): string | null {
  const trimmed = written.trim();
  const isNegative = trimmed.startsWith("-") || trimmed.endsWith("-");
  const digits = trimmed.replace(/^[+-]|-$/, "");
  const withPoint = mark === "," ? exchangeMarks(digits) : digits;
  const withCommas = withPoint.replaceAll(spaces, ",");
  if (!plain.test(withCommas) && !grouped.test(withCommas)) return null;
  return (isNegative ? "-" : "") + withCommas.replaceAll(",", "");
}

function exchangeMarks(digits: string): string {
  return digits
    .split(".")
    .map((part) => part.replaceAll(",", "."))
    .join(",");
}

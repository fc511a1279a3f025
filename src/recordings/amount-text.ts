/** How a decimal is written. */
export interface AmountSpelling {
  decimals: number;
  point: "." | ",";
  /** Between thousands. Empty where there is none. */
  group: string;
}

export interface SpelledAmount extends AmountSpelling {
  value: number;
  /** It is too small to show how thousands are written. */
  isSmall: boolean;
}

const plain = /^-?\d{1,12}\.\d{1,6}$/;
/** Three digits behind a comma may as well be thousands, unless there are too many before it. */
const withComma = /^-?(?:\d{1,12},(?:\d{1,2}|\d{4,6})|\d{4,12},\d{3})$/;
const grouped = /^-?\d{1,3}(?:([.,' \u00A0\u202F\u2019])\d{3}){1,3}([.,])\d{1,6}$/;
const whole = /^-?\d{1,12}$/;
const thousand = 1_000;

/** Undefined for a text that is no number with decimals, such as `1234.56`, `1234,56`, `1.234,56` or `1,234.56`. */
export function readAmountText(text: string): SpelledAmount | undefined {
  if (plain.test(text)) return spelled(text, ".", "");
  if (withComma.test(text)) return spelled(text, ",", "");
  const [, group = "", point = ""] = grouped.exec(text) ?? [];
  if (point === "" || point === group || !isGroupedBy(text, group)) return undefined;
  return spelled(text, point === "," ? "," : ".", group);
}

/** A whole number, where others of its place have decimals. */
export function readWholeText(text: string): SpelledAmount | undefined {
  return whole.test(text) ? spelled(text, ".", "") : undefined;
}

export function writeAmountText(value: number, { decimals, point, group }: AmountSpelling): string {
  const [digits = "", fraction] = Math.abs(value).toFixed(decimals).split(".");
  const sign = value < 0 ? "-" : "";
  return sign + withMarks(digits, group) + (fraction === undefined ? "" : point + fraction);
}

function isGroupedBy(text: string, group: string): boolean {
  return (
    Array.from(text.slice(0, -1)).filter((one) => /[^\d-]/.test(one) && one !== group).length < 2
  );
}

function spelled(text: string, point: AmountSpelling["point"], group: string): SpelledAmount {
  const plainText = group === "" ? text : text.replaceAll(group, "");
  const value = plainText.replace(point, ".");
  const [, fraction = ""] = value.split(".");
  const amount = Number(value);
  const isSmall = Math.abs(amount) < thousand;
  return { value: amount, decimals: fraction.length, point, group, isSmall };
}

function withMarks(digits: string, mark: string): string {
  if (mark === "") return digits;
  const first = digits.length % 3;
  const parts = digits.slice(first).match(/\d{3}/g) ?? [];
  return [...(first > 0 ? [digits.slice(0, first)] : []), ...parts].join(mark);
}

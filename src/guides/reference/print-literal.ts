/** How a language writes values. */
export interface LiteralStyle {
  key: (name: string) => string;
  text: (text: string) => string;
  /** A number, true, false or null. */
  word: (value: number | boolean | null) => string;
}

/** A value in the syntax of a language, over several lines. */
export function printLiteral(
  value: unknown,
  style: LiteralStyle,
  unit: string,
  depth = unit.length,
): string {
  if (typeof value === "string") return style.text(value);
  if (typeof value !== "object" || value === null)
    return style.word(value as number | boolean | null);
  const inner = " ".repeat(depth + unit.length);
  const end = " ".repeat(depth);
  const print = (one: unknown): string => printLiteral(one, style, unit, depth + unit.length);
  if (Array.isArray(value)) return `[${value.map(print).join(", ")}]`;
  const lines = Object.entries(value).map(
    ([name, one]) => `${inner}${style.key(name)}: ${print(one)},\n`,
  );
  return `{\n${lines.join("")}${end}}`;
}

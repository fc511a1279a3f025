import type { OdooRecord } from "./client.ts";
import { idAt } from "./values.ts";

/** What the lines of a category are. `gross` and `net` are sums of others. */
const kinds = [
  "earning",
  "deduction",
  "tax",
  "employer_tax",
  "contribution",
  "reimbursement",
  "gross",
  "net",
  "none",
] as const;

export type LineKind = (typeof kinds)[number];

/** The categories that Odoo's payroll modules bring. */
const usual: readonly (readonly [code: string, kind: LineKind])[] = [
  ["BASIC", "earning"],
  ["ALW", "earning"],
  ["GROSS", "gross"],
  ["DED", "deduction"],
  ["TAX", "tax"],
  ["NET", "net"],
  ["COMP", "contribution"],
];

/** Whether a person typed a list such as `INCTAX=tax, TRAVEL=reimbursement`. */
export function isCategoryList(typed: string): boolean {
  return parseList(typed) !== null;
}

/** What each code means: as the connection says it, else as Odoo's modules use it. */
export function toKindsByCode(typed: string | undefined): ReadonlyMap<string, LineKind> {
  return new Map([...usual, ...(parseList(typed ?? "") ?? [])]);
}

/**
 * What the lines of each category are, by its id. A category without a meaning of its own has the one of
 * the category above it. Null where there is none: Odoo counts such lines neither in gross nor in net pay.
 */
export function toKindsByCategory(
  categories: readonly OdooRecord[],
  kindsByCode: ReadonlyMap<string, LineKind>,
): Map<number, LineKind | null> {
  const byId = new Map(categories.map((category) => [category.id, category]));
  return new Map(
    categories.map((category) => [category.id, findKind(category, byId, kindsByCode)]),
  );
}

function findKind(
  category: OdooRecord,
  byId: ReadonlyMap<number, OdooRecord>,
  kindsByCode: ReadonlyMap<string, LineKind>,
): LineKind | null {
  const seen = new Set<number>();
  for (let current: OdooRecord | undefined = category; current && !seen.has(current.id);) {
    const kind = kindsByCode.get(String(current["code"]).trim().toUpperCase());
    if (kind) return kind;
    seen.add(current.id);
    current = byId.get(idAt(current, "parent_id") ?? 0);
  }
  return null;
}

/** Null when a part of the list is not `CODE=kind`. */
function parseList(typed: string): (readonly [code: string, kind: LineKind])[] | null {
  const parts = typed.split(",").map((part) => part.trim());
  const pairs = parts
    .filter((part) => part !== "")
    .map((part) => {
      const [code = "", name = "", ...more] = part.split("=").map((word) => word.trim());
      const kind = kinds.find((known) => known === name.toLowerCase());
      return code !== "" && kind && more.length === 0
        ? ([code.toUpperCase(), kind] as const)
        : null;
    });
  return pairs.some((pair) => pair === null) ? null : pairs.filter((pair) => pair !== null);
}

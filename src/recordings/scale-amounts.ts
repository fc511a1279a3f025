/** Where an amount stands: the object or list that has it, and its name there. */
interface Leaf {
  owner: Record<string, unknown>;
  name: string;
  value: number;
  decimals: number;
}

/** An amount that others make: their sum with these signs. */
interface Total {
  of: Leaf;
  isOfList: boolean;
  parts: readonly { leaf: Leaf; sign: 1 | -1 }[];
}

/** Of so many amounts of one object all combinations are tried. */
const mostCombined = 7;
const hundredMillionth = 1e-8;
const mostDecimals = 6;

/**
 * Multiplies the amounts of an answer, in place, and lets what added up before add up again: a total of a list's
 * amounts, and an amount of an object that is the sum or difference of others. `isAmount` decides by its path, such as
 * `lines.amount`, whether a number is an amount.
 */
export function scaleAmounts(
  answer: unknown,
  factor: number,
  isAmount: (path: string) => boolean,
): void {
  if (typeof answer !== "object" || answer === null) return;
  const totals: Total[] = [];
  const leaves: Leaf[] = [];
  const visit = (owner: Record<string, unknown>, at: string): Leaf[] => {
    const own: Leaf[] = [];
    const lists: Leaf[][] = [];
    for (const [name, value] of Object.entries(owner)) {
      const path = joinPath(at, name);
      if (isAmountText(value) && isAmount(path))
        own.push({ owner, name, value: Number(value), decimals: countDecimals(name, value) });
      else if (Array.isArray(value)) lists.push(...visitList(value, (one) => visit(one, path)));
      else if (isObject(value)) own.push(...visit(value, path));
    }
    leaves.push(...own.filter((leaf) => leaf.owner === owner));
    totals.push(...findTotals(own, lists));
    return own;
  };
  for (const one of [answer].flat()) if (isObject(one)) visit(one, "");
  for (const leaf of leaves) write(leaf, roundTo(leaf.value * factor, leaf.decimals));
  for (const { of, parts } of inOrder(totals)) {
    const sum = parts.reduce((whole, { leaf, sign }) => whole + sign * read(leaf), 0);
    const decimals = Math.max(of.decimals, ...parts.map(({ leaf }) => leaf.decimals));
    of.decimals = decimals;
    write(of, roundTo(sum, decimals));
  }
}

/** The amounts of the elements of a list, by their names. */
function visitList(
  list: readonly unknown[],
  visit: (owner: Record<string, unknown>) => Leaf[],
): Leaf[][] {
  const found = list.filter(isObject).flatMap(visit);
  return [...Map.groupBy(found, ({ name }) => name).values()];
}

function findTotals(own: readonly Leaf[], lists: readonly Leaf[][]): Total[] {
  const nonZero = own.filter(({ value }) => value !== 0);
  return nonZero.flatMap((of): Total[] => {
    const list = lists.find((leaves) => isNear(sumOf(leaves), of.value));
    if (list) {
      const parts = list.map((leaf) => ({ leaf, sign: 1 as const }));
      return [{ of, isOfList: true, parts }];
    }
    const others = nonZero.filter((leaf) => leaf !== of);
    const parts = others.length <= mostCombined ? combine(others, of.value) : undefined;
    return parts ? [{ of, isOfList: false, parts }] : [];
  });
}

/** At least two of the amounts, each added, subtracted or left out, that make the value. */
function combine(leaves: readonly Leaf[], value: number): Total["parts"] | undefined {
  const combinations = 3 ** leaves.length;
  for (let number = 1; number < combinations; number += 1) {
    const parts = leaves.flatMap((leaf, index) => {
      const part = Math.floor(number / 3 ** index) % 3;
      return part === 0 ? [] : [{ leaf, sign: part === 1 ? (1 as const) : (-1 as const) }];
    });
    const sum = parts.reduce((whole, { leaf, sign }) => whole + sign * leaf.value, 0);
    if (parts.length > 1 && isNear(sum, value)) return parts;
  }
  return undefined;
}

/**
 * One for each amount, that of a list before others, each after those that its parts are totals of. One that would be
 * made of itself is left out.
 */
function inOrder(totals: readonly Total[]): Total[] {
  const done: Total[] = [];
  const dependsOn = (total: Total, leaf: Leaf): boolean =>
    total.parts.some((part) => {
      if (part.leaf === leaf) return true;
      const made = done.find(({ of }) => of === part.leaf);
      return made !== undefined && dependsOn(made, leaf);
    });
  for (const total of totals.toSorted((a, b) => Number(b.isOfList) - Number(a.isOfList))) {
    const isKnown = done.some(({ of }) => isSame(of, total.of));
    if (!isKnown && !dependsOn(total, total.of)) done.push(total);
  }
  return done.toSorted((a, b) => depthOf(a, done) - depthOf(b, done));
}

function depthOf(total: Total, all: readonly Total[]): number {
  const inner = total.parts.flatMap(({ leaf }) => all.filter(({ of }) => of === leaf));
  return 1 + Math.max(0, ...inner.map((one) => depthOf(one, all)));
}

function isSame(one: Leaf, other: Leaf): boolean {
  return one.owner === other.owner && one.name === other.name;
}

function read({ owner, name }: Leaf): number {
  return Number(owner[name]);
}

/** As a text where it was one. */
function write({ owner, name, decimals }: Leaf, value: number): void {
  owner[name] = typeof owner[name] === "string" ? value.toFixed(decimals) : value;
}

/** The path of a member; elements of a list have that of the list. */
export function joinPath(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

/** A number, or a text that is one with decimals. */
export function isAmountText(value: unknown): value is number | string {
  return (
    (typeof value === "number" && Number.isFinite(value)) ||
    (typeof value === "string" && /^-?\d{1,12}\.\d{1,6}$/.test(value))
  );
}

/** What is multiplied, by hours say, is kept exact enough that the product is right to the cent. */
function countDecimals(name: string, value: number | string): number {
  if (/rate$/i.test(name) || /^rate/i.test(name)) return mostDecimals;
  const [, fraction = ""] = String(value).split(".");
  return fraction.includes("e") ? 0 : fraction.length;
}

function roundTo(value: number, decimals: number): number {
  return Number(value.toFixed(Math.min(decimals, mostDecimals)));
}

function sumOf(leaves: readonly Leaf[]): number {
  return leaves.reduce((sum, { value }) => sum + value, 0);
}

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= hundredMillionth * Math.max(1, Math.abs(one));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

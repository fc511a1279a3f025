import { isRecord } from "../platform/is-record.ts";
import {
  readAmountText,
  readWholeText,
  writeAmountText,
  type AmountSpelling,
  type SpelledAmount,
} from "./amount-text.ts";

/** Where an amount stands: the object or list that has it, and its name there. */
interface Leaf {
  owner: Record<string, unknown>;
  name: string;
  value: number;
  decimals: number;
  /** Of a text. */
  spelling?: SpelledAmount;
}

interface Part {
  leaf: Leaf;
  sign: 1 | -1;
}

/** An amount that others make: their sum with these signs. */
interface Total {
  of: Leaf;
  isOfList: boolean;
  parts: readonly Part[];
}

/** Amounts that count together: all of a list, or those of one kind. */
interface Group {
  leaves: readonly Leaf[];
  /** By which text of the elements they are told apart. Empty for all of them. */
  by: string;
}

export interface Scaling {
  factor: number;
  /** By its path, such as `lines.amount`, whether a number is an amount. */
  isAmount: (path: string) => boolean;
  /** How others write thousands whose point this is. */
  usualGroup?: (point: AmountSpelling["point"]) => string;
}

/** Which members were written. */
export type Scaled = ReadonlyMap<object, ReadonlySet<string>>;

/** Of so many amounts of one object all combinations are tried. */
const mostCombined = 7;
/** Texts with more values tell no kinds of lines apart. */
const mostKinds = 12;
const hundredMillionth = 1e-8;
const mostDecimals = 6;

/**
 * Multiplies the amounts of an answer, in place, and lets what added up before add up again: a total of a list's
 * amounts, or of those of one kind, and an amount of an object that is the sum or difference of others.
 */
export function scaleAmounts(answer: unknown, { factor, isAmount, usualGroup }: Scaling): Scaled {
  const scaled = new Map<object, Set<string>>();
  if (typeof answer !== "object" || answer === null) return scaled;
  const totals: Total[] = [];
  const leaves: Leaf[] = [];
  const visit = (owner: Record<string, unknown>, at: string): Leaf[] => {
    const own: Leaf[] = [];
    const groups: Group[] = [];
    for (const [name, value] of Object.entries(owner)) {
      const path = joinPath(at, name);
      const leaf = isAmount(path) ? toLeaf(owner, name, value) : undefined;
      if (leaf) own.push(leaf);
      else if (Array.isArray(value)) groups.push(...visitList(value, (one) => visit(one, path)));
      else if (isRecord(value)) own.push(...visit(value, path));
    }
    leaves.push(...own.filter((leaf) => leaf.owner === owner));
    totals.push(...findTotals(own, groups));
    return own;
  };
  for (const one of [answer].flat()) if (isRecord(one)) visit(one, "");
  const write = (leaf: Leaf, value: number): void => {
    leaf.value = roundTo(value, leaf.decimals);
    leaf.owner[leaf.name] = spell(leaf, usualGroup);
  };
  for (const leaf of leaves) {
    write(leaf, leaf.value * factor);
    scaled.set(leaf.owner, (scaled.get(leaf.owner) ?? new Set()).add(leaf.name));
  }
  for (const { of, parts } of inOrder(totals)) {
    of.decimals = Math.max(of.decimals, ...parts.map(({ leaf }) => leaf.decimals));
    write(of, sumOf(parts));
  }
  return scaled;
}

function toLeaf(owner: Record<string, unknown>, name: string, value: unknown): Leaf | undefined {
  if (typeof value === "number" && Number.isFinite(value))
    return { owner, name, value, decimals: countDecimals(name, value) };
  if (typeof value !== "string") return undefined;
  const read = readAmountText(value) ?? readWholeText(value);
  if (!read) return undefined;
  const decimals = isRate(name) ? mostDecimals : read.decimals;
  return { owner, name, value: read.value, decimals, spelling: read };
}

/** As a text where it was one. */
function spell(
  { value, decimals, spelling }: Leaf,
  usualGroup: Scaling["usualGroup"] = () => "",
): number | string {
  if (!spelling) return value;
  const group = spelling.isSmall ? usualGroup(spelling.point) : spelling.group;
  return writeAmountText(value, { ...spelling, decimals, group });
}

/** The amounts of the elements of a list, by their names, and by each text that tells kinds of elements apart. */
function visitList(
  list: readonly unknown[],
  visit: (owner: Record<string, unknown>) => Leaf[],
): Group[] {
  const elements = list.filter(isRecord);
  const found = elements.map((element) => ({ element, leaves: visit(element) }));
  const names = new Set(found.flatMap(({ leaves }) => leaves.map(({ name }) => name)));
  const kinds = findKinds(elements);
  return [...names].flatMap((name) => {
    const ofName = (leaves: readonly Leaf[]): Leaf[] => leaves.filter((leaf) => leaf.name === name);
    const all = { leaves: found.flatMap(({ leaves }) => ofName(leaves)), by: "" };
    const some = kinds.flatMap((by) => {
      const ofKind = Map.groupBy(found, ({ element }) => element[by]);
      return [...ofKind.values()].map((same) => ({
        leaves: same.flatMap(({ leaves }) => ofName(leaves)),
        by: `${name} ${by}`,
      }));
    });
    return [all, ...some];
  });
}

/** The names of texts that tell elements apart, and not each from each. */
function findKinds(elements: readonly Record<string, unknown>[]): string[] {
  const [first] = elements;
  if (!first) return [];
  return Object.keys(first).filter((name) => {
    const values = elements.map((element) => element[name]);
    const { size } = new Set(values);
    const areTexts = values.every((value) => typeof value === "string" && !readAmountText(value));
    return areTexts && size > 1 && size <= mostKinds;
  });
}

function findTotals(own: readonly Leaf[], groups: readonly Group[]): Total[] {
  const nonZero = own.filter(({ value }) => value !== 0);
  return nonZero.flatMap((of): Total[] => {
    const list = groups.find(({ leaves }) => isNear(sumOfLeaves(leaves), of.value));
    if (list) return [{ of, isOfList: true, parts: plus(list.leaves) }];
    const others = nonZero.filter((leaf) => leaf !== of).map((leaf) => plus([leaf]));
    const parts = combine(others, of.value) ?? combineKinds(others, groups, of.value);
    return parts ? [{ of, isOfList: false, parts }] : [];
  });
}

/** Such as net pay, which is gross pay without the lines of two kinds. */
function combineKinds(
  others: readonly (readonly Part[])[],
  groups: readonly Group[],
  value: number,
): readonly Part[] | undefined {
  const kinds = Map.groupBy(groups, ({ by }) => by);
  for (const ofKind of kinds.values()) {
    const parts = combine([...others, ...ofKind.map(({ leaves }) => plus(leaves))], value);
    if (parts) return parts;
  }
  return undefined;
}

function plus(leaves: readonly Leaf[]): Part[] {
  return leaves.map((leaf) => ({ leaf, sign: 1 }));
}

/** At least two of the sums, each added, subtracted or left out, that make the value. */
function combine(sums: readonly (readonly Part[])[], value: number): readonly Part[] | undefined {
  if (sums.length > mostCombined) return undefined;
  const values = sums.map(sumOf);
  const combinations = 3 ** sums.length;
  for (let number = 1; number < combinations; number += 1) {
    const signs = values.map(
      (_value, index) => [0, 1, -1][Math.floor(number / 3 ** index) % 3] ?? 0,
    );
    const isMore = signs.filter((sign) => sign !== 0).length > 1;
    const sum = values.reduce((whole, one, index) => whole + one * (signs[index] ?? 0), 0);
    if (isMore && isNear(sum, value))
      return sums.flatMap((parts, index) => withSign(parts, signs[index] ?? 0));
  }
  return undefined;
}

function withSign(parts: readonly Part[], by: number): Part[] {
  if (by === 0) return [];
  return parts.map(({ leaf, sign }) => ({ leaf, sign: sign * by > 0 ? 1 : -1 }));
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

/** The path of a member; elements of a list have that of the list. */
export function joinPath(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

/** What is multiplied, by hours say, is kept exact enough that the product is right to the cent. */
function countDecimals(name: string, value: number): number {
  if (isRate(name)) return mostDecimals;
  const [, fraction = ""] = String(value).split(".");
  return fraction.includes("e") ? 0 : fraction.length;
}

function isRate(name: string): boolean {
  return /rate$/i.test(name) || /^rate/i.test(name);
}

function roundTo(value: number, decimals: number): number {
  return Number(value.toFixed(Math.min(decimals, mostDecimals)));
}

function sumOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { leaf, sign }) => sum + sign * leaf.value, 0);
}

function sumOfLeaves(leaves: readonly Leaf[]): number {
  return leaves.reduce((sum, { value }) => sum + value, 0);
}

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= hundredMillionth * Math.max(1, Math.abs(one));
}

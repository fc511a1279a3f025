import { packedId, type ListChange, type PackedList } from "../../src/platform/packed-list.ts";

/** People by number, each with what there is to say of them. */
export type People = ReadonlyMap<number, string>;

const idOf = (number: number): Buffer => Buffer.from(String(number).padStart(8, "0"));
export const packed = (number: number): string => packedId(idOf(number));

/** As `packList` makes it, with contents that can be read. */
export function listOf(people: People): PackedList {
  const entries = [...people].map(([number, content]) =>
    Buffer.concat([idOf(number), Buffer.from(content.padEnd(8).slice(0, 8))]),
  );
  return Buffer.concat(entries.sort((a, b) => a.compare(b)));
}

export function everybody(count: number, content = "a"): Map<number, string> {
  return new Map(Array.from({ length: count }, (_, index) => [index, content]));
}

export function withoutSome(people: People, gone: readonly number[]): Map<number, string> {
  return new Map([...people].filter(([number]) => !gone.includes(number)));
}

export const gone = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
export const sorted = ({ added, updated, removed }: ListChange) => ({
  added: added.toSorted(),
  updated: updated.toSorted(),
  removed: removed.toSorted(),
});

export const nobodyAtAll: PackedList = Buffer.alloc(0);

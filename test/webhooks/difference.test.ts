import { randomBytes } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import {
  changedIds,
  countEntries,
  difference,
  emptyList,
  entryBytes,
  isEmptyChange,
  listIds,
  packedId,
  withToldAnew,
  type ListChange,
  type PackedList,
} from "../../src/webhooks/packed-list.ts";
import { nextList } from "../../src/webhooks/next-list.ts";
import { SeededRandom } from "../support/seeded-random.ts";

/** People by number, each with what there is to say of them. */
type People = ReadonlyMap<number, string>;

const idOf = (number: number): Buffer => Buffer.from(String(number).padStart(8, "0"));
const packed = (number: number): string => packedId(idOf(number));

/** As `packList` makes it, with contents that can be read. */
function listOf(people: People): PackedList {
  const entries = [...people].map(([number, content]) =>
    Buffer.concat([idOf(number), Buffer.from(content.padEnd(8).slice(0, 8))]),
  );
  return Buffer.concat(entries.sort((a, b) => a.compare(b)));
}

function everybody(count: number, content = "a"): Map<number, string> {
  return new Map(Array.from({ length: count }, (_, index) => [index, content]));
}

function withoutSome(people: People, gone: readonly number[]): Map<number, string> {
  return new Map([...people].filter(([number]) => !gone.includes(number)));
}

const gone = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const sorted = ({ added, updated, removed }: ListChange) => ({
  added: added.toSorted(),
  updated: updated.toSorted(),
  removed: removed.toSorted(),
});

describe("the difference of two lists", () => {
  test("of 2,000 random pairs is what a look at each person by itself says", () => {
    const random = new SeededRandom(7);
    for (let round = 0; round < 2_000; round += 1) {
      const draw = (): Map<number, string> =>
        new Map(
          Array.from({ length: random.below(12) }, () => [
            random.below(14),
            random.pick(["a", "b"]),
          ]),
        );
      const [from, to] = [draw(), draw()];
      const expected = {
        added: [...to.keys()].filter((number) => !from.has(number)).map(packed),
        updated: [...to]
          .filter(([number, content]) => from.has(number) && from.get(number) !== content)
          .map(([number]) => packed(number)),
        removed: [...from.keys()].filter((number) => !to.has(number)).map(packed),
      };
      expect(sorted(difference(listOf(from), listOf(to)))).toEqual(sorted(expected));
    }
  });

  test("is a pure function: the same lists give the same change, and are left as they were", () => {
    const [from, to] = [listOf(everybody(50)), listOf(withoutSome(everybody(60, "b"), [3, 4]))];
    const [fromBefore, toBefore] = [Buffer.from(from), Buffer.from(to)];
    expect(difference(from, to)).toEqual(difference(from, to));
    expect([from.equals(fromBefore), to.equals(toBefore)]).toEqual([true, true]);
  });

  test("of a list with itself, and of nothing with nothing, is empty", () => {
    const list = listOf(everybody(40));
    expect(
      [difference(list, Buffer.from(list)), difference(emptyList, emptyList)].every(isEmptyChange),
    ).toBe(true);
  });

  test("applied to the first list gives the second one, there and back", () => {
    const [from, to] = [listOf(everybody(30)), listOf(withoutSome(everybody(35, "b"), [1, 9]))];
    const [there, back] = [difference(from, to), difference(to, from)];
    expect([there.added, there.removed, there.updated]).toEqual([
      back.removed,
      back.added,
      back.updated,
    ]);
  });

  test("takes a number of comparisons that grows with the lists and no faster", () => {
    const compare = vi.spyOn(Buffer.prototype, "compare");
    const comparisonsFor = (count: number): number => {
      const [from, to] = [listOf(everybody(count)), listOf(everybody(count, "b"))];
      compare.mockClear();
      difference(from, to);
      return compare.mock.calls.length;
    };
    const [small, large] = [comparisonsFor(1_000), comparisonsFor(8_000)];
    compare.mockRestore();
    expect(large).toBeLessThanOrEqual(2 * 8_000);
    expect(large / small).toBeLessThanOrEqual(8);
  });
});

describe("those who are told of anew", () => {
  const [before, after] = [
    listOf(everybody(4)),
    listOf(
      new Map([
        [1, "b"],
        [2, "a"],
        [3, "a"],
        [9, "a"],
      ]),
    ),
  ];

  test("are in the change once: as it has them already, as they are now, or as gone", () => {
    const change = withToldAnew(difference(before, after), [0, 1, 2, 9, 12, 12].map(packed), after);
    expect(sorted(change)).toEqual({
      added: [packed(9)],
      updated: [packed(1), packed(2)],
      removed: [packed(0), packed(12)],
    });
    expect(new Set(changedIds(change)).size).toBe(changedIds(change).length);
  });
});

describe("the next list after a poll", () => {
  const none: ReadonlySet<string> = new Set();

  test.each([
    ["one of one", 1, 1, true],
    ["one of two", 2, 1, false],
    ["one of nine", 9, 1, false],
    ["two of two", 2, 2, true],
    ["two of nine", 9, 2, true],
    ["two of ten", 10, 2, true],
    ["two of eleven", 11, 2, false],
    ["seven of forty", 40, 7, false],
    ["eight of forty", 40, 8, true],
    ["forty of forty", 40, 40, true],
  ])("%s who vanish are held until the next one agrees: %#", (_case, total, vanished, isHeld) => {
    const seen = listOf(everybody(total));
    const polled = listOf(withoutSome(everybody(total), gone(vanished)));
    const first = nextList(seen, none, polled);
    expect(first.held.size).toBe(isHeld ? vanished : 0);
    expect(first.removed).toHaveLength(isHeld ? 0 : vanished);
    expect(isEmptyChange(difference(seen, first.seen))).toBe(isHeld);
    const second = nextList(first.seen, first.held, polled);
    expect(second.held.size).toBe(0);
    expect(second.removed).toHaveLength(isHeld ? vanished : 0);
    expect(second.seen.equals(polled)).toBe(true);
  });

  test("those who were held and are there again were never gone", () => {
    const seen = listOf(everybody(9));
    const first = nextList(seen, none, listOf(withoutSome(everybody(9), gone(5))));
    const second = nextList(first.seen, first.held, seen);
    expect([second.held.size, second.removed.length, second.seen.equals(seen)]).toEqual([
      0,
      0,
      true,
    ]);
  });

  test("added and updated go on while a removal is held", () => {
    const seen = listOf(everybody(9));
    const polled = listOf(new Map([...withoutSome(everybody(9), gone(5)), [8, "b"], [20, "a"]]));
    const first = nextList(seen, none, polled);
    expect(sorted(difference(seen, first.seen))).toEqual({
      added: [packed(20)],
      updated: [packed(8)],
      removed: [],
    });
    expect(first.held).toEqual(new Set(gone(5).map(packed)));
  });

  test("a second mass that vanishes while the first is held is held by itself", () => {
    const seen = listOf(everybody(40));
    const first = nextList(seen, none, listOf(withoutSome(everybody(40), gone(10))));
    const second = nextList(first.seen, first.held, listOf(withoutSome(everybody(40), gone(20))));
    expect([second.removed.length, second.held.size]).toEqual([10, 10]);
    expect(listIds(second.seen)).toEqual(
      new Set(Array.from({ length: 30 }, (_, index) => packed(index + 10))),
    );
  });

  test("is sorted whatever is held, so that a difference can walk along it", () => {
    const random = new SeededRandom(3);
    for (let round = 0; round < 200; round += 1) {
      const numbers = Array.from({ length: 20 }, () => random.below(1_000));
      const all = new Map(numbers.map((number) => [number, "a"]));
      const { seen } = nextList(
        listOf(all),
        none,
        listOf(
          withoutSome(
            all,
            numbers.filter(() => random.chance(0.5)),
          ),
        ),
      );
      const entries = Array.from({ length: countEntries(seen) }, (_, index) =>
        seen.subarray(index * entryBytes, (index + 1) * entryBytes).toString("latin1"),
      );
      expect(entries).toEqual(entries.toSorted());
    }
  });

  test("an id of any bytes keeps its place", () => {
    const ids = Array.from({ length: 300 }, () => randomBytes(8));
    const list = Buffer.concat(
      [...ids].sort((a, b) => a.compare(b)).map((id) => Buffer.concat([id, Buffer.alloc(8)])),
    );
    const { seen, held } = nextList(list, none, emptyList);
    expect(held).toEqual(new Set(ids.map(packedId)));
    expect(seen.equals(list)).toBe(true);
  });
});

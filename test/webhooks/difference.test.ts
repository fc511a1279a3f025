import { describe, expect, test, vi } from "vitest";
import { difference } from "../../src/platform/packed-list.ts";
import {
  everybody,
  listOf,
  nobodyAtAll,
  packed,
  sorted,
  withoutSome,
} from "../support/packed-people.ts";
import { SeededRandom } from "../support/seeded-random.ts";

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
    const nothing = { added: [], updated: [], removed: [] };
    expect(difference(list, Buffer.from(list))).toEqual(nothing);
    expect(difference(nobodyAtAll, nobodyAtAll)).toEqual(nothing);
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

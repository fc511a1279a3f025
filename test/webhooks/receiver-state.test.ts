import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  changedIds,
  countEntries,
  difference,
  entryBytes,
  listIds,
  packedId,
  type PackedList,
} from "../../src/platform/packed-list.ts";
import {
  acknowledge,
  beginState,
  giveUp,
  hasPendingChanges,
  applyPoll,
  mostChanges,
  nextBody,
  pendingChange,
  type ReceiverState,
} from "../../src/webhooks/receiver-state.ts";
import { withoutTold, withRights } from "../../src/webhooks/earlier-lists.ts";
import {
  everybody,
  gone,
  listOf,
  nobodyAtAll,
  packed,
  sorted,
  withoutSome,
} from "../support/packed-people.ts";
import { SeededRandom } from "../support/seeded-random.ts";

const nothing = { added: [], updated: [], removed: [] };
const see = (state: ReceiverState, list: PackedList, listAfter?: PackedList): ReceiverState =>
  applyPoll(state, {
    list,
    version: "v",
    isSteady: true,
    isReread: true,
    limited: [],
    ...(listAfter && { inFlight: { listAfter } }),
  });
const begin = (list: PackedList): ReceiverState => beginState(list, { version: "v", limited: [] });
const without = (total: number, vanished: number): PackedList =>
  listOf(withoutSome(everybody(total), gone(vanished)));

describe("the first poll", () => {
  test("sets the baseline and leaves nothing pending", () => {
    const state = begin(listOf(everybody(4)));
    expect(hasPendingChanges(state)).toBe(false);
    expect(pendingChange(state)).toEqual(nothing);
  });
});

/** A poll of a list that comes with more than its records. */
const polled = (
  state: ReceiverState,
  list: PackedList,
  {
    isSteady = true,
    isReread = true,
    limited = [],
    inFlight,
  }: Partial<
    Pick<Parameters<typeof applyPoll>[1], "isSteady" | "isReread" | "limited" | "inFlight">
  >,
): ReceiverState => applyPoll(state, { list, version: "v", isSteady, isReread, limited, inFlight });

describe("a list that is the one before with changes", () => {
  const half = without(40, 20);
  const suspecting = polled(begin(listOf(everybody(40))), half, {});

  test("confirms of nobody that they left, however often it comes", () => {
    const again = polled(polled(suspecting, half, { isReread: false }), half, { isReread: false });
    expect(pendingChange(again)).toEqual(nothing);
    expect(pendingChange(polled(again, half, {})).removed).toHaveLength(20);
  });

  test("removes at once whom the provider names", () => {
    const named = polled(suspecting, without(40, 21), { isReread: false });
    expect(pendingChange(named).removed).toEqual([packed(20)]);
  });
});

describe("a list that is not steady", () => {
  test.each([true, false])(
    "removes one of forty only when the next list agrees, which is steady: %s",
    (isSteady) => {
      const first = polled(begin(listOf(everybody(40))), without(40, 1), { isSteady: false });
      expect(pendingChange(first)).toEqual(nothing);
      const second = polled(first, without(40, 1), { isSteady });
      expect(pendingChange(second).removed).toHaveLength(1);
    },
  );

  test("removes nobody who is in the next list again", () => {
    const list = listOf(everybody(40));
    const back = polled(polled(begin(list), without(40, 1), { isSteady: false }), list, {
      isSteady: false,
    });
    expect(pendingChange(back)).toEqual(nothing);
  });
});

describe("a right that the account has lost", () => {
  const lost = { limited: ["job_title"] };

  test("updates nobody, and what changes after that is told", () => {
    const limited = polled(begin(listOf(everybody(9))), listOf(everybody(9, "b")), lost);
    expect(pendingChange(limited)).toEqual(nothing);
    const changed = new Map([...everybody(9, "b"), [3, "c"] as const]);
    const next = polled(limited, listOf(changed), lost);
    expect(pendingChange(next).updated).toEqual([packed(3)]);
  });

  test("removes nobody at once", () => {
    const limited = polled(begin(listOf(everybody(40))), without(40, 1), lost);
    expect(pendingChange(limited)).toEqual(nothing);
  });

  test("leaves what was pending before it pending", () => {
    const pending = see(
      begin(listOf(everybody(9))),
      listOf(new Map([...everybody(9), [3, "x"] as const])),
    );
    const limited = polled(pending, listOf(everybody(9, "b")), lost);
    expect(pendingChange(limited).updated).toEqual([packed(3)]);
  });
});

const withOne = (people: ReadonlyMap<number, string>, number: number, content: string) =>
  listOf(new Map([...people, [number, content] as const]));

/** The receiver acknowledges the next body. */
function told(state: ReceiverState): ReceiverState {
  const { change, listAfter } = nextBody(state);
  const earlier = withoutTold(state.earlier, changedIds(change));
  return acknowledge({ ...state, earlier }, listAfter);
}

describe("a right that the account has again", () => {
  const lost = { limited: ["job_title"] };
  const both = { limited: ["bank_account", "job_title"] };
  const before = new Map([...everybody(40), [30, "none"] as const]);
  const during = new Map([...everybody(40, "b"), [30, "none"] as const]);
  const limited = polled(begin(listOf(before)), listOf(during), lost);

  test("updates nobody who is what he was, and whoever changed meanwhile, once", () => {
    const back = polled(limited, withOne(before, 3, "new"), {});
    expect(pendingChange(back)).toEqual({ ...nothing, updated: [packed(3)] });
    const known = told(back);
    expect(known.earlier).toEqual([]);
    expect(hasPendingChanges(polled(known, withOne(before, 3, "new"), {}))).toBe(false);
  });

  test("updates whoever has lost the value itself meanwhile", () => {
    const back = polled(limited, withOne(before, 3, "b"), {});
    expect(pendingChange(back).updated).toEqual([packed(3)]);
  });

  test("updates whom the receiver was told of without those fields, though he is what he was", () => {
    const twice = told(
      polled(told(polled(limited, withOne(during, 3, "x"), lost)), listOf(during), lost),
    );
    expect(hasPendingChanges(twice)).toBe(false);
    expect(pendingChange(polled(twice, listOf(before), {})).updated).toEqual([packed(3)]);
  });

  test("updates whoever was in a body that was given up", () => {
    const changed = polled(limited, withOne(during, 3, "x"), lost);
    const { change, listAfter } = nextBody(changed);
    const given = giveUp(
      { ...changed, earlier: withoutTold(changed.earlier, changedIds(change)) },
      listAfter,
    );
    expect(pendingChange(polled(given, listOf(before), {})).updated).toEqual([packed(3)]);
  });

  test("tells who came and who left as always", () => {
    const came = new Map([...withoutSome(during, [0]), [90, "b"] as const]);
    const away = told(polled(limited, listOf(came), lost));
    const back = polled(away, listOf(new Map([...withoutSome(before, [0, 1]), [90, "a"]])), {});
    expect(sorted(pendingChange(back))).toEqual({
      added: [],
      updated: [packed(90)],
      removed: [packed(1)],
    });
    expect(pendingChange(polled(told(back), listOf(before), {})).added.toSorted()).toEqual([
      packed(0),
      packed(1),
    ]);
  });

  test("updates nobody who was missing when it came back", () => {
    const half = polled(limited, listOf(withoutSome(before, gone(20))), {});
    expect(pendingChange(half)).toEqual(nothing);
    const whole = polled(half, listOf(before), {});
    expect(pendingChange(whole)).toEqual(nothing);
    expect(whole.earlier).toEqual([]);
  });

  test("updates nobody who was missing when it came back and was lost again", () => {
    const half = polled(limited, listOf(withoutSome(before, gone(20))), {});
    const again = polled(half, listOf(during), lost);
    const back = polled(again, withOne(before, 3, "b"), {});
    expect(pendingChange(back).updated).toEqual([packed(3)]);
  });

  test("updates nobody when rights are lost and given back one after the other", () => {
    const least = polled(limited, listOf(everybody(40, "c")), both);
    const one = polled(least, listOf(during), lost);
    expect(pendingChange(one)).toEqual(nothing);
    expect(pendingChange(polled(one, listOf(before), {}))).toEqual(nothing);
    expect(pendingChange(polled(least, listOf(before), {}))).toEqual(nothing);
  });

  test("beside others that are lost still updates those who have its fields again", () => {
    const least = polled(begin(listOf(before)), listOf(everybody(40, "c")), both);
    const one = told(polled(least, listOf(during), lost));
    expect(pendingChange(polled(one, listOf(before), {})).updated).toHaveLength(39);
  });

  test("keeps three lists at most, each as long as the receiver's own", () => {
    let state = begin(listOf(before));
    for (const [index, field] of ["a", "b", "c", "d", "e"].entries())
      state = polled(state, listOf(everybody(40, field)), {
        limited: ["a", "b", "c", "d", "e"].slice(0, index + 1),
      });
    expect(state.earlier).toHaveLength(3);
    for (const { list } of state.earlier) expect(list).toHaveLength(state.acknowledged.length);
    expect(pendingChange(polled(state, listOf(before), {}))).toEqual(nothing);
  });
});

describe("a right that changes while a body is in flight", () => {
  const lost = { limited: ["job_title"] };
  const before = everybody(9);
  const during = everybody(9, "b");
  /** The body tells that the fourth one has changed. */
  const changed = see(begin(listOf(before)), withOne(before, 3, "new"));
  const body = changed.current;
  const fly = (
    state: ReceiverState,
    listAfter: PackedList,
    list: PackedList,
    rights: Partial<typeof lost> = {},
  ): { state: ReceiverState; listAfter: PackedList } => {
    const found = { list, version: "v", isSteady: true, isReread: true, limited: [], ...rights };
    const polled = { ...found, inFlight: { listAfter } };
    return {
      state: applyPoll(state, polled),
      listAfter: withRights(listAfter, state, polled),
    };
  };

  test("updates nobody once the body has arrived", () => {
    const without = fly(changed, body, listOf(during), lost);
    expect(hasPendingChanges(acknowledge(without.state, without.listAfter))).toBe(false);
  });

  test("updates whom the body told of when it is given back, because it may have come without the fields", () => {
    const without = fly(changed, body, listOf(during), lost);
    const back = fly(without.state, without.listAfter, withOne(before, 3, "new"));
    const arrived = acknowledge(without.state, without.listAfter);
    for (const state of [
      acknowledge(back.state, back.listAfter),
      polled(arrived, withOne(before, 3, "new"), {}),
    ])
      expect(pendingChange(state)).toEqual({ ...nothing, updated: [packed(3)] });
  });

  test("updates whoever changed back, though the body says otherwise", () => {
    const asBefore = see(changed, listOf(before), body);
    const without = fly(asBefore, body, listOf(during), lost);
    const back = fly(without.state, without.listAfter, listOf(before));
    for (const { state, listAfter } of [without, back])
      expect(pendingChange(acknowledge(state, listAfter)).updated).toEqual([packed(3)]);
  });

  test.each([
    ["lost", fly(changed, body, withOne(during, 3, "a"), lost)],
    [
      "lost and given back",
      (() => {
        const without = fly(changed, body, listOf(during), lost);
        return fly(without.state, without.listAfter, withOne(before, 3, "new"));
      })(),
    ],
  ])("leaves those in doubt of whom a body told that is given up: %s", (_case, flown) => {
    const given = giveUp(flown.state, flown.listAfter);
    expect(pendingChange(given).updated).toEqual([packed(3)]);
    expect(acknowledge(flown.state, flown.listAfter).unconfirmed.size).toBe(0);
  });
});

describe("people who vanish", () => {
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
  ])(
    "%s are only suspected until the next poll agrees: %#",
    (_case, total, vanished, isDoubted) => {
      const polled = without(total, vanished);
      const first = see(begin(listOf(everybody(total))), polled);
      expect(first.suspectedMissing.size).toBe(isDoubted ? vanished : 0);
      expect(pendingChange(first).removed).toHaveLength(isDoubted ? 0 : vanished);
      const second = see(first, polled);
      expect(second.suspectedMissing.size).toBe(0);
      expect(pendingChange(second).removed).toHaveLength(vanished);
      expect(second.current.equals(polled)).toBe(true);
    },
  );

  test("and are there again were never gone", () => {
    const list = listOf(everybody(9));
    const back = see(see(begin(list), without(9, 5)), list);
    expect(back.suspectedMissing.size).toBe(0);
    expect(pendingChange(back)).toEqual(nothing);
  });

  test("do not delay who was added and updated meanwhile", () => {
    const polled = listOf(new Map([...withoutSome(everybody(9), gone(5)), [8, "b"], [20, "a"]]));
    const state = see(begin(listOf(everybody(9))), polled);
    expect(sorted(pendingChange(state))).toEqual({
      added: [packed(20)],
      updated: [packed(8)],
      removed: [],
    });
    expect(state.suspectedMissing).toEqual(new Set(gone(5).map(packed)));
  });

  test("as a second mass while the first is suspected are suspected by themselves", () => {
    const state = see(see(begin(listOf(everybody(40))), without(40, 10)), without(40, 20));
    expect(pendingChange(state).removed).toHaveLength(10);
    expect(state.suspectedMissing.size).toBe(10);
    expect(listIds(state.current)).toEqual(
      new Set(Array.from({ length: 30 }, (_, index) => packed(index + 10))),
    );
  });

  test("leave a list that is sorted, so that a difference can walk along it", () => {
    const random = new SeededRandom(3);
    for (let round = 0; round < 200; round += 1) {
      const numbers = Array.from({ length: 20 }, () => random.below(1_000));
      const all = new Map(numbers.map((number) => [number, "a"]));
      const left = numbers.filter(() => random.chance(0.5));
      const { current } = see(begin(listOf(all)), listOf(withoutSome(all, left)));
      const entries = Array.from({ length: countEntries(current) }, (_, index) =>
        current.subarray(index * entryBytes, (index + 1) * entryBytes).toString("latin1"),
      );
      expect(entries).toEqual(entries.toSorted());
    }
  });

  test("keep their places, of whatever bytes their ids are", () => {
    const ids = Array.from({ length: 300 }, () => randomBytes(8));
    const list = Buffer.concat(
      [...ids].sort((a, b) => a.compare(b)).map((id) => Buffer.concat([id, Buffer.alloc(8)])),
    );
    const state = see(begin(list), nobodyAtAll);
    expect(state.suspectedMissing).toEqual(new Set(ids.map((id) => packedId(id))));
    expect(state.current.equals(list)).toBe(true);
  });
});

describe("a body of many changes", () => {
  // 500 are gone, 1,000 are changed, 1,200 are new.
  const before = listOf(everybody(5_000));
  const after = listOf(
    new Map([
      ...withoutSome(everybody(5_000), gone(500)),
      ...Array.from({ length: 1_000 }, (_, index) => [1_000 + index, "b"] as const),
      ...Array.from({ length: 1_200 }, (_, index) => [9_000 + index, "n"] as const),
    ]),
  );
  const changed = see(begin(before), after);

  test("has 1,000 at most, and the rest follow each acknowledgement until the receiver has all", () => {
    const sizes: number[] = [];
    const told: string[] = [];
    let state = changed;
    while (hasPendingChanges(state)) {
      const { change, listAfter } = nextBody(state);
      sizes.push(changedIds(change).length);
      told.push(...changedIds(change));
      expect(sorted(difference(state.acknowledged, listAfter))).toEqual(sorted(change));
      state = acknowledge(state, listAfter);
    }
    expect(sizes).toEqual([1_000, 1_000, 700]);
    expect(new Set(told).size).toBe(2_700);
    expect(state.acknowledged.equals(after)).toBe(true);
  });

  test("that was given up comes again as a whole before anything else", () => {
    const { change, listAfter } = nextBody(changed);
    const again = nextBody(giveUp(changed, listAfter));
    expect(sorted(again.change)).toEqual(sorted(change));
    expect(changedIds(again.change)).toHaveLength(mostChanges);
  });

  test("has all whose replay is requested, and as many others as there is room for", () => {
    const resent = new Set(Array.from({ length: 300 }, (_, index) => packed(4_000 + index)));
    const { change, listAfter } = nextBody(changed, resent);
    const ids = new Set(changedIds(change));
    expect([...resent].every((id) => ids.has(id))).toBe(true);
    expect(ids.size).toBe(mostChanges);
    expect(changedIds(difference(changed.acknowledged, listAfter))).toHaveLength(700);
  });
});

describe("what is pending", () => {
  const before = listOf(everybody(4));
  const after = listOf(new Map([...withoutSome(everybody(4), [0]), [1, "b"], [9, "a"]]));
  const changed = see(begin(before), after);

  test("is the difference between what the receiver confirmed and the current list", () => {
    expect(hasPendingChanges(changed)).toBe(true);
    expect(pendingChange(changed)).toEqual(difference(before, after));
  });

  test("is nothing once the receiver acknowledged the current list", () => {
    const state = acknowledge(changed, after);
    expect(hasPendingChanges(state)).toBe(false);
    expect(pendingChange(state)).toEqual(nothing);
  });

  test("is what came after the list that the receiver acknowledged", () => {
    const renamed = listOf(new Map([...everybody(4, "c"), [9, "a"]]));
    const later = see(changed, renamed, after);
    expect(pendingChange(acknowledge(later, after))).toEqual(difference(after, renamed));
  });

  test("has those once who are told again: as it has them already, as they are now, or as gone", () => {
    const change = pendingChange(changed, [0, 1, 2, 9, 12, 12].map(packed));
    expect(sorted(change)).toEqual({
      added: [packed(9)],
      updated: [packed(1), packed(2)],
      removed: [packed(0), packed(12)],
    });
    expect(new Set(changedIds(change)).size).toBe(changedIds(change).length);
  });
});

describe("a body that was given up", () => {
  const before = listOf(everybody(3));
  const after = listOf(new Map([...everybody(3), [7, "a"]]));
  const given = giveUp(see(begin(before), after), after);

  test("leaves those it told of unconfirmed, and they are told again though they changed back", () => {
    expect(given.unconfirmed).toEqual(new Set([packed(7)]));
    const back = see(given, before);
    expect(hasPendingChanges(back)).toBe(true);
    expect(pendingChange(back)).toEqual({ added: [], updated: [], removed: [packed(7)] });
  });

  test("adds to those who were unconfirmed before, and an acknowledgement ends all doubt", () => {
    const more = listOf(new Map([...everybody(3, "b"), [7, "a"]]));
    const twice = giveUp(see(given, more), more);
    expect(twice.unconfirmed).toEqual(new Set([0, 1, 2, 7].map(packed)));
    expect(hasPendingChanges(acknowledge(twice, more))).toBe(false);
  });
});

describe("tombstones", () => {
  const list = listOf(everybody(9));

  test("are kept of those who left until nothing is pending and the next poll is over", () => {
    const left = see(begin(list), without(9, 1));
    expect(left.tombstones).toEqual(new Set([packed(0)]));
    const waiting = see(left, without(9, 1));
    expect(waiting.tombstones).toEqual(new Set([packed(0)]));
    const told = acknowledge(waiting, without(9, 1));
    expect(see(told, without(9, 1)).tombstones).toEqual(new Set());
  });

  test("are kept of somebody who came with a body in flight and left", () => {
    const came = listOf(new Map([...everybody(9), [20, "a"]]));
    const withBody = see(begin(list), came);
    const leftAgain = see(withBody, list, came);
    expect(leftAgain.tombstones).toEqual(new Set([packed(20)]));
    expect(see(leftAgain, list, came).tombstones).toEqual(new Set([packed(20)]));
    expect(pendingChange(acknowledge(leftAgain, came)).removed).toEqual([packed(20)]);
  });

  test("are not kept of somebody who is there again", () => {
    const back = see(see(begin(list), without(9, 1)), list);
    expect(back.tombstones).toEqual(new Set());
  });
});

test("no function changes the state that it is given", () => {
  const state = see(begin(listOf(everybody(5))), without(5, 1));
  const copy = structuredClone(state);
  see(state, nobodyAtAll, state.current);
  acknowledge(state, state.current);
  giveUp(state, state.current);
  pendingChange(state, [packed(3)]);
  expect(structuredClone(state)).toEqual(copy);
});

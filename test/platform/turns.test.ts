import { expect, test } from "vitest";
import { Turns } from "../../src/platform/turns.ts";

/** Takes places by name, and keeps in which order they were given. */
function takeWith(turns: Turns) {
  const order: string[] = [];
  const take = async (name: string, client = "a", signal?: AbortSignal): Promise<() => void> => {
    const giveBack = await turns.take({ client, signal });
    order.push(name);
    return giveBack;
  };
  return { order, take };
}

const tooMany = (): Error => new Error("too many");

/** Whoever has a turn by now has taken it after this. */
const settle = async (): Promise<void> => await new Promise((resolve) => setImmediate(resolve));

test("who waits has the turn in the order of arrival, and a place is given back once", async () => {
  const { order, take } = takeWith(new Turns({ places: 1 }));
  const giveBack = await take("first");
  const second = take("second");
  const third = take("third");
  giveBack();
  giveBack();
  const giveSecondBack = await second;
  await settle();
  expect(order).toEqual(["first", "second"]);
  giveSecondBack();
  await third;
  expect(order).toEqual(["first", "second", "third"]);
});

test("the clients have turns, however many of one wait", async () => {
  const { order, take } = takeWith(new Turns({ places: 1 }));
  let giveBack = await take("first");
  const waiting = ["a1", "a2", "b1", "c1", "a3"].map((name) => take(name, name.charAt(0)));
  for (const _place of waiting) {
    giveBack();
    await settle();
    const newest = ["a1", "a2", "b1", "c1", "a3"].indexOf(order.at(-1) ?? "");
    giveBack = (await waiting[newest]) ?? giveBack;
  }
  expect(order).toEqual(["first", "a1", "b1", "c1", "a2", "a3"]);
});

test("a client has no more than its part of the places, and others have the rest", async () => {
  const { order, take } = takeWith(new Turns({ places: 3, placesOfOne: 2 }));
  const giveBack = await take("a1");
  await take("a2");
  const third = take("a3");
  await take("b1", "b");
  expect(order).toEqual(["a1", "a2", "b1"]);
  giveBack();
  await third;
});

test("no place is kept for one who no longer waits, and nobody else loses the turn", async () => {
  const { order, take } = takeWith(new Turns({ places: 1 }));
  const giveBack = await take("first");
  const abort = new AbortController();
  const left = take("left", "a", abort.signal);
  const late = new AbortController();
  const next = take("next", "a", late.signal);
  const last = take("last");
  abort.abort(new Error("it left"));
  await expect(left).rejects.toThrow("it left");
  giveBack();
  // It has its turn already.
  late.abort(new Error("too late"));
  (await next)();
  (await last)();
  expect(order).toEqual(["first", "next", "last"]);
});

test("a client that left, and comes back, has its turns", async () => {
  const { take } = takeWith(new Turns({ places: 1 }));
  const giveBack = await take("first");
  const abort = new AbortController();
  const leaving = ["b1", "b2"].map((name) => take(name, "b", abort.signal));
  const left = Promise.allSettled(leaving);
  abort.abort(new Error("it left"));
  const back = take("back", "b");
  await left;
  giveBack();
  expect(await back).toBeTypeOf("function");
});

test("more than may wait are refused, of one client and of all", async () => {
  const waits = { most: 3, mostOfOne: 2, tooMany };
  const { take } = takeWith(new Turns({ places: 1, waiting: waits }));
  const giveBack = await take("first");
  const waiting = [take("a1"), take("a2")];
  await expect(take("a3")).rejects.toThrow("too many");
  const other = take("b1", "b");
  await expect(take("c1", "c")).rejects.toThrow("too many");
  giveBack();
  for (const turn of [waiting[0], other, waiting[1]]) (await turn)?.();
});

test("work that fails gives its place back", async () => {
  const turns = new Turns({ places: 1 });
  const failed = turns.run({}, async () => Promise.reject(new Error("it failed")));
  await expect(failed).rejects.toThrow("it failed");
  expect(await turns.run({}, async () => "done")).toBe("done");
});

import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { MemoryBudget } from "../../src/reading/child/memory-budget.ts";
import { TestClock } from "../support/test-clock.ts";

const budgetBytes = 1_000;

/** Reads by number. `holds` resolves to whether the read went on within a moment. */
function createReads() {
  const clock = new TestClock();
  const budget = new MemoryBudget(clock, budgetBytes);
  const waiting = new Map<number, Promise<void>>();
  const holds = async (
    id: number,
    bytes: number,
    { client = "a", signal = new AbortController().signal } = {},
  ): Promise<boolean> => {
    const going = budget.hold({ id, client }, bytes, signal);
    going.catch(() => undefined);
    waiting.set(id, going);
    return await Promise.race([going.then(() => true), delay(50, false)]);
  };
  return { clock, budget, holds, goesOn: (id: number) => waiting.get(id) };
}

describe("the memory of the reads of a process", () => {
  test("within the budget lets every read go on", async () => {
    const { holds } = createReads();
    expect(await holds(1, 500)).toBe(true);
    expect(await holds(2, 500)).toBe(true);
  });

  test("above the budget lets the oldest go on, and the next one when it has ended", async () => {
    const { budget, holds, goesOn } = createReads();
    expect(await holds(1, 100)).toBe(true);
    expect(await holds(2, 100)).toBe(true);
    expect(await holds(1, 1_000)).toBe(true);
    expect(await holds(2, 200)).toBe(false);
    expect(await holds(1, 2_000)).toBe(true);
    budget.release(1);
    await goesOn(2);
  });

  test("lets a read go on that holds next to nothing, whoever came before", async () => {
    const { holds } = createReads();
    expect(await holds(1, 2_000)).toBe(true);
    expect(await holds(2, 15)).toBe(true);
    expect(await holds(3, 20)).toBe(false);
  });

  test("above the budget lets a client go on that has less than its equal part", async () => {
    const { holds } = createReads();
    expect(await holds(1, 2_000)).toBe(true);
    expect(await holds(2, 200)).toBe(false);
    expect(await holds(3, 200, { client: "b" })).toBe(true);
    expect(await holds(4, 300, { client: "b" })).toBe(true);
    expect(await holds(4, 301, { client: "b" })).toBe(false);
  });

  test("does not wait for a read that got no page for some time", async () => {
    const { clock, holds, goesOn } = createReads();
    await holds(1, 2_000);
    expect(await holds(2, 200)).toBe(false);
    expect(await holds(3, 200)).toBe(false);
    clock.advance(11);
    await goesOn(2);
    expect(await holds(3, 200)).toBe(false);
    expect(await holds(2, 300)).toBe(true);
    expect(await holds(1, 2_100)).toBe(true);
    expect(await holds(2, 400)).toBe(false);
  });

  test("ends the wait of a read that is ended", async () => {
    const { holds, goesOn } = createReads();
    await holds(1, 2_000);
    const abort = new AbortController();
    expect(await holds(2, 200, { signal: abort.signal })).toBe(false);
    abort.abort();
    await expect(goesOn(2)).rejects.toThrow("aborted");
  });
});

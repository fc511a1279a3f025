import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createHarness, type Harness } from "../support/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const names = ["first", "second", "third"];

test("workers that are stopped at any moment of their start give every connection back", async () => {
  const { queue } = harness.services;
  for (let round = 0; round < 40; round += 1) {
    for (const name of names) queue.work({ name, payload: z.object({}), concurrency: 1, run: async () => "done" });
    await delay(round / 2);
    await queue.stopWorking(1_000);
  }
  // A few that were kept would be all that the queue may have, and nobody could ask it anything.
  expect(await Promise.all(names.map((name) => queue.isIdle(name)))).toEqual([true, true, true]);
}, 120_000);

import { afterAll, beforeAll, expect, test } from "vitest";
import { secondsBetween } from "../../src/platform/clock.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import { sandbox } from "../../src/providers/sandbox/index.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { StubProvider } from "../support/stub-provider.ts";
import { WaitingClock } from "../support/waiting-clock.ts";

const clock = new WaitingClock();
const quotas = { account: { perDay: 1_000 } };
const { definition } = new StubProvider();
const registry = new ProviderRegistry([sandbox, { ...definition, limits: { quotas } }]);

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness({ clock, registry });
});
afterAll(() => harness.close());

/** How long the next request of the account waits. */
async function secondsUntilNext(account: string): Promise<number> {
  const startedAt = clock.now();
  (await harness.services.quotas.draw("stub", { account }, AbortSignal.timeout(20_000))).end();
  return Math.round(secondsBetween(startedAt, clock.now()));
}

const pause = (account: string, seconds?: number): Promise<void> =>
  harness.services.quotas.pause("stub", { account }, seconds);

test("a provider that asks for a shorter wait does not shorten the one before it", async () => {
  await pause("shorter", 30);
  await pause("shorter", 5);
  expect(await secondsUntilNext("shorter")).toBe(30);
});

test("of a wave of refusals that say nothing of time, all together count as one", async () => {
  for (let refused = 0; refused < 8; refused += 1) await pause("wave");
  expect(await secondsUntilNext("wave")).toBe(1);
});

test("each further wave waits twice as long, up to five minutes, and an hour without one begins anew", async () => {
  const waits: number[] = [];
  for (let wave = 0; wave < 7; wave += 1) {
    for (let refused = 0; refused < 3; refused += 1) await pause("waves");
    waits.push(await secondsUntilNext("waves"));
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64]);
  for (let wave = 0; wave < 3; wave += 1) {
    clock.advance(301);
    await pause("waves");
  }
  clock.advance(241);
  expect(await secondsUntilNext("waves")).toBe(59);
  clock.advance(3_601);
  await pause("waves");
  expect(await secondsUntilNext("waves")).toBe(1);
});

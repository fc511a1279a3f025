import { expect, test } from "vitest";
import { isWindowOfClient } from "../../src/clients/index.ts";
import { RateLimitStore, type WindowCount } from "../../src/platform/http/index.ts";
import { createLog } from "../../src/platform/log.ts";
import { TestClock } from "../support/test-clock.ts";

const endpoint = "GET /2023-03-01/management/client:";
const clientKey = `gated-5m:${endpoint}3FDAEDF9-1DCA4F54-87949F6A-41027643`;
const addressKey = (index: number): string =>
  `gated-1m:${endpoint}2001:db8:${index.toString(16)}::`;

test("the window of a client outlives any number of addresses, and ends in time", async () => {
  const clock = new TestClock();
  const store = new RateLimitStore({
    clock,
    log: createLog({ level: "silent" }),
    redis: undefined,
    isKept: isWindowOfClient,
    onFallback: () => undefined,
  });
  const count = async (key: string, windowMs = 300_000): Promise<number | undefined> => {
    const { promise, resolve } = Promise.withResolvers<WindowCount | undefined>();
    store.incr(key, (_error, result) => resolve(result), windowMs);
    return (await promise)?.current;
  };
  await count(clientKey);
  await count(addressKey(0));
  for (let index = 1; index <= 200_000; index += 1) store.incr(addressKey(index), () => {}, 60_000);
  expect([await count(clientKey), await count(addressKey(0))]).toEqual([2, 1]);
  clock.advance(301);
  expect(await count(clientKey)).toBe(1);
});

import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { systemClock } from "../../src/platform/clock.ts";
import { rollcall } from "../support/command-line.ts";
import { createHarness } from "../support/harness.ts";

test("a restored database meets nothing in Redis of a later time, and keys of others stay", async () => {
  const harness = await createHarness({ clock: systemClock });
  const { REDIS_URL: url = "", REDIS_PREFIX: prefix = "" } = harness.environment;
  const { token } = await harness.connect();
  const identity = "/2023-03-01/xhr/identity";
  for (let request = 0; request < 2; request += 1)
    expect((await harness.http.get(identity, { bearer: token })).status).toBe(200);
  const redis = new Redis(url);
  const listKeys = (): Promise<string[]> => redis.keys(`${prefix}*`);
  await redis.set(`${prefix}2:of-another-service`, "stays");
  expect((await listKeys()).some((key) => key.startsWith(`${prefix}:admission:`))).toBe(true);

  const settled = await rollcall(["database", "restored", "--json"], harness.environment);
  expect(settled.json().redis_keys).toBeGreaterThan(1);
  expect(await listKeys()).toEqual([`${prefix}2:of-another-service`]);
  const refused = await rollcall(["database", "restored"], {
    ...harness.environment,
    REDIS_URL: "redis://127.0.0.1:1",
  });
  expect([refused.code, refused.stdout]).toEqual([1, ""]);
  expect(refused.stderr).toContain("The Redis of REDIS_URL does not answer");

  await redis.del(`${prefix}2:of-another-service`);
  redis.disconnect();
  await harness.close();
});
